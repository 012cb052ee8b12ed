import type {
  CheckedDomain,
  DomainToCheck,
  HealthChange,
  HealthReader,
  HealthRepository,
} from '../../../../../src/application/ports/health/health-repository';
import type { HealthState } from '../../../../../src/domain/health/health-check';
import type { HealthReport } from '../../../../../src/domain/health/health-report';
import type { Tables } from '../tables';

export class InMemoryHealthReader implements HealthReader {
  constructor(private readonly committed: () => Tables) {}

  async find(domainId: string): Promise<HealthReport | undefined> {
    return this.committed().health.get(domainId);
  }

  async statesOf(domainIds: readonly string[]): Promise<ReadonlyMap<string, HealthState>> {
    return new Map(
      [...this.committed().health].filter(([id]) => domainIds.includes(id)).map(([id, { state }]) => [id, state]),
    );
  }

  async due(latest: Date, limit: number): Promise<readonly DomainToCheck[]> {
    const { domains, health, postponedHealth } = this.committed();
    const checkedAt = ({ id }: DomainToCheck): number =>
      Math.max(health.get(id)?.checkedAt.getTime() ?? 0, postponedHealth.get(id)?.getTime() ?? 0);
    return [...domains.values()]
      .filter(({ status }) => status !== 'gone' && status !== 'transferred_out')
      .filter((domain) => checkedAt(domain) <= latest.getTime())
      .toSorted((one, other) => checkedAt(one) - checkedAt(other))
      .slice(0, limit)
      .map(({ id, accountId }) => ({ id, accountId }));
  }
}

export class InMemoryHealthRepository implements HealthRepository {
  constructor(private readonly tables: Tables) {}

  async save(checked: readonly CheckedDomain[]): Promise<readonly HealthChange[]> {
    return checked.flatMap(({ domainId: id, report: after }): HealthChange[] => {
      const domain = this.tables.domains.get(id);
      if (!domain) return [];
      const before = this.tables.health.get(id)?.state ?? null;
      this.tables.health.set(id, after);
      return [{ accountId: domain.accountId, domain: { id, name: domain.name }, before, after }];
    });
  }

  async postpone(domainId: string, at: Date): Promise<void> {
    this.tables.postponedHealth.set(domainId, at);
  }
}
