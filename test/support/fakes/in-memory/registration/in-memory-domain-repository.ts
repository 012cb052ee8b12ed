import {
  STATUSES_OF,
  type DomainFilter,
  type DomainReader,
  type DomainRepository,
  type ListedDomain,
  type NamedDomain,
  type UnregisteredName,
  type WantedDomain,
} from '../../../../../src/application/ports/registration/domain-repository';
import type { ListPosition, Page } from '../../../../../src/application/ports/storage/page';
import type { NameNeighbors } from '../../../../../src/domain/dns/zone-names/zone-ownership';
import { nameserverTerm, termsOf } from '../../../../../src/domain/portfolio/domain-terms';
import { SERVICE } from '../../../../../src/domain/access/actor';
import { Domain, type DomainState } from '../../../../../src/domain/registration/domain';
import { isHosted, isUnregistered, leavesAccount } from '../../../../../src/domain/registration/domain-status';
import { parentsOf, type DomainName } from '../../../../../src/domain/shared/domain-name';
import { DomainUnavailable } from '../../../../../src/domain/registration/registration-errors';
import { toUnicodeName } from '../../../../../src/domain/shared/idna';
import { hasTerms } from './in-memory-domain-queries';
import { goneKey } from './in-memory-desired-states';
import { inOrder, pageOf } from '../in-order';
import type { Tables } from '../tables';

function nameserversAmong({ domains }: Tables, hosts: readonly string[]): readonly string[] {
  const used = new Set([...domains.values()].flatMap(termsOf));
  return hosts.filter((host) => used.has(nameserverTerm(host)));
}

export class InMemoryDomainReader implements DomainReader {
  constructor(private readonly committed: () => Tables) {}

  async find(accountId: string, id: string): Promise<Domain | undefined> {
    return restored(this.visibleTo(accountId).find((domain) => domain.id === id));
  }

  async findByName(accountId: string, name: DomainName): Promise<Domain | undefined> {
    const namesakes = inOrder(this.visibleTo(accountId).filter((domain) => domain.name === name.value));
    return restored(namesakes.find(lives) ?? namesakes.at(-1));
  }

  async page(
    accountId: string,
    { of = 'domains', status, statuses, updatedSince, nameContains = '', names, terms = [] }: DomainFilter,
    limit: number,
    after?: ListPosition,
  ): Promise<Page<ListedDomain, ListPosition>> {
    const matching = this.visibleTo(accountId).filter(
      (domain) =>
        STATUSES_OF[of].includes(domain.status) &&
        (status === undefined || domain.status === status) &&
        (statuses?.includes(domain.status) ?? true) &&
        (!updatedSince || domain.updatedAt >= updatedSince) &&
        (names?.includes(domain.name) ?? true) &&
        hasTerms(domain, terms) &&
        (domain.name.includes(nameContains) || toUnicodeName(domain.name)?.includes(nameContains) === true),
    );
    const found = pageOf(matching, limit + 1, after);
    const items = found.slice(0, limit);
    return { items, next: found.length > limit ? items.at(-1) : undefined };
  }

  async findEvenGone(accountId: string, id: string): Promise<Domain | undefined> {
    const state = this.committed().domains.get(id);
    return state?.accountId === accountId ? restored(state) : undefined;
  }

  async due(now: Date, limit: number): Promise<readonly NamedDomain[]> {
    return this.dated()
      .filter(({ dueAt }) => dueAt <= now)
      .slice(0, limit)
      .map(({ id, name }) => ({ id, name }));
  }

  async liveAmong(names: readonly string[]): Promise<readonly DomainState[]> {
    return (await this.zonesAmong(names)).filter(({ status }) => !isHosted(status));
  }

  async zonesAmong(names: readonly string[]): Promise<readonly DomainState[]> {
    return zonesAmong(this.committed(), names);
  }

  async zonesBelow(accountId: string, name: string): Promise<readonly DomainState[]> {
    return zonesBelow(this.committed(), accountId, name);
  }

