import type { ComponentChildren } from 'preact';
import type { NamedOperation } from '../../../application/ports/registration/operation-queries';
import type { FoundDifference } from '../../../application/ports/registration/reconciliation-repository';
import type { ApiKey } from '../../../domain/access/api-key';
import type { AuditEntry } from '../../../domain/access/audit-entry';
import type { DomainState } from '../../../domain/registration/domain';
import type { DomainStatus } from '../../../domain/registration/domain-status';
import { DomainLink } from '../domains/domain-link';
import { displayName } from '../domains/domain-labels';
import { formatDateTime, formatRelativeDay, formatShortDate } from '../layout/dates';
import { usePage } from '../layout/page-context';
import { mayTransfer } from '../user-session';
import { Card } from '../layout/components';
import { SearchAgainLink } from '../register/search-again-link';
import { TransferOutDecision } from '../transfers/transfer-out-notice';
import type { LeavingDomain, LowBalance } from './attention-items';

const MAX_ENDING = 5;
const MAX_DIFFERENCES = 5;
const MAX_LEAVING = 5;
const DIFFERENCE_LABELS: Readonly<Record<FoundDifference['kind'], string>> = {
  'missing here': 'domain',
  'missing there': 'domain',
  status: 'the status',
  expiry: 'the expiry',
  lock: 'the transfer lock',
  nameservers: 'the list of nameservers',
};

export interface AttentionProps {
  readonly counts: ReadonlyMap<DomainStatus, number>;
  /** Domains whose transfer another registrar has requested. */
  readonly leaving: readonly LeavingDomain[];
  readonly ending: readonly DomainState[];
  readonly uncertain: readonly NamedOperation[];
  readonly failedRenewals: readonly NamedOperation[];
  readonly refused: readonly AuditEntry[];
  readonly keys: readonly ApiKey[];
  readonly balances: readonly LowBalance[];
  /** Differences between a registrar's data and ours. */
  readonly differences: readonly FoundDifference[];
}

/** Problems that need an action by the user, the most urgent first. Renders nothing if there are none. */
export function Attention({
  counts,
  leaving,
  ending,
  uncertain,
  failedRenewals,
  refused,
  keys,
  balances,
  differences,
}: AttentionProps) {
  const { now, today } = usePage();
  const oldKeys = keys.filter((key) => key.isDueForRotation(now)).length;
  const items: readonly ComponentChildren[] = [
    ...leaving.slice(0, MAX_LEAVING).map((of) => <LeavingItem {...of} />),
    ...(leaving.length > MAX_LEAVING ? ['Other registrars have requested the transfer of more domains.'] : []),
    ...listLostDomains(counts),
    ...balances.map(({ registry, text, at }) => (
      <>
        The balance at the registry {registry} is low. Top it up, or the registry will refuse registrations and
        renewals. Message of {formatShortDate(at)}: {text}
      </>
    )),
    ...failedRenewals.map(({ domainName, operation }) => (
      <>
        The renewal of <DomainLink id={operation.domainId} name={domainName} page="/operations" /> failed on{' '}
        {formatShortDate(operation.updatedAt)}: {operation.error?.message}
      </>
    )),
    ...uncertain.map(({ domainName, operation }) => (
      <>
        <DomainLink id={operation.domainId} name={domainName} page="/operations" />: The outcome of this operation has
        been unknown since {formatDateTime(operation.uncertainSince ?? operation.updatedAt)}. Contact the registry.
      </>
    )),
    ...differences.slice(0, MAX_DIFFERENCES).map((difference) => <DifferenceItem difference={difference} />),
    ...(differences.length > MAX_DIFFERENCES ? ['More domains differ from what their registrar holds.'] : []),
    ...ending.slice(0, MAX_ENDING).map(({ id, name, expiresAt }) => (
      <>
        <DomainLink id={id} name={name} /> expires {formatRelativeDay(expiresAt, today)} because auto-renewal is off.
        Renew it to keep it.
      </>
    )),
    ...(ending.length > MAX_ENDING
      ? [<a href="/domains?sort=expiry">More domains expire soon and will not be renewed.</a>]
      : []),
    ...refused.map(({ domain, at }) => (
      <>
        The registry refused the registration of {displayName(domain?.name ?? '')} on {formatShortDate(at)}.{' '}
        <SearchAgainLink name={domain?.name} />
      </>
    )),
    ...(oldKeys > 0
      ? [
          <>
            <a href="/api-keys">{oldKeys === 1 ? 'An API key is' : `${oldKeys} API keys are`} older than 90 days</a>.
            Rotate old keys.
          </>,
        ]
      : []),
  ];
  if (items.length === 0) return null;
  return (
    <Card title="Needs attention" class="attention">
      <ul>
        {items.map((item, index) => (
          <li key={index}>{item}</li>
        ))}
      </ul>
    </Card>
  );
}

function LeavingItem({ domain, decidable }: LeavingDomain) {
  const { today, userSession } = usePage();
  const { id, name, transferEndsAt } = domain;
  return (
    <>
      Another registrar has requested the transfer of <DomainLink id={id} name={name} />.{' '}
      {transferEndsAt &&
        `Without a decision, it leaves on ${formatShortDate(transferEndsAt)}, ${formatRelativeDay(transferEndsAt, today)}. `}
      {decidable ? (
        <TransferOutDecision domain={domain} transferable={userSession !== undefined && mayTransfer(userSession)} />
      ) : (
        'Contact the registrar if you did not ask for it.'
      )}
    </>
  );
}

function DifferenceItem({ difference }: { readonly difference: FoundDifference }) {
  const { registry, name, kind, domainId, ours, theirs } = difference;
  if (domainId === null)
    return (
      <>
        {displayName(name)} is at {registry} but not here. <a href="/imports">Bring your domains</a>
      </>
    );
  const link = <DomainLink id={domainId} name={name} />;
  return kind === 'missing there' ? (
    <>
      {link} is not at {registry}: it is {theirs}. Contact the registrar.
    </>
  ) : (
    <>
      {link} differs from {registry}: {DIFFERENCE_LABELS[kind]} is {describeValue(kind, theirs)} there and{' '}
      {describeValue(kind, ours)} here. The operator can adopt it with <code>domain reconcile --fix</code>.
    </>
  );
}

function describeValue(kind: FoundDifference['kind'], value: string): string {
  return kind === 'expiry' ? formatShortDate(new Date(value)) : value;
}

function listLostDomains(counts: ReadonlyMap<DomainStatus, number>): ComponentChildren[] {
  return (['redemption', 'expired'] as const).flatMap((status) => {
    const count = counts.get(status) ?? 0;
    if (count === 0) return [];
    const advice =
      status === 'redemption'
        ? 'in redemption after deletion. Restore the domains that you want to keep'
        : 'expired. Renew the domains that you want to keep';
    return [
      <>
        <a href={`/domains?status=${status}`}>{count === 1 ? 'A domain is' : `${count} domains are`}</a> {advice}.
      </>,
    ];
  });
}
