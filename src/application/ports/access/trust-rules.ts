import { token } from '../inject';
import type { TrustRule } from '../../../domain/access/trust/trust-rule';

/** Reads committed state. */
export interface TrustRuleReader {
  /** Oldest first. */
  ofAccount(accountId: string): Promise<readonly TrustRule[]>;
  /** Of any account. */
  find(id: string): Promise<TrustRule | undefined>;
}
export const TrustRuleReader = token<TrustRuleReader>('TrustRuleReader');

/** Within a unit of work. */
export interface TrustRuleRepository {
  lock(id: string): Promise<TrustRule | undefined>;
  /** The account must be locked for the number to stay true. */
  count(accountId: string): Promise<number>;
  add(rule: TrustRule): Promise<void>;
  save(rule: TrustRule): Promise<void>;
  remove(id: string): Promise<void>;
}
