import type {
  DomainFilter,
  DomainReader,
  DomainRepository,
  ListedDomain,
  NamedDomain,
  WantedDomain,
} from '../../../../../src/application/ports/registration/domain-repository';
import type { ListPosition, Page } from '../../../../../src/application/ports/storage/page';
import { nameserverTerm, termsOf } from '../../../../../src/domain/portfolio/domain-terms';
import { Domain, type DomainState } from '../../../../../src/domain/registration/domain';
import type { DomainName } from '../../../../../src/domain/shared/domain-name';
import { DomainUnavailable } from '../../../../../src/domain/registration/registration-errors';
import { toUnicodeName } from '../../../../../src/domain/shared/idna';
import { hasTerms } from './in-memory-domain-queries';
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
    { status, statuses, updatedSince, nameContains = '', names, terms = [] }: DomainFilter,
    limit: number,
    after?: ListPosition,
  ): Promise<Page<ListedDomain, ListPosition>> {
    const matching = this.visibleTo(accountId).filter(
      (domain) =>
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
    return [...this.committed().domains.values()].filter((domain) => lives(domain) && names.includes(domain.name));
  }

  async nameserversAmong(hosts: readonly string[]): Promise<readonly string[]> {
    return nameserversAmong(this.committed(), hosts);
  }

  async livePage(limit: number, afterId = ''): Promise<readonly DomainState[]> {
    return [...this.committed().domains.values()]
      .filter((domain) => lives(domain) && domain.id > afterId)
      .toSorted((one, other) => (one.id < other.id ? -1 : 1))
      .slice(0, limit);
  }

  async nextDueAt(): Promise<Date | undefined> {
    return this.dated()[0]?.dueAt;
  }

  /** Those that wait longest first. */
  private dated(): readonly (DomainState & { readonly dueAt: Date })[] {
    const dated = [...this.committed().domains.values()].flatMap((state) =>
      state.dueAt && state.status !== 'gone' ? [{ ...state, dueAt: state.dueAt }] : [],
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

  async lock(accountId: string, id: string): Promise<Domain | undefined> {
    const domain = await this.lockAny(id);
    return domain?.toState().accountId === accountId ? domain : undefined;
  }

  async lockAny(id: string): Promise<Domain | undefined> {
    const state = this.tables.domains.get(id);
    return state?.status === 'gone' ? undefined : restored(state);
  }

  async lockByName({ value }: DomainName): Promise<Domain | undefined> {
    return restored([...this.tables.domains.values()].find((domain) => domain.name === value && lives(domain)));
  }

  /** Units of work run one after another, so no lock is needed. */
  async lockIfFree(id: string): Promise<Domain | undefined> {
    return restored(this.tables.domains.get(id));
  }

  async add(domain: Domain): Promise<void> {
    const state = domain.toState();
    const rivals = [...this.tables.domains.values()].filter((other) => other.name === state.name);
    if (lives(state) && rivals.some(lives)) throw new DomainUnavailable();
    this.tables.domains.set(state.id, state);
  }

  async save(domain: Domain): Promise<void> {
    this.tables.domains.set(domain.id, domain.toState());
  }
}

function restored(state: DomainState | undefined): Domain | undefined {
  return state && Domain.fromState(state);
}

function lives({ status }: DomainState): boolean {
  return status !== 'transferred_out' && status !== 'gone';
}
