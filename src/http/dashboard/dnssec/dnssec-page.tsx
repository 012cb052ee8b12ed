import type { SigningReport } from '../../../application/dnssec/read-signing';
import { acceptedAfter } from '../../../domain/dns/dnssec/parent/cds-scan';
import { delegationOf } from '../../../domain/dns/delegation/delegation';
import { dsRecordOf } from '../../../domain/dns/delegation/ds-record';
import type { SigningWait } from '../../../domain/dns/dnssec/signing-step';
import type { ZoneSigning } from '../../../domain/dns/dnssec/zone-signing';
import { ruleOf } from '../../../domain/dns/dnssec/signing-step';
import { isAllowed, isHosted, isServed, type DomainStatus } from '../../../domain/registration/domain-status';
import { DomainLayout } from '../layout/domain/domain-layout';
import { STATUS_LABELS } from '../layout/domain/domain-labels';
import { Badge, Card, DateTime } from '../layout/components';
import { PostForm } from '../layout/forms/forms';
import { followProgress, RefreshLink } from '../layout/live-progress';
import { MayDo } from '../layout/may-do';
import { ToggleSwitch } from '../layout/forms/toggle-switch';
import {
  CDS_OUTCOME_TEXTS,
  CDS_POLICY_TEXTS,
  NOTICE_TEXTS,
  positionOf,
  SIGNING_LABELS,
  STEPS_OFF,
  STEPS_ON,
  WAIT_TEXTS,
} from './describe-signing';

/** Zone key and secure entry point (RFC 4034 section 2.1.1). */
const KEY_FLAGS = 257;

interface DnssecPageProps {
  readonly report: SigningReport;
  /** Host names of this service's nameservers. */
  readonly ownNameservers: readonly string[];
}

export function DnssecPage({ report, ownNameservers }: DnssecPageProps) {
  const { signing } = report;
  const domain = report.domain.toState();
  const isMoving = signing !== undefined && !(signing.shownState === 'active' && !signing.isRollingOver);
  const path = `/domains/${domain.id}/dnssec`;
  const following = isMoving ? followProgress({ kind: 'dnssec', id: domain.id, path, element: 'dnssec' }) : {};
  return (
    <DomainLayout domain={domain} tab="dnssec">
      <div id="dnssec" {...following}>
        <Card title="DNSSEC" term="dnssec" aside={<State signing={signing} />}>
          <Switch report={report} ownNameservers={ownNameservers} />
          {signing && <Progress signing={signing} />}
          {isMoving && <RefreshLink path={path} />}
        </Card>
        <Parent report={report} />
        <Keys report={report} />
        <CdsScan report={report} />
      </div>
    </DomainLayout>
  );
}

function State({ signing }: { readonly signing: ZoneSigning | undefined }) {
  const { label, tone } = SIGNING_LABELS[signing?.shownState ?? 'off'];
  return <Badge tone={tone}>{label}</Badge>;
}

function Switch({ report: { domain, signing, isSupported }, ownNameservers }: DnssecPageProps) {
  const { id, nameservers, status } = domain.toState();
  const isOn = signing?.isWanted ?? false;
  if (!isSigningAllowed(status) || (!isOn && !isServed(status)))
    return (
      <p>
        DNSSEC is {isOn ? 'on' : 'off'}. It cannot be changed, because the domain is {STATUS_LABELS[status].label}.
      </p>
    );
  if (!signing && delegationOf(nameservers, ownNameservers) !== 'ours')
    return (
      <p>
        This service can sign the zone when it serves it.
        <MayDo action="settings">
          {' '}
          <a href={`/domains/${id}/nameservers`}>Change the nameservers</a> to {ownNameservers.join(', ')} first.
        </MayDo>
      </p>
    );
  return (
    <ToggleSwitch
      on={isOn}
      action={`/domains/${id}/dnssec`}
      needs="settings"
      label="DNSSEC"
      description={
        isSupported
          ? 'Signs the zone, so that resolvers reject forged answers. Keys and signatures are renewed without you.'
          : 'Signs the zone, so that resolvers reject forged answers. The registrar takes no DS records from this service: the parent zone follows the CDS records, or you copy the DS records there.'
      }
    />
  );
}

function isSigningAllowed(status: DomainStatus): boolean {
  return isAllowed(status, isHosted(status) ? 'change DNS records' : 'change nameservers');
}

