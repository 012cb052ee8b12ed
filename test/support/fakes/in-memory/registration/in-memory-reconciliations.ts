import type {
  FoundDifference,
  ReconciliationReader,
  ReconciliationRepository,
} from '../../../../../src/application/ports/registration/imports-and-reconciliation';
import type { Difference, Reconciliation } from '../../../../../src/domain/registrar/reconciliation';
import type { Tables } from '../tables';

export class InMemoryReconciliationRepository implements ReconciliationRepository {
  constructor(private readonly tables: Tables) {}

  async replace(reconciliation: Reconciliation, differences: readonly Difference[]): Promise<readonly Difference[]> {
    const before = this.tables.reconciliations.get(reconciliation.registry)?.differences ?? [];
    this.tables.reconciliations.set(reconciliation.registry, { reconciliation, differences });
    return differences.filter(({ name, kind }) => !before.some((each) => each.name === name && each.kind === kind));
  }
}

export class InMemoryReconciliationReader implements ReconciliationReader {
  constructor(private readonly tables: () => Tables) {}

  async latest(): Promise<readonly Reconciliation[]> {
    return [...this.tables().reconciliations.values()]
      .map(({ reconciliation }) => reconciliation)
      .toSorted((one, other) => (one.registry < other.registry ? -1 : 1));
  }

  async differences(
    accountId: string,
    registries: readonly string[],
    limit: number,
  ): Promise<readonly FoundDifference[]> {
    return [...this.tables().reconciliations]
      .flatMap(([registry, { differences }]) => differences.map((each) => ({ registry, ...each })))
      .filter((each) => each.accountId === accountId || (each.accountId === null && registries.includes(each.registry)))
      .toSorted((one, other) => (`${one.name} ${one.kind}` < `${other.name} ${other.kind}` ? -1 : 1))
      .slice(0, limit);
  }
}
