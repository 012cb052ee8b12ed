import type { ComponentChildren } from 'preact';
import type { NamedOperation } from '../../../application/ports/registration/operation-queries';
import type { ApiKey } from '../../../domain/access/api-key';
import type { AuditEntry } from '../../../domain/access/audit-entry';
import type { DomainState } from '../../../domain/registration/domain';
import type { DomainStatus } from '../../../domain/registration/domain-status';
import { DomainLink } from '../domains/domain-link';
import { displayName } from '../domains/domain-words';
import { ago, inDays, shortDate } from '../layout/dates';
import { usePage } from '../layout/page-context';
import { Card } from '../layout/parts';
import { SearchAgain } from '../register/search-again';
import type { LowBalance } from './low-balances';

const MENTIONED = 5;

export interface AttentionProps {
  readonly counts: ReadonlyMap<DomainStatus, number>;
  readonly ending: readonly DomainState[];
  readonly uncertain: readonly NamedOperation[];
  readonly failedRenewals: readonly NamedOperation[];
  readonly refused: readonly AuditEntry[];
  readonly keys: readonly ApiKey[];
  readonly balances: readonly LowBalance[];
}

/** What somebody should look at, the worst first. Nothing where all is well. */
export function Attention({ counts, ending, uncertain, failedRenewals, refused, keys, balances }: AttentionProps) {
  const { now, today } = usePage();
  const stale = keys.filter((key) => key.isDueForRotation(now)).length;
  const items: readonly ComponentChildren[] = [
    ...lost(counts),
    ...balances.map(({ registry, text, at }) => (
      <>
        The balance at the registry {registry} is low: it refuses registrations and renewals once it is used up. Top it
        up there. It wrote on {shortDate(at)}: {text}
      </>
    )),
    ...failedRenewals.map(({ domainName, operation }) => (
      <>
        The renewal of <DomainLink id={operation.domainId} name={domainName} page="/operations" /> failed on{' '}
        {shortDate(operation.updatedAt)}: {operation.error?.message}
      </>
    )),
    ...uncertain.map(({ domainName, operation }) => (
      <>
        What came of an operation on <DomainLink id={operation.domainId} name={domainName} page="/operations" /> has not
        been certain for long (since {ago(operation.uncertainSince ?? operation.updatedAt, now)}). Somebody should ask
        the registry.
      </>
    )),
    ...ending.slice(0, MENTIONED).map(({ id, name, expiresAt }) => (
      <>
        <DomainLink id={id} name={name} /> expires {inDays(expiresAt, today)} and will not be renewed.
      </>
    )),
    ...(ending.length > MENTIONED
      ? [<a href="/domains?sort=expiry">More domains expire soon without being renewed.</a>]
      : []),
    ...refused.map(({ domain, at }) => (
      <>
        The registration of {displayName(domain?.name ?? '')} was refused on {shortDate(at)}.{' '}
        <SearchAgain name={domain?.name} />
      </>
    )),
    ...(stale > 0
      ? [
          <>
            <a href="/api-keys">{stale === 1 ? 'An API key is' : `${stale} API keys are`} older than 90 days</a>. Rotate
            what has been around for long.
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

function lost(counts: ReadonlyMap<DomainStatus, number>): ComponentChildren[] {
  return (['redemption', 'expired'] as const).flatMap((status) => {
    const count = counts.get(status) ?? 0;
    if (count === 0) return [];
    const what =
      status === 'redemption'
        ? 'in redemption. Only a restore brings back what is deleted'
        : 'expired. Renew what is not to be lost';
    return [
      <>
        <a href={`/domains?status=${status}`}>{count === 1 ? 'A domain is' : `${count} domains are`}</a> {what}.
      </>,
    ];
  });
}
