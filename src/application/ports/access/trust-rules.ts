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

/** A token that was verified: its issuer signed it, for this audience, and it has not expired. */
export interface JobToken {
  readonly claims: Readonly<Record<string, unknown>>;
  /** `jti`: it must not be accepted twice. */
  readonly id: string;
  /** Until then, it has to be remembered. */
  readonly expiresAt: Date;
}

/** The token does not get a key. The message says why, and quotes nothing that its sender does not know. */
export class TokenRefused extends Error {
  override readonly name = 'TokenRefused';
}

/** The keys of the issuer could not be fetched. */
export class IssuerUnavailable extends Error {
  override readonly name = 'IssuerUnavailable';
}

/** Verifies the tokens (JWT) that issuers such as GitHub and GitLab give to jobs. Issuers are contacted under the rules of webhooks' receivers. */
export interface JobTokens {
  /** Whether issuers without TLS are permitted, within the operator's networks. */
  readonly allowsHttp: boolean;
  /** Says nothing about claims other than those of RFC 7519. @throws TokenRefused, IssuerUnavailable */
  verify(token: string, rule: Pick<TrustRule, 'issuer' | 'audience'>): Promise<JobToken>;
}
export const JobTokens = token<JobTokens>('JobTokens');