  async nameserversAmong(hosts: readonly string[]): Promise<readonly string[]> {
    return nameserversAmong(this.committed(), hosts);
  }

  async livePage(limit: number, afterId = ''): Promise<readonly DomainState[]> {
    return [...this.committed().domains.values()]
      .filter((domain) => lives(domain) && !isHosted(domain.status) && domain.id > afterId)
      .toSorted((one, other) => (one.id < other.id ? -1 : 1))
      .slice(0, limit);
  }

  async nextDueAt(): Promise<Date | undefined> {
    return this.dated()[0]?.dueAt;
  }

  async neighbors(name: string, accountId: string): Promise<NameNeighbors> {
    return neighborsIn(this.committed(), name, accountId);
  }

  async dueUnregistered(now: Date, limit: number): Promise<readonly UnregisteredName[]> {
    return [...this.committed().domains.values()]
      .flatMap(({ id, name, accountId, status, dueAt }) =>
        isUnregistered(status) && dueAt && dueAt <= now ? [{ id, name, accountId, status, dueAt }] : [],
      )
      .toSorted((one, other) => one.dueAt.getTime() - other.dueAt.getTime())
      .slice(0, limit)
      .map(({ dueAt: _dueAt, ...zone }) => zone);
  }

  /** Those that wait longest first. */
  private dated(): readonly (DomainState & { readonly dueAt: Date })[] {
    const dated = [...this.committed().domains.values()].flatMap((state) =>
      state.dueAt && !isUnregistered(state.status) ? [{ ...state, dueAt: state.dueAt }] : [],
    );
    return dated.toSorted((one, other) => one.dueAt.getTime() - other.dueAt.getTime());
  }

  private visibleTo(accountId: string): DomainState[] {
    return [...this.committed().domains.values()].filter(
      (domain) => domain.accountId === accountId && domain.status !== 'gone',
    );
  }
}

export class InMemoryDomainRepository implements DomainRepository {
  constructor(private readonly tables: Tables) {}

  async findEach(wanted: readonly WantedDomain[]): Promise<readonly (Domain | undefined)[]> {
    return Promise.all(wanted.map(({ accountId, domainId }) => this.lock(accountId, domainId)));
  }

  async nameserversAmong(hosts: readonly string[]): Promise<readonly string[]> {
    return nameserversAmong(this.tables, hosts);
  }

  async neighbors(name: string, accountId: string): Promise<NameNeighbors> {
    return neighborsIn(this.tables, name, accountId);
  }

  async zonesAmong(names: readonly string[]): Promise<readonly DomainState[]> {
    return zonesAmong(this.tables, names);
  }

  async zonesBelow(accountId: string, name: string): Promise<readonly DomainState[]> {
    return zonesBelow(this.tables, accountId, name);
  }

  async lockOwn(accountId: string, { value }: DomainName): Promise<Domain | undefined> {
    const own = [...this.tables.domains.values()].filter(
      (domain) =>
        domain.accountId === accountId && domain.name === value && (lives(domain) || domain.status === 'unverified'),
    );
    return restored(own.find(lives) ?? own[0]);
  }

  async lock(accountId: string, id: string): Promise<Domain | undefined> {
    const domain = await this.lockAny(id);
    return domain?.toState().accountId === accountId ? domain : undefined;
  }

  async lockAny(id: string): Promise<Domain | undefined> {
    const state = this.tables.domains.get(id);
    return state?.status === 'gone' ? undefined : restored(state);
  }

  async lockByName({ value }: DomainName): Promise<Domain | undefined> {
    const found = [...this.tables.domains.values()].filter((domain) => domain.name === value && lives(domain));
    return restored(found.find(({ status }) => status !== 'hosted') ?? found[0]);
  }

