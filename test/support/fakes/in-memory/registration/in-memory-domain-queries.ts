import {
  STATUSES_OF,
  type DomainOrder,
  type DomainQueries,
  type Expiring,
  type ListedDomain,
  type RenewingDomain,
  type SortedList,
  type SortedPosition,
  type UnrenewedDeletion,
  type DomainFilter,
  type TermCondition,
} from '../../../../../src/application/ports/registration/domain-repository';
import { delegationOf, type DelegationState } from '../../../../../src/domain/dns/delegation/delegation';
import { isHosted } from '../../../../../src/domain/registration/domain-status';
import type { Page } from '../../../../../src/application/ports/storage/page';
import type { DomainState } from '../../../../../src/domain/registration/domain';
import type { DomainStatus } from '../../../../../src/domain/registration/domain-status';
import { HEALTH_STATES } from '../../../../../src/domain/health/health-check';
import { addDays, DAY_MS } from '../../../../../src/domain/shared/time/calendar';
import { termsOf } from '../../../../../src/domain/portfolio/domain-terms';
import { toUnicodeName } from '../../../../../src/domain/shared/idna';
import { compareTexts, inOrder } from '../in-order';
import type { Tables } from '../tables';

const VALUES: Readonly<Record<DomainOrder, (domain: DomainState, tables: Tables) => string | number>> = {
  name: ({ name }) => name,
  status: ({ status }) => status,
  expiry: ({ expiresAt }) => expiresAt.getTime(),
  auto_renewal: ({ autoRenew }) => Number(autoRenew),
  transfer_lock: ({ transferLocked }) => Number(transferLocked),
  nameservers: ({ nameservers }) => nameservers[0] ?? '',
  tags: ({ tags }) => tags[0] ?? '',
  health: ({ id }, { health }) => {
    const report = health.get(id);
    return report ? HEALTH_STATES.indexOf(report.state) : HEALTH_STATES.length;
  },
  // No prices are kept in memory.
  price: () => -1,
};

export class InMemoryDomainQueries implements DomainQueries {
  constructor(private readonly committed: () => Tables) {}

  async page(
    accountId: string,
    { order, descending, ...filter }: SortedList,
    limit: number,
    after?: SortedPosition,
  ): Promise<Page<DomainState, SortedPosition>> {
    const positionOf = (domain: DomainState): SortedPosition => ({
      value: VALUES[order](domain, this.committed()),
      id: domain.id,
    });
    const compare = (left: SortedPosition, right: SortedPosition) => {
      const difference =
        typeof left.value === 'string'
          ? compareTexts(left.value, String(right.value))
          : left.value - Number(right.value);
      return (difference || compareTexts(left.id, right.id)) * (descending ? -1 : 1);
    };
    const sorted = this.matching(accountId, filter).toSorted((one, other) =>
      compare(positionOf(one), positionOf(other)),
    );
    const beyond = after ? sorted.filter((domain) => compare(positionOf(domain), after) > 0) : sorted;
    const last = beyond.length > limit ? beyond[limit - 1] : undefined;
    return { items: beyond.slice(0, limit), next: last && positionOf(last) };
  }

  listed(
    accountId: string,
    list: SortedList,
    limit: number,
    after?: SortedPosition,
  ): Promise<Page<ListedDomain, SortedPosition>> {
    return this.page(accountId, list, limit, after);
  }

  async count(accountId: string, filter: DomainFilter, most: number): Promise<number | undefined> {
    const { length } = this.matching(accountId, filter);
    return length > most && (filter.terms || filter.expiresFrom || filter.expiresBefore || filter.nameContains)
      ? undefined
      : length;
  }

  async terms(accountId: string, prefix: string, limit: number, tags?: readonly string[]): Promise<readonly string[]> {
    const terms = this.ofAccount(accountId, tags).flatMap((domain) =>
      termsOf(domain).filter((term) => term.startsWith(prefix)),
    );
    return [...new Set(terms)].toSorted().slice(0, limit);
  }

  private matching(accountId: string, filter: DomainFilter): DomainState[] {
    const { of = 'domains', status, statuses, nameContains = '', names, terms = [] } = filter;
    const { expiresFrom, expiresBefore, updatedSince, health, delegation } = filter;
    return this.ofAccount(accountId).filter(
      (domain) =>
        STATUSES_OF[of].includes(domain.status) &&
        (status === undefined || domain.status === status) &&
        (names?.includes(domain.name) ?? true) &&
        (!delegation || this.delegationState(domain, delegation.ours) === delegation.state) &&
        (!health || this.committed().health.get(domain.id)?.state === health) &&
        (statuses?.includes(domain.status) ?? true) &&
        (!updatedSince || domain.updatedAt >= updatedSince) &&
        (!expiresFrom || domain.expiresAt >= expiresFrom) &&
        (!expiresBefore || domain.expiresAt < expiresBefore) &&
        hasTerms(domain, terms) &&
        (domain.name.includes(nameContains) || toUnicodeName(domain.name)?.includes(nameContains) === true),
    );
  }

