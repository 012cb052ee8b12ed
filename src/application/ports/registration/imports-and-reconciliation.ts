import { token } from '../inject';
import type { ImportCounts, ImportedName, NameImport } from '../../../domain/registrar/name-import';
import type { Difference, Reconciliation } from '../../../domain/registrar/reconciliation';

/** Reads committed state. */
export interface ImportReader {
  find(accountId: string, id: string): Promise<NameImport | undefined>;
  /** Of the account, newest first. */
  latest(accountId: string, limit: number): Promise<readonly NameImport[]>;
  counts(id: string): Promise<ImportCounts>;
  /** Names that failed, in order of their names. */
  failures(id: string, limit: number): Promise<readonly ImportedName[]>;
  /** Names that wait, those with the fewest attempts first. */
  waiting(id: string, limit: number): Promise<readonly ImportedName[]>;
  /** Imports that are not finished: the oldest of each account at each registry, then the second of each, and so on. */
  unfinished(limit: number): Promise<readonly NameImport[]>;
}
export const ImportReader = token<ImportReader>('ImportReader');

/** Within a unit of work. */
export interface ImportRepository {
  add(added: NameImport): Promise<void>;
  /** Adds waiting names. Those that the import has already stay as they are. */
  addNames(id: string, names: readonly string[]): Promise<void>;
  save(changed: NameImport): Promise<void>;
  /** Stores the end of an import. Returns false, and changes nothing, if it has ended. */
  end(ended: NameImport): Promise<boolean>;
  /** Stores the outcome of a waiting name. Returns false, and changes nothing, if it no longer waits. */
  settle(id: string, settled: ImportedName): Promise<boolean>;
}

/** Reads committed state. */
export interface ReconciliationReader {
  /** The latest of each registry, in order of their names. */
  latest(): Promise<readonly Reconciliation[]>;
  /** Differences of the account's domains, and names missing here at `registries`, in order of their names. */
  differences(accountId: string, registries: readonly string[], limit: number): Promise<readonly FoundDifference[]>;
}
export const ReconciliationReader = token<ReconciliationReader>('ReconciliationReader');

export interface FoundDifference extends Difference {
  readonly registry: string;
}

/** Within a unit of work. */
export interface ReconciliationRepository {
  /** Replaces the registry's latest reconciliation and its differences. Returns those that the replaced one had not, by name and kind. */
  replace(reconciliation: Reconciliation, differences: readonly Difference[]): Promise<readonly Difference[]>;
}
