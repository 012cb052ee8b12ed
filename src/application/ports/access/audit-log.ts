import { token } from '../inject';
import type { AuditAction, AuditEntry, AuditFact } from '../../../domain/access/audit-entry';
import type { ListPosition } from '../storage/page';

/** Within a unit of work: an entry is committed with the change that it describes, or not at all. Only the clean-up of expired rows changes or removes entries. */
export interface AuditLog {
  append(...facts: readonly AuditFact[]): Promise<void>;
}

export interface AuditFilter {
  readonly domainId?: string | undefined;
  /** As `actorText` writes it. */
  readonly actor?: string | undefined;
  readonly action?: AuditAction | undefined;
  readonly since?: Date | undefined;
  /** Only entries before it. */
  readonly before?: Date | undefined;
  /** By name, so that what became of earlier domains of that name is found, too. */
  readonly domainName?: string | undefined;
  /** Only entries about domains that have one of these tags now. */
  readonly tags?: readonly string[] | undefined;
}

export interface AuditSearch extends Omit<AuditFilter, 'domainName' | 'action'> {
  /** Only entries about domains of these names. */
  readonly domainNames?: readonly string[] | undefined;
  readonly actions?: readonly AuditAction[] | undefined;
  /** Only changes of records of this type. */
  readonly recordType?: string | undefined;
}

/** A part of what a search finds. */
export interface AuditFinds {
  /** Newest first. */
  readonly entries: readonly AuditEntry[];
  /** The search continues after this position; undefined at its end. */
  readonly searchedTo: ListPosition | undefined;
}

/** Reads committed state. */
export interface AuditReader {
  /** Newest first, starting after (older than) `after`, whose `createdAt` is an entry's `at`. */
  page(accountId: string, filter: AuditFilter, limit: number, after?: ListPosition): Promise<readonly AuditEntry[]>;
  /** As `page`, with several conditions. May return fewer entries, even none, with `searchedTo`, to bound what one call reads. */
  search(accountId: string, search: AuditSearch, limit: number, after?: ListPosition): Promise<AuditFinds>;
}
export const AuditReader = token<AuditReader>('AuditReader');
