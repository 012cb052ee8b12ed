import { hash } from 'node:crypto';
import { inject, injectable } from '../../ports/inject';
import { SERVICE } from '../../../domain/access/actor';
import { RateLimitExceeded, TooManyApiKeys } from '../../../domain/access/access-errors';
import { ApiKey, includesScope, MAX_ACTIVE_KEYS, type ApiKeyToken, type Scope } from '../../../domain/access/api-key';
import { unmetClaim, type TrustRule } from '../../../domain/access/trust/trust-rule';
import { ServiceError } from '../../../domain/shared/service-error';
import { keyChanged } from '../../audit/access-audit';
import { KeyGenerator } from '../../ports/access/accounts-and-api-keys';
import { JobTokens, TokenRefused, type JobToken, TrustRuleReader } from '../../ports/access/trust-rules';
import { AccountRateLimiter, type RateLimiter } from '../../ports/access/rate-limits-and-usage';
import { UnitOfWork, type Stores } from '../../ports/storage/unit-of-work';
import { Clock } from '../../ports/system';
import { assertWithinIssuer } from '../api-keys/assert-within-issuer';
import type { IssuedKey } from '../api-keys/issue-api-key';

const COST = 5;
const MAX_SUBJECT = 254;

type ExchangeStore = 'accounts' | 'apiKeys' | 'audit' | 'trustRules' | 'usedTokens' | 'users';

interface ExchangeCommand {
  readonly ruleId: string;
  readonly token: string;
  /** Default: the rule's. */
  readonly scope?: Scope | undefined;
}

/** No rule has the id. */
export class UnknownTrustRule extends Error {
  override readonly name = 'UnknownTrustRule';
}

/** The rule is for a lower scope. */
export class ScopeNotGranted extends Error {
  override readonly name = 'ScopeNotGranted';
}

/**
 * Issues an API key of a few minutes for the token of a job that meets a trust rule (RFC 8693). A token gets one key.
 * @throws UnknownTrustRule, TokenRefused, ScopeNotGranted, IssuerUnavailable, TooManyApiKeys, RateLimitExceeded
 */
@injectable()
export class ExchangeToken {
  constructor(
    @inject(UnitOfWork) private readonly unitOfWork: UnitOfWork<ExchangeStore>,
    @inject(TrustRuleReader) private readonly rules: TrustRuleReader,
    @inject(JobTokens) private readonly tokens: JobTokens,
    @inject(KeyGenerator) private readonly generator: KeyGenerator,
    @inject(AccountRateLimiter) private readonly limiter: RateLimiter<'account'>,
    @inject(Clock) private readonly clock: Clock,
  ) {}

  async execute({ ruleId, token: text, scope }: ExchangeCommand): Promise<IssuedKey> {
    const rule = await this.rules.find(ruleId);
    if (!rule) throw new UnknownTrustRule('client_id is not the id of a trust rule');
    const token = await this.tokens.verify(text, rule);
    const claim = unmetClaim(rule, token.claims);
    if (claim !== undefined) throw new TokenRefused(`the claim ${claim} of the token does not meet the trust rule`);
    if (scope && !includesScope(rule.scope, scope)) throw new ScopeNotGranted(`the trust rule is for ${rule.scope}`);
    const limit = await this.limiter.consume(rule.accountId, COST);
    if (limit?.exceeded) throw new RateLimitExceeded(limit.resetSeconds);
    const keyToken = this.generator.next();
    const granted = { ...rule, scope: scope ?? rule.scope };
    const key = await this.unitOfWork.run((stores) => this.issue(stores, granted, token, keyToken), rule.accountId);
    return { key, text: this.generator.textOf(keyToken) };
  }

  private async issue(
    stores: Pick<Stores, ExchangeStore>,
    granted: TrustRule,
    token: JobToken,
    keyToken: ApiKeyToken,
  ): Promise<ApiKey> {
    const { accounts, apiKeys, audit, trustRules, usedTokens } = stores;
    const { accountId, id, name, scope, limits, minutes, madeBy } = granted;
    await accounts.lock(accountId);
    const rule = await trustRules.lock(id);
    const now = this.clock.now();
    if (rule?.updatedAt.getTime() !== granted.updatedAt.getTime())
      throw new TokenRefused('the trust rule has just changed');
    const makersEnd = await expiryOfMaker(stores, granted, now);
    const end = new Date(now.getTime() + minutes * 60_000);
    const expiresAt = makersEnd && makersEnd < end ? makersEnd : end;
    const digest = hash('sha256', JSON.stringify(['job token', rule.issuer, token.id]));
    if (!(await usedTokens.use(digest, token.expiresAt)))
      throw new TokenRefused('the token has been used before (jti)');
    if ((await apiKeys.countActive(accountId, now)) >= MAX_ACTIVE_KEYS) throw new TooManyApiKeys(MAX_ACTIVE_KEYS);
    const key = ApiKey.issue(
      keyToken,
      { accountId, name, scope, createdBy: madeBy, expiresAt, limits: limits ?? undefined, trustRuleId: id },
      now,
    );
    await apiKeys.add(key);
    await trustRules.save({ ...rule, lastUsedAt: now });
    const tokenSubject = subjectOf(token);
    await audit.append(
      keyChanged({ at: now, actor: SERVICE, action: 'key.created', key: key.toState(), tokenSubject }),
    );
    return key;
  }
}

/** When the key with which the rule was made expires: its keys live no longer. @throws TokenRefused if who made the rule may not do so any more */
async function expiryOfMaker(
  { apiKeys, users }: Pick<Stores, 'apiKeys' | 'users'>,
  { accountId, madeBy, ...grant }: TrustRule,
  now: Date,
): Promise<Date | null> {
  if (madeBy.kind === 'key') {
    const maker = await apiKeys.lock(madeBy.id);
    if (!maker) throw new TokenRefused('the key that made the trust rule is not active any more');
    try {
      assertWithinIssuer(grant, maker, now);
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      throw new TokenRefused('the key that made the trust rule is not active or may do less', { cause: error });
    }
    return maker.expiresAt;
  }
  const maker = madeBy.kind === 'user' ? await users.lock(madeBy.id) : undefined;
  if (maker?.toState().accountId !== accountId || !maker.isOwner)
    throw new TokenRefused('who made the trust rule is not an owner of the account any more');
  return null;
}

function subjectOf({ claims: { sub } }: JobToken): string | undefined {
  return typeof sub === 'string' ? sub.replace(/\p{Cc}/gu, '').slice(0, MAX_SUBJECT) : undefined;
}
