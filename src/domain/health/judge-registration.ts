import { delegationOf } from '../dns/delegation/delegation';
import type { DomainState } from '../registration/domain';
import { isServed } from '../registration/domain-status';
import { DAY_MS } from '../shared/time/calendar';
import { formatDate } from '../shared/time/date-text';
import type { Finding } from './health-check';

/** The nameservers at the registry. */
export type RegistryDelegation =
  | { readonly kind: 'read'; readonly nameservers: readonly string[] }
  /** As the last sync with the registry has stored them. */
  | { readonly kind: 'stored' }
  | { readonly kind: 'failed'; readonly reason: string };

interface DelegationEvidence {
  readonly domain: Pick<DomainState, 'status' | 'nameservers'>;
  readonly registry: RegistryDelegation;
  readonly ourNameservers: readonly string[];
  /** Of the zone stored here. */
  readonly recordCount: number;
}

/** Whether the registry delegates the domain to the nameservers that serve its records. */
export function judgeDelegation(found: DelegationEvidence): Finding {
  const { domain, registry, ourNameservers, recordCount } = found;
  if (!isServed(domain.status))
    return { state: 'not_applicable', summary: 'The registry does not delegate the domain in its present status.' };
  if (registry.kind === 'failed')
    return {
      state: 'unknown',
      summary: 'The registry did not tell the nameservers.',
      evidence: [`Registry: ${registry.reason}`, `Stored: ${domain.nameservers.join(', ')}`],
    };
  const nameservers = registry.kind === 'read' ? registry.nameservers : domain.nameservers;
  const evidence = [
    `${registry.kind === 'read' ? 'At the registry' : 'At the registry, when last synced'}: ${nameservers.join(', ') || 'none'}`,
    `This service: ${ourNameservers.join(', ')}`,
  ];
  if (nameservers.length === 0)
    return {
      state: 'problem',
      summary: 'The domain has no nameservers, so it does not resolve.',
      evidence,
      advice: 'Set nameservers.',
      action: 'change_nameservers',
    };
  if (registry.kind === 'read' && !isSameSet(nameservers, domain.nameservers))
    return {
      state: 'warning',
      summary: 'The registry has other nameservers than this service expects.',
      evidence: [...evidence, `Expected: ${domain.nameservers.join(', ')}`],
      advice: 'A change may be in progress. Otherwise set the nameservers again.',
      action: 'change_nameservers',
    };
  const delegation = delegationOf(nameservers, ourNameservers);
  if (delegation === 'partly')
    return {
      state: 'problem',
      summary: 'Some nameservers are not those of this service, so resolvers get different answers.',
      evidence,
      advice: 'Use the nameservers of one service only, unless both serve the same records.',
      action: 'change_nameservers',
    };
  if (delegation === 'elsewhere' && recordCount > 0)
    return {
      state: 'warning',
      summary: 'Other nameservers serve the domain, so the records stored here have no effect.',
      evidence: [...evidence, `Records stored here: ${recordCount}`],
      advice: `Change the nameservers to ${ourNameservers.join(', ')} to use the records.`,
      action: 'change_nameservers',
    };
  return delegation === 'ours'
    ? { state: 'ok', summary: 'The registry delegates the domain to this service.', evidence }
    : { state: 'not_applicable', summary: 'The registry delegates the domain to other nameservers.', evidence };
}

/** Days before expiry. */
const EXPIRES_SOON = 60;
const EXPIRES_VERY_SOON = 14;
const RENEWAL_IS_LATE = 7;

interface ExpiryEvidence {
  readonly domain: Pick<DomainState, 'status' | 'expiresAt' | 'autoRenew' | 'registrarRenews'>;
  /** When the service deletes the domain before the registry would renew it. */
  readonly deletionDueAt?: Date | null | undefined;
  /** In the time in which domains live. */
  readonly today: Date;
}

