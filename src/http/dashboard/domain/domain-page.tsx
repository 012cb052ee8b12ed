import type { DomainState } from '../../../domain/registration/domain';
import { isAllowed } from '../../../domain/registration/domain-status';
import type { LifecycleDates } from '../../../domain/registration/lifecycle/lifecycle';
import type { OperationState } from '../../../domain/registration/operations/operation';
import type { TldPolicy } from '../../../domain/registration/names/tld-policy';
import { Card } from '../layout/components';
import { PostForm } from '../layout/forms/forms';
import { RegistrantAddress } from '../registrant/registrant-card';
import { describeRenewal } from '../layout/domain/domain-labels';
import { TagsCard } from '../domains/tags-card';
import { DelegationNotice } from './delegation-notice';
import { dangerSteps } from './danger/danger-steps';
import { DangerZone } from './danger/danger-zone';
import { DomainFacts } from './domain-facts';
import type { DomainFactsOf } from './domain-facts-reader';
import { DomainLayout } from '../layout/domain/domain-layout';
import { MapCard } from './map/map-card';
import type { MapFacts } from './map/map-parts';
import { StatusSentence } from './map/status-sentence';
import { LifecycleTimeline } from './lifecycle-timeline';
import { OperationList } from './operations/operation-list';
import { StatusAdvice } from './status-advice';
import { TransferCard } from '../transfers/transfer-card';
import { TransferOutNotice } from '../transfers/transfer-out-notice';
import { MayDo } from '../layout/may-do';
import { ToggleSwitch } from '../layout/forms/toggle-switch';
import { mayTransfer } from '../user-session';
import { usePage } from '../layout/page-context';

interface DomainPageProps {
  readonly domain: DomainState;
  readonly dates: LifecycleDates | undefined;
  /** The latest operations, newest first. */
  readonly operations: readonly OperationState[];
  /** Whether the domain can still be deleted with a refund, and until when. */
  readonly deletion: { readonly isPossible: boolean; readonly until: Date };
  readonly facts: DomainFactsOf;
  readonly map: MapFacts;
  /** Of the TLD. Controls of what it does not support are hidden. */
  readonly policy: Pick<TldPolicy, 'unsupported' | 'releases' | 'periods'> | undefined;
  /** Host names of this service's nameservers. */
  readonly ownNameservers: readonly string[];
}

export function DomainPage({
  domain,
  dates,
  operations,
  deletion,
  facts: { timeline, ...facts },
  map,
  policy,
  ownNameservers,
}: DomainPageProps) {
  const { id, status, nameservers, registrant } = domain;
  const path = `/domains/${id}`;
  const { userSession } = usePage();
  const { unsupported = [], releases = false } = policy ?? {};
  const transferable = userSession !== undefined && mayTransfer(userSession);
  return (
    <DomainLayout domain={domain} tab="details">
      <StatusSentence facts={map} />
      <StatusAdvice
        domain={domain}
        dates={dates}
        renewable={!unsupported.includes('renewal')}
        restorable={!unsupported.includes('restore')}
      />
      {domain.transferPending && (
        <TransferOutNotice
          domain={domain}
          decidable={!unsupported.includes('decide_transfer')}
          releaseDays={releases ? policy?.periods.transfer : undefined}
          transferable={transferable}
        />
      )}
      <DelegationNotice domain={domain} ownNameservers={ownNameservers} />
      {status !== 'transferred_out' && <MapCard facts={map} />}
      <DomainFacts domain={domain} {...facts} />
      <LifecycleTimeline points={timeline} />
      <div class="columns">
        <div class="stack">
          {isAllowed(status, 'renew') && (
            <RenewalCard
              domain={domain}
              renewable={!unsupported.includes('renewal')}
              switchable={!unsupported.includes('registrar_renewal')}
            />
          )}
          <Card
            title="Nameservers"
            aside={
              isAllowed(status, 'change nameservers') && <ChangeLink href={`${path}/nameservers`} label="nameservers" />
            }
          >
            <ul class="plain-list">
              {nameservers.map((host) => (
                <li key={host}>
                  <code>{host}</code>
                </li>
              ))}
            </ul>
          </Card>
          <TagsCard domain={domain} />
        </div>
        <div class="stack">
          {isAllowed(status, 'issue an auth code') && (
            <TransferCard
              domain={domain}
              transferable={transferable}
              hasLock={!unsupported.includes('transfer_lock')}
            />
          )}
          <Card
            title="Registrant"
            aside={
              isAllowed(status, 'change contacts') &&
              !unsupported.includes('registrant_change') && (
                <ChangeLink href={`${path}/registrant`} label="registrant" />
              )
            }
          >
            {registrant ? (
              <RegistrantAddress registrant={registrant} />
            ) : (
              <p>The registry does not show the registrant. Enter the registrant to change it.</p>
            )}
          </Card>
        </div>
      </div>
      <Card title="Latest operations" class="flush" aside={<a href={`${path}/operations`}>All operations</a>}>
        <OperationList operations={operations} />
      </Card>
      <DangerZone
        domainId={id}
        steps={dangerSteps(domain, policy, deletion.isPossible)}
        transferable={transferable}
        deletableUntil={deletion.until}
      />
    </DomainLayout>
  );
}

function RenewalCard({
  domain,
  renewable,
  switchable,
}: Pick<DomainPageProps, 'domain'> & { readonly renewable: boolean; readonly switchable: boolean }) {
  const { id, autoRenew, registrarRenews } = domain;
  const path = `/domains/${id}`;
  return (
    <Card title="Renewal">
      <ToggleSwitch
        on={autoRenew}
        action={`${path}/auto-renewal`}
        needs="settings"
        label="Auto-renewal"
        description={describeRenewal(domain)}
      />
      {registrarRenews && switchable && renewable && (
        <MayDo action="settings">
          <PostForm action={`${path}/auto-renewal`} class="inline-form">
            <input type="hidden" name="on" value="yes" />
            <input type="hidden" name="renewed_by" value="service" />
            <p class="mt-4">
              <button class="quiet" type="submit">
                Renew here instead
              </button>
            </p>
          </PostForm>
        </MayDo>
      )}
      {renewable && (
        <MayDo action="renew">
          <p class="actions mt-4">
            <a class="button" href={`${path}/renew`}>
              Renew now
            </a>
          </p>
        </MayDo>
      )}
    </Card>
  );
}

function ChangeLink({ href, label }: { readonly href: string; readonly label: string }) {
  return (
    <MayDo action="settings">
      <a href={href}>
        Change<span class="visually-hidden"> {label}</span>
      </a>
    </MayDo>
  );
}
