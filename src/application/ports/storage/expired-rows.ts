import { token } from '../inject';

/** What is removed by age alone; `before` is compared with the time that is named. */
export type AgingKind =
  /** Sealed results of operations that no request has fetched: their deadline. */
  | 'handovers'
  /** Responses kept for an Idempotency-Key: their expiry. */
  | 'stored responses'
  /** When they were opened. */
  | 'sessions by age'
  /** When they were last used. */
  | 'sessions by last use'
  /** Finished ones: when they finished, in the time in which domains live. */
  | 'operations'
  /** Ended ones: when they ended, in the time in which domains live. */
  | 'transfers'
  /** When it happened, in the time in which domains live. */
  | 'audit entries'
  /** When they happened, in the time in which domains live. */
  | 'events'
  /** Revoked ones: when they were revoked. */
  | 'API keys'
  /** Keys that were not revoked: when they expired. Reads all keys. */
  | 'expired API keys'
  /** That the account reads `zone.published`: when it last did. Keeps those of which a webhook is sent. Reads all feeds. */
  | 'unread publications'
  /** Keys that jobs got for their tokens: when they expired. */
  | 'keys of jobs'
  /** Finished bulk jobs with their items, which have the former registrants of domains: when they finished. */
  | 'bulk jobs'
  | 'proposals'
  /** Of names to other accounts: the end of their time to decide. */
  | 'account moves'
  /** Finished imports with their names: when they finished. */
  | 'imports'
  /** The usage that counts towards a daily quota: the start of its day. */
  | 'daily usage'
  /** Differences of signatures for IXFR: when they were made. */
  | 'signature changes'
  /** What keys with a limit on spend ordered: when. */
  | 'spending of keys'
  /** Former versions of the list of served zones: when they ended. */
  | 'catalog history'
  /** Challenges of passkeys that were used: when they expire. */
  | 'used challenges'
  /** Finished deliveries to webhooks: when they finished. */
  | 'webhook deliveries'
  /** Removed webhooks with their deliveries: when they were removed. */
  | 'removed webhooks'
  /** Messages of registries that were not processed: when they came. */
  | 'unprocessed messages'
  /** Mails that were sent or could not be: when that was. */
  | 'mails'
  /**
   * Of domains that are gone or transferred out: when they ended, in the time in which domains live. Erases the registrant
   * wherever it is stored; what was transferred out is gone from then on.
   */
  | 'personal data'
  /** The domains of which the personal data is erased, with zones and operations: when they ended. */
  | 'ended domains';

export interface Removal {
  /** Rows removed or erased, at most the limit. */
  readonly removed: number;
  /** Whether there may be more. */
  readonly more: boolean;
}

/** Each call is one short transaction and may be repeated; several processes may do the same at once. @throws StorageUnavailable */
export interface ExpiredRows {
  /** Removes rows of `kind` that are at least as old as `before`, the oldest first. */
  remove(kind: AgingKind, before: Date, limit: number): Promise<Removal>;
  /**
   * Removes former versions of zones: those older than `before`, but never the last `versions` of a zone, and never one
   * whose predecessor is kept. Continues after the end of the last call; `more` is false at the end of a pass over all zones.
   */
  removeZoneHistory(before: Date, versions: number, limit: number): Promise<Removal>;
}
export const ExpiredRows = token<ExpiredRows>('ExpiredRows');