export function judgeExpiry({
  domain: { status, expiresAt, autoRenew, registrarRenews },
  deletionDueAt,
  today,
}: ExpiryEvidence): Finding {
  const days = daysBetween(today, expiresAt);
  const evidence = [
    `Expires on ${formatDate(expiresAt)}`,
    `Auto-renewal: ${autoRenew ? (registrarRenews ? 'by the registrar' : 'on') : 'off'}`,
  ];
  if (status === 'pending') return { state: 'not_applicable', summary: 'The registration is not complete.' };
  if (status === 'redemption' || status === 'pending_delete')
    return {
      state: 'problem',
      summary:
        status === 'redemption' ? 'The domain is deleted and can still be restored.' : 'The domain is being deleted.',
      evidence,
      ...(status === 'redemption' && {
        advice: 'Restore the domain before the redemption period ends.',
        action: 'restore',
      }),
    };
  if (status === 'expired' || days < 0)
    return { state: 'problem', summary: 'The domain has expired.', evidence, advice: 'Renew it now.', action: 'renew' };
  const daysToDeletion = deletionDueAt ? daysBetween(today, deletionDueAt) : EXPIRES_SOON;
  if (daysToDeletion < EXPIRES_SOON)
    return {
      state: daysToDeletion < EXPIRES_VERY_SOON ? 'problem' : 'warning',
      summary: `The service deletes the domain in ${daysText(Math.max(0, daysToDeletion))}, before the registry would renew it, because auto-renewal is off.`,
      evidence,
      advice: 'Switch auto-renewal on before then, unless you want to give the domain up.',
      action: 'enable_auto_renewal',
    };
  if (autoRenew && days < RENEWAL_IS_LATE)
    return {
      state: 'warning',
      summary: `The domain expires in ${daysText(days)} and is not renewed yet.`,
      evidence,
      advice: 'Check the latest operations of the domain, or renew it now.',
      action: 'renew',
    };
  if (!autoRenew && days < EXPIRES_SOON)
    return {
      state: days < EXPIRES_VERY_SOON ? 'problem' : 'warning',
      summary: `The domain expires in ${daysText(days)}, and auto-renewal is off.`,
      evidence,
      advice: 'Switch auto-renewal on or renew the domain, unless you want to give it up.',
      action: 'enable_auto_renewal',
    };
  return {
    state: 'ok',
    summary: `The domain ${autoRenew ? 'renews by itself' : 'is paid for'} and expires in ${daysText(days)}.`,
    evidence,
  };
}

interface ParentEvidence {
  /** To which the parent zone delegates the name; undefined if it did not answer. */
  readonly delegatedTo: readonly string[] | undefined;
  readonly ourNameservers: readonly string[];
}

/** Whether the parent zone of a name without a registration here delegates it to this service. */
export function judgeParent({ delegatedTo, ourNameservers }: ParentEvidence): Finding {
  const ours = `This service: ${ourNameservers.join(', ')}`;
  if (!delegatedTo) return { state: 'unknown', summary: 'The parent zone did not answer.', evidence: [ours] };
  const evidence = [`In the parent zone: ${delegatedTo.join(', ') || 'none'}`, ours];
  const delegation = delegatedTo.length === 0 ? 'none' : delegationOf(delegatedTo, ourNameservers);
  if (delegation === 'ours')
    return { state: 'ok', summary: 'The parent zone delegates the name to this service.', evidence };
  const advice = `Set the nameservers ${ourNameservers.join(', ')} at the registrar or in the parent zone.`;
  if (delegation === 'partly')
    return {
      state: 'problem',
      summary: 'Some nameservers are not those of this service, so resolvers get different answers.',
      evidence,
      advice: 'Use the nameservers of one service only, unless both serve the same records.',
    };
  const summary =
    delegation === 'none'
      ? 'The parent zone does not delegate the name, so resolvers do not see its records.'
      : 'Other nameservers serve the name, so the records stored here have no effect.';
  return { state: 'warning', summary, evidence, advice };
}

/** Calendar days in UTC, as the dashboard counts them. */
function daysBetween(from: Date, to: Date): number {
  return Math.floor(to.getTime() / DAY_MS) - Math.floor(from.getTime() / DAY_MS);
}

export function judgeTransferLock({
  status,
  transferLocked,
  transferPending,
}: Pick<DomainState, 'status' | 'transferLocked' | 'transferPending'>): Finding {
  if (!isServed(status))
    return { state: 'not_applicable', summary: 'The domain cannot be transferred in its present status.' };
  if (transferPending)
    return {
      state: 'warning',
      summary: 'Another registrar has requested the transfer of the domain.',
      advice: 'Reject the transfer on the page of the domain if you did not request it.',
    };
  if (transferLocked) return { state: 'ok', summary: 'The transfer lock is on.' };
  return {
    state: 'warning',
    summary: 'The transfer lock is off, so anyone with the auth code can transfer the domain.',
    advice: 'Switch the transfer lock on, unless you are about to transfer the domain.',
    action: 'lock',
  };
}

function daysText(days: number): string {
  return days === 1 ? '1 day' : `${days} days`;
}

function isSameSet(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((host) => other.includes(host));
}