function Progress({ signing }: { readonly signing: ZoneSigning }) {
  const { domainId, problem, until, step, stepSince } = signing.toState();
  const steps = signing.isWanted ? STEPS_ON : STEPS_OFF;
  const present = positionOf(ruleOf(step).state, signing.waitsFor);
  return (
    <>
      {problem && (
        <div class="alert warning" role="alert">
          <p>
            {problem.reason}. {problem.remedy}
          </p>
        </div>
      )}
      <ol class="step-line">
        {steps.map((text, index) => (
          <li
            key={text}
            class={index < present ? 'done' : undefined}
            aria-current={index === present ? 'step' : undefined}
          >
            {index === present ? <strong>{text}</strong> : text}
            {index < present && <span class="visually-hidden"> (done)</span>}
          </li>
        ))}
      </ol>
      <p role="status">
        {signing.isRollingOver && 'The key is being replaced. '}
        {WAIT_TEXTS[signing.waitsFor]}
        {until && <Until waitsFor={signing.waitsFor} until={until} />}
        {signing.waitsFor === 'secondaries' && (
          <>
            {' '}
            Since <DateTime at={stepSince} />. <a href={`/domains/${domainId}/publication`}>See which are behind</a>
          </>
        )}
      </p>
    </>
  );
}

function Until({ waitsFor, until }: { readonly waitsFor: SigningWait; readonly until: Date }) {
  const when = <DateTime at={until} />;
  return waitsFor === 'key_lifetime' ? <> The key is replaced after {when}.</> : <> Until {when} at the earliest.</>;
}

/** What the parent should have, if the service cannot set it. */
function Parent({ report: { parent, signing } }: Pick<DnssecPageProps, 'report'>) {
  if (!parent || !signing?.toState().dsRecords) return null;
  const { ds, notice } = parent;
  return (
    <Card title="DS records of the parent zone" term="ds">
      {ds.length === 0 ? (
        <p>The zone asks its parent to remove the DS records. Remove them at the registrar, if the parent does not.</p>
      ) : (
        <>
          <p>
            The zone asks its parent for these DS records. Set them at the registrar, if the parent does not follow CDS
            records. One of each key is enough.
          </p>
          <ul class="plain-list">
            {ds.map(({ keyTag, algorithm, digestType, digest }) => (
              <li key={digest}>
                <code>
                  {keyTag} {algorithm} {digestType} {digest}
                </code>
              </li>
            ))}
          </ul>
        </>
      )}
      {notice && (
        <p role="status">
          {NOTICE_TEXTS[notice.outcome]}
          {notice.receiver && ` Receiver: ${notice.receiver}.`}
          {notice.error && ` Response: ${notice.error}.`} <DateTime at={notice.sentAt} />.
        </p>
      )}
    </Card>
  );
}

/** The last scan of a zone at other nameservers. */
function CdsScan({ report: { cds } }: Pick<DnssecPageProps, 'report'>) {
  if (!cds) return null;
  const { policy, scan } = cds;
  return (
    <Card title="DS records from the zone" term="cds">
      <p>{CDS_POLICY_TEXTS[policy]}</p>
      <p role="status">
        {scan ? CDS_OUTCOME_TEXTS[scan.outcome] : 'The nameservers of this domain have not been asked yet.'}
        {scan?.reason && ` ${scan.reason}.`}
        {scan?.waiting && (
          <>
            {' '}
            They are set after <DateTime at={acceptedAfter(scan.waiting)} />.
          </>
        )}
        {scan && (
          <>
            {' '}
            Last asked: <DateTime at={scan.scannedAt} />.
          </>
        )}
      </p>
    </Card>
  );
}

function Keys({ report: { domain, signing, keys } }: Pick<DnssecPageProps, 'report'>) {
  if (keys.length === 0) return null;
  const { id, name, status } = domain.toState();
  const isActive = signing?.shownState === 'active' && !signing.isRollingOver;
  const canRoll = isActive && isSigningAllowed(status);
  return (
    <Card title={keys.length === 1 ? 'Key' : 'Keys'}>
      <dl class="details">
        {keys.map(({ id: keyId, keyTag, algorithm, publicKey, createdAt }) => {
          const ds = dsRecordOf(name, { flags: KEY_FLAGS, algorithm, publicKey });
          return (
            <div key={keyId}>
              <dt>
                Key tag {keyTag}, algorithm {algorithm}, created <DateTime at={createdAt} />
              </dt>
              <dd>
                DS{' '}
                <code>
                  {ds.keyTag} {ds.algorithm} {ds.digestType} {ds.digest}
                </code>
              </dd>
            </div>
          );
        })}
      </dl>
      {canRoll && (
        <MayDo action="settings">
          <PostForm action={`/domains/${id}/dnssec/roll`} class="inline-form">
            <p class="mt-4">
              <button class="quiet" type="submit">
                Replace the key
              </button>
            </p>
          </PostForm>
        </MayDo>
      )}
    </Card>
  );
}
