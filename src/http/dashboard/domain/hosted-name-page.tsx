import type { HealthCheck } from '../../../domain/health/health-check';
import type { ZoneReport } from '../../../application/hosting/read-zones';
import { zoneIdOf } from '../../../domain/dns/zone-id';
import { SIGNING_LABELS } from '../dnssec/describe-signing';
import { TagsCard } from '../domains/tags-card';
import { HealthBadge } from '../health/health-badge';
import { checkLabel, STATE_LABELS } from '../health/health-labels';
import { Badge, Card } from '../layout/components';
import { formatTimeAgo } from '../layout/dates';
import { DomainLayout } from '../layout/domain/domain-layout';
import { PostForm } from '../layout/forms/forms';
import { usePage } from '../layout/page-context';
import { mayTransfer } from '../user-session';
import { dangerSteps } from './danger/danger-steps';
import { DangerZone } from './danger/danger-zone';
import { Fact } from './domain-facts';
import { VerificationCard } from './verification-card';
import { MapCard } from './map/map-card';
import type { MapFacts } from './map/map-parts';
import { StatusSentence } from './map/status-sentence';
import type { HostedNameFacts } from './read-hosted-name';

/** The page of a name whose zone is here and whose registration is not. */
export function HostedNamePage({ zone, health, map }: HostedNameFacts & { readonly map: MapFacts }) {
  const { owner, facts } = zone;
  const { userSession } = usePage();
  const path = `/domains/${owner.id}`;
  const signing = SIGNING_LABELS[facts.signing];
  const zoneId = zoneIdOf(owner.id);
  return (
    <DomainLayout domain={owner} tab="details">
      <StatusSentence facts={map} />
      {owner.status === 'unverified' && <VerificationCard domain={owner} />}
      <MapCard facts={map} />
      <section class="card facts" aria-label="Facts">
        <dl>
          <Fact term="Zone ID">
            <code id="zone-id">{zoneId}</code>{' '}
            <button type="button" class="quiet" data-copy="zone-id" hidden>
              Copy<span class="visually-hidden"> the zone ID</span>
            </button>
          </Fact>
          <Fact term="Records">
            <a href={`${path}/records`}>{facts.recordCount.toLocaleString('en')}</a>
          </Fact>
          <Fact term="DNSSEC">
            <a href={`${path}/dnssec`}>
              <Badge tone={signing.tone}>{signing.label}</Badge>
            </a>
          </Fact>
          <Fact term="Health">
            <a href={`${path}/health`}>
              <HealthBadge state={health?.state} />
            </a>
          </Fact>
        </dl>
      </section>
      <div class="columns">
        <Delegation path={path} zone={zone} health={health} />
        <TagsCard domain={owner} />
      </div>
      <DangerZone
        domainId={owner.id}
        steps={dangerSteps(owner, undefined, false)}
        transferable={userSession !== undefined && mayTransfer(userSession)}
      />
    </DomainLayout>
  );
}

/** The nameservers to set, and what the parent zone says of them. */
function Delegation({ path, zone, health }: HostedNameFacts & { readonly path: string }) {
  const { nameservers, delegation } = zone;
  const check = health?.checks.find(({ id }) => id === 'delegation');
  return (
    <Card title="Nameservers">
      {check?.state !== 'ok' && delegation.state !== 'ours' && (
        <p>Set these nameservers at the registrar of the name, or as its NS records in the zone above.</p>
      )}
      <ul class="plain-list">
        {nameservers.map((host, index) => (
          <li key={host}>
            <code id={`nameserver-${index}`}>{host}</code>{' '}
            <button type="button" class="quiet" data-copy={`nameserver-${index}`} hidden>
              Copy<span class="visually-hidden"> {host}</span>
            </button>
          </li>
        ))}
      </ul>
      {check ? <ParentZone check={check} checkedAt={health?.checkedAt} /> : <ParentAnswer {...delegation} />}
      <PostForm action={`${path}/health`} class="inline-form">
        <input type="hidden" name="from" value="details" />
        <p class="actions mt-4">
          <button type="submit">Ask the parent zone now</button>
        </p>
      </PostForm>
    </Card>
  );
}

/** What the service learned in the background. */
function ParentAnswer({ state, nameservers, askedAt }: ZoneReport['delegation']) {
  const { now } = usePage();
  if (!askedAt) return <p class="mt-4">The parent zone was not asked yet.</p>;
  return (
    <p class="mt-4" role="status">
      {PARENT_ANSWERS[state]}
      {state === 'elsewhere' || state === 'partly' ? `: ${nameservers.join(', ')}` : ''}, asked{' '}
      {formatTimeAgo(askedAt, now)}
    </p>
  );
}

const PARENT_ANSWERS: Readonly<Record<ZoneReport['delegation']['state'], string>> = {
  ours: 'The parent zone delegates the name to these nameservers',
  partly: 'The parent zone delegates the name to these and other nameservers',
  elsewhere: 'The parent zone delegates the name to other nameservers',
  none: 'The parent zone does not delegate the name',
  unknown: 'The parent zone did not answer',
};

/** What the last health check found. */
function ParentZone({ check, checkedAt }: { readonly check: HealthCheck; readonly checkedAt: Date | undefined }) {
  const { now } = usePage();
  const { state, summary, evidence } = check;
  return (
    <>
      <p class="mt-4" role="status">
        <Badge tone={STATE_LABELS[state].tone}>{checkLabel(state)}</Badge> {summary}
      </p>
      <ul class="small">
        {evidence.map((line) => (
          <li key={line}>{line}</li>
        ))}
        {checkedAt && <li>Asked {formatTimeAgo(checkedAt, now)}</li>}
      </ul>
    </>
  );
}
