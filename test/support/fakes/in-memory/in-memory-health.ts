import type {
  CheckedDomain,
  DomainToCheck,
  HealthReader,
  HealthRepository,
} from '../../../../src/application/ports/health/health-repository';
import type { HealthState } from '../../../../src/domain/health/health-check';
import type { HealthReport } from '../../../../src/domain/health/health-report';
import { compareTexts } from './in-order';
import type { Tables } from './tables';

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

  async walk(limit: number, afterId = ''): Promise<readonly DomainToCheck[]> {
    const { domains, health } = this.committed();
    return [...domains.values()]
      .filter(({ id, status }) => id > afterId && status !== 'gone' && status !== 'transferred_out')
      .toSorted((one, other) => compareTexts(one.id, other.id))
      .slice(0, limit)
      .map(({ id, accountId }) => ({ id, accountId, checkedAt: health.get(id)?.checkedAt ?? null }));
  }
}

export class InMemoryHealthRepository implements HealthRepository {
  constructor(private readonly tables: Tables) {}

  async save(checked: readonly CheckedDomain[]): Promise<void> {
    for (const { domainId, report } of checked)
      if (this.tables.domains.has(domainId)) this.tables.health.set(domainId, report);
  }
}
