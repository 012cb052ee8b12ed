import type { Actor } from '../access/actor';

/** The most names that one import takes. */
export const MAX_IMPORTED_NAMES = 10_000;

/** An import of names that the account at a registry holds into an account here. It changes nothing at the registry. */
export interface NameImport {
  readonly id: string;
  readonly accountId: string;
  readonly actor: Actor;
  /** The registry's name in the registries file. */
  readonly registry: string;
  /** `listing`: the registry is asked which names it holds. `failed`: it lists none. */
  readonly status: 'listing' | 'running' | 'finished' | 'failed';
  /** The cursor of the next page of the registry's list; null for the first. */
  readonly cursor: string | null;
  /** Why the import failed. */
  readonly error: string | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly finishedAt: Date | null;
}

/** `present`: the account has the name already. */
export type ImportedNameState = 'waiting' | 'imported' | 'present' | 'failed';

/** A name of an import, and what became of it. */
export interface ImportedName {
  readonly name: string;
  readonly state: ImportedNameState;
  /** How many calls the registry did not respond to. */
  readonly attempts: number;
  /** Why it failed. */
  readonly reason: string | null;
}

export type ImportCounts = Readonly<Record<ImportedNameState, number>>;

export function isImportFinished({ status }: Pick<NameImport, 'status'>): boolean {
  return status === 'finished' || status === 'failed';
}
