import type {
  ImportReader,
  ImportRepository,
} from '../../../../../src/application/ports/registration/imports-and-reconciliation';
import type { ImportCounts, ImportedName, NameImport } from '../../../../../src/domain/registrar/name-import';
import { inOrder, takingTurns } from '../in-order';
import type { Tables } from '../tables';

export class InMemoryImportRepository implements ImportRepository {
  constructor(private readonly tables: Tables) {}

  async add(added: NameImport): Promise<void> {
    this.tables.imports.set(added.id, added);
  }

  async addNames(id: string, names: readonly string[]): Promise<void> {
    const known = this.tables.importNames.get(id) ?? new Map<string, ImportedName>();
    const added = names.map((name): [string, ImportedName] => [
      name,
      known.get(name) ?? { name, state: 'waiting', attempts: 0, reason: null },
    ]);
    this.tables.importNames.set(id, new Map([...known, ...added]));
  }

  async save(changed: NameImport): Promise<void> {
    this.tables.imports.set(changed.id, changed);
  }

  async end(ended: NameImport): Promise<boolean> {
    if (this.tables.imports.get(ended.id)?.finishedAt !== null) return false;
    this.tables.imports.set(ended.id, ended);
    return true;
  }

  async settle(id: string, settled: ImportedName): Promise<boolean> {
    const names = this.tables.importNames.get(id);
    if (names?.get(settled.name)?.state !== 'waiting') return false;
    this.tables.importNames.set(id, new Map([...names, [settled.name, settled]]));
    return true;
  }
}

export class InMemoryImportReader implements ImportReader {
  constructor(private readonly tables: () => Tables) {}

  async find(accountId: string, id: string): Promise<NameImport | undefined> {
    const found = this.tables().imports.get(id);
    return found?.accountId === accountId ? found : undefined;
  }

  async latest(accountId: string, limit: number): Promise<readonly NameImport[]> {
    return inOrder(this.tables().imports.values())
      .filter((each) => each.accountId === accountId)
      .toReversed()
      .slice(0, limit);
  }

  async counts(id: string): Promise<ImportCounts> {
    const counts = { waiting: 0, imported: 0, present: 0, failed: 0 };
    for (const { state } of this.namesOf(id)) counts[state] += 1;
    return counts;
  }

  async failures(id: string, limit: number): Promise<readonly ImportedName[]> {
    return this.namesOf(id)
      .filter(({ state }) => state === 'failed')
      .slice(0, limit);
  }

  async waiting(id: string, limit: number): Promise<readonly ImportedName[]> {
    return this.namesOf(id)
      .filter(({ state }) => state === 'waiting')
      .toSorted((one, other) => one.attempts - other.attempts)
      .slice(0, limit);
  }

  async unfinished(limit: number): Promise<readonly NameImport[]> {
    const unfinished = [...this.tables().imports.values()].filter(({ finishedAt }) => finishedAt === null);
    return takingTurns(unfinished, ({ accountId, registry }) => `${accountId} ${registry}`).slice(0, limit);
  }

  private namesOf(id: string): readonly ImportedName[] {
    return [...(this.tables().importNames.get(id)?.values() ?? [])].toSorted((one, other) =>
      one.name < other.name ? -1 : 1,
    );
  }
}
