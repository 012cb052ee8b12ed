import { token } from '../inject';

/** What accounts have a daily quota for: bytes of zone history, and of responses kept for an Idempotency-Key. */
export type UsageKind = 'zone history' | 'stored responses';

export interface UsageEntry {
  readonly accountId: string;
  readonly kind: UsageKind;
  readonly bytes: number;
}

/** How many bytes accounts have used on each day, counted over all processes. @throws StorageUnavailable */
export interface DailyUsage {
  /** `day` is its first instant in UTC. */
  total(day: Date, accountId: string, kind: UsageKind): Promise<number>;
  /** All or none. */
  add(day: Date, entries: readonly UsageEntry[]): Promise<void>;
}
export const DailyUsage = token<DailyUsage>('DailyUsage');