  async lockHosted({ value }: DomainName, accountId?: string): Promise<Domain | undefined> {
    const found = [...this.tables.domains.values()].filter(({ name, status }) => name === value && isHosted(status));
    return restored(
      found.find((each) => (accountId === undefined ? each.status === 'hosted' : each.accountId === accountId)),
    );
  }

  /** Units of work run one after another, so no lock is needed. */
  async lockIfFree(id: string): Promise<Domain | undefined> {
    return restored(this.tables.domains.get(id));
  }

  async scheduleBelow({ accountId, name }: Pick<DomainState, 'accountId' | 'name'>, dueAt: Date): Promise<void> {
    for (const state of this.tables.domains.values())
      if (state.accountId === accountId && state.status === 'hosted' && state.name.endsWith(`.${name}`))
        this.tables.domains.set(state.id, { ...state, dueAt });
  }

  async add(domain: Domain): Promise<void> {
    const state = domain.toState();
    const rivals = [...this.tables.domains.values()].filter((other) => liveNameOf(other) === liveNameOf(state));
    if (lives(state) && rivals.some(lives)) throw new DomainUnavailable();
    this.tables.domains.set(state.id, state);
  }

  async save(domain: Domain): Promise<void> {
    const state = domain.toState();
    const rivals = [...this.tables.domains.values()].filter(({ id, name }) => id !== state.id && name === state.name);
    if (lives(state) && rivals.some(lives)) throw new DomainUnavailable();
    const before = this.tables.domains.get(domain.id);
    if (before && leavesAccount(before, state)) this.tables.goneNames.set(goneKey(before), true);
    this.tables.domains.set(domain.id, state);
  }

  async saveMoved(domain: Domain): Promise<void> {
    await this.save(domain);
    const { accountId } = domain.toState();
    const { zoneDelegations, connectedServices, desiredStates, zones } = this.tables;
    const delegation = zoneDelegations.get(domain.id);
    if (delegation) zoneDelegations.set(domain.id, { ...delegation, accountId });
    for (const [id, service] of connectedServices)
      if (service.domainId === domain.id) connectedServices.set(id, { ...service, accountId, connectedBy: SERVICE });
    desiredStates.delete(domain.id);
    const { stateOwner: _former, ...zone } = zones.get(domain.id) ?? {};
    if ('version' in zone) zones.set(domain.id, { ...zone, historyFrom: zone.version });
  }
}

function neighborsIn(tables: Tables, name: string, accountId: string): NameNeighbors {
  const live = [...tables.domains.values()].filter(lives);
  const [closest] = live
    .filter((each) => parentsOf(name).includes(liveNameOf(each)))
    .toSorted((one, other) => other.name.length - one.name.length);
  const isBelow = (each: DomainState) =>
    isHosted(each.status) ? each.name.endsWith(`.${name}`) : parentsOf(each.name)[0] === name;
  return {
    above: closest && { id: closest.id, accountId: closest.accountId, name: closest.name },
    hasOthers: live.some((each) => each.accountId !== accountId && (each.name === name || isBelow(each))),
    hasOwnBelow: zonesBelow(tables, accountId, name).length > 0,
  };
}

function zonesAmong({ domains }: Tables, names: readonly string[]): readonly DomainState[] {
  return [...domains.values()].filter((domain) => lives(domain) && names.includes(domain.name));
}

function zonesBelow({ domains }: Tables, accountId: string, name: string): readonly DomainState[] {
  return [...domains.values()].filter(
    (zone) => zone.accountId === accountId && zone.status === 'hosted' && zone.name.endsWith(`.${name}`),
  );
}

function restored(state: DomainState | undefined): Domain | undefined {
  return state && Domain.fromState(state);
}

/** Until a registration is confirmed, another account may host the zone. */
function liveNameOf({ name, status, keptZone }: DomainState): string {
  return status === 'pending' && keptZone?.status !== 'hosted' ? `${name}.` : name;
}

function lives({ status }: DomainState): boolean {
  return !['unverified', 'transferred_out', 'gone'].includes(status);
}
