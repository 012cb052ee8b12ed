import type {
  NamedSigning,
  ZoneSigningReader,
  ZoneSigningRepository,
} from '../../../../../src/application/ports/dns/signing-repository';
import type { NamedDomain } from '../../../../../src/application/ports/registration/domain-repository';
import { ZoneSigning } from '../../../../../src/domain/dns/dnssec/zone-signing';
import { OperationInProgress } from '../../../../../src/domain/registration/registration-errors';
import type { Tables } from '../tables';

export class InMemoryZoneSigningReader implements ZoneSigningReader {
  constructor(private readonly committed: () => Tables) {}

  async find(domainId: string): Promise<ZoneSigning | undefined> {
    const state = this.committed().zoneSignings.get(domainId);
    return state && ZoneSigning.fromState(state);
  }

  async due(now: Date, limit: number): Promise<readonly NamedDomain[]> {
    const { domains, zoneSignings } = this.committed();
    return [...zoneSignings.values()]
      .filter(({ dueAt }) => dueAt <= now)
      .toSorted((left, right) => left.dueAt.getTime() - right.dueAt.getTime())
      .map(({ domainId }) => ({ id: domainId, name: domains.get(domainId)?.name ?? '' }))
      .slice(0, limit);
  }

  async nextDueAt(): Promise<Date | undefined> {
    const times = [...this.committed().zoneSignings.values()]
      .filter(({ serial, operationId }) => serial === null && operationId === null)
      .map(({ dueAt }) => dueAt.getTime());
    return times.length === 0 ? undefined : new Date(Math.min(...times));
  }

  async page(limit: number, after = ''): Promise<readonly NamedSigning[]> {
    const { domains, zoneSignings } = this.committed();
    return [...zoneSignings.values()]
      .map((state) => ({ name: domains.get(state.domainId)?.name ?? '', signing: ZoneSigning.fromState(state) }))
      .filter(({ name }) => name > after)
      .toSorted((one, other) => (one.name < other.name ? -1 : 1))
      .slice(0, limit);
  }

  async findByName(name: string): Promise<ZoneSigning | undefined> {
    const domain = [...this.committed().domains.values()].find(
      (each) => each.name === name && each.status !== 'gone' && each.status !== 'transferred_out',
    );
    return domain && this.find(domain.id);
  }

  async any(): Promise<boolean> {
    return this.committed().zoneSignings.size > 0;
  }
}

export class InMemoryZoneSigningRepository implements ZoneSigningRepository {
  constructor(private readonly tables: Tables) {}

  async lock(domainId: string): Promise<ZoneSigning | undefined> {
    const state = this.tables.zoneSignings.get(domainId);
    return state && ZoneSigning.fromState(state);
  }

  async lockIfFree(domainId: string): Promise<ZoneSigning | undefined> {
    return this.lock(domainId);
  }

  async add(signing: ZoneSigning): Promise<void> {
    if (this.tables.zoneSignings.has(signing.domainId)) throw new OperationInProgress('DNSSEC is being switched on');
    this.tables.zoneSignings.set(signing.domainId, signing.toState());
  }

  async save(signing: ZoneSigning): Promise<void> {
    this.tables.zoneSignings.set(signing.domainId, signing.toState());
  }

  async remove(domainId: string): Promise<void> {
    this.tables.zoneSignings.delete(domainId);
  }
}