  private delegationState({ id, status, nameservers }: DomainState, ours: readonly string[]): DelegationState {
    if (!isHosted(status)) return delegationOf(nameservers, ours);
    return this.committed().zoneDelegations.get(id)?.state ?? 'unknown';
  }

  async countByStatus(accountId: string, tags?: readonly string[]): Promise<ReadonlyMap<DomainStatus, number>> {
    const counts = new Map<DomainStatus, number>();
    for (const { status } of this.ofAccount(accountId, tags)) counts.set(status, (counts.get(status) ?? 0) + 1);
    return counts;
  }

  async expiring(
    accountId: string,
    from: Date,
    to: Date,
    spanDays: number,
    tags?: readonly string[],
  ): Promise<readonly Expiring[]> {
    const spanMs = spanDays * DAY_MS;
    const spans = new Map<number, Expiring>();
    for (const { autoRenew, expiresAt, status } of this.ofAccount(accountId, tags)) {
      if (status !== 'active' || expiresAt < from || expiresAt >= to) continue;
      const begin = from.getTime() + Math.floor((expiresAt.getTime() - from.getTime()) / spanMs) * spanMs;
      const { renewing, ending } = spans.get(begin) ?? { renewing: 0, ending: 0 };
      spans.set(begin, {
        from: new Date(begin),
        renewing: renewing + Number(autoRenew),
        ending: ending + Number(!autoRenew),
      });
    }
    return [...spans.values()].toSorted((left, right) => left.from.getTime() - right.from.getTime());
  }

  async ending(
    accountId: string,
    to: Date,
    limit: number,
    deletion?: UnrenewedDeletion,
    tags?: readonly string[],
  ): Promise<readonly DomainState[]> {
    return this.ofAccount(accountId, tags)
      .filter(
        (domain) =>
          domain.status === 'active' &&
          !domain.autoRenew &&
          domain.expiresAt < to &&
          (!deletion || isDeleted(domain, deletion)),
      )
      .toSorted((left, right) => left.expiresAt.getTime() - right.expiresAt.getTime())
      .slice(0, limit);
  }

  async renewing(accountId: string, from: Date, to: Date, limit: number): Promise<readonly RenewingDomain[]> {
    return this.ofAccount(accountId)
      .filter(
        ({ autoRenew, expiresAt, status }) => status === 'active' && autoRenew && expiresAt >= from && expiresAt < to,
      )
      .toSorted((left, right) => left.expiresAt.getTime() - right.expiresAt.getTime())
      .slice(0, limit)
      .map(({ id, name, status, expiresAt }) => ({ id, name, status, expiresAt }));
  }

  async leaving(accountId: string, limit: number, tags?: readonly string[]): Promise<readonly DomainState[]> {
    return this.ofAccount(accountId, tags)
      .filter(({ transferPending }) => transferPending)
      .toSorted((left, right) => deadline(left) - deadline(right) || compareTexts(left.id, right.id))
      .slice(0, limit);
  }

  async names(
    accountId: string,
    ids: readonly string[],
    tags?: readonly string[],
  ): Promise<ReadonlyMap<string, string>> {
    return new Map(this.ofAccount(accountId, tags).flatMap(({ id, name }) => (ids.includes(id) ? [[id, name]] : [])));
  }

  async newest(accountId: string, limit: number): Promise<readonly DomainState[]> {
    return inOrder(this.ofAccount(accountId).filter(({ status }) => STATUSES_OF.domains.includes(status)))
      .toReversed()
      .slice(0, limit);
  }

  private ofAccount(accountId: string, tags?: readonly string[]): DomainState[] {
    return [...this.committed().domains.values()].filter(
      (domain) =>
        domain.accountId === accountId &&
        domain.status !== 'gone' &&
        (tags?.some((tag) => domain.tags.includes(tag)) ?? true),
    );
  }
}

/** An unknown deadline comes first. */
function deadline({ transferEndsAt }: DomainState): number {
  return transferEndsAt?.getTime() ?? 0;
}

export function hasTerms(domain: DomainState, conditions: readonly TermCondition[]): boolean {
  const own = termsOf(domain);
  return conditions.every(({ anyOf, not = false }) => anyOf.some((term) => own.includes(term)) !== not);
}

function isDeleted(
  { name, registrarRenews, createdAt, expiresAt }: DomainState,
  { days, suffixes }: UnrenewedDeletion,
): boolean {
  const suffix = name.slice(name.indexOf('.') + 1);
  return registrarRenews && createdAt < addDays(expiresAt, -days) && suffixes.includes(suffix);
}
