import { inject, injectable } from '../../ports/inject';
import type { Reader, Requester } from '../../../domain/access/actor';
import { assertActionAllowed, assertWholeAccountAllowed } from '../../../domain/access/key-permissions';
import { TooManyTrustRules, TrustRuleNotFound } from '../../../domain/access/trust/trust-errors';
import {
  MAX_TRUST_RULES,
  parseTrustRule,
  type GivenTrustRule,
  type TrustRule,
  type TrustRuleSettings,
} from '../../../domain/access/trust/trust-rule';
import { keyChanged, trustRuleChanged } from '../../audit/access-audit';
import { JobTokens, TrustRuleReader } from '../../ports/access/trust-rules';
import { UnitOfWork, type HookStore, type Stores, type TransactionHook } from '../../ports/storage/unit-of-work';
import { Clock, IdGenerator } from '../../ports/system';
import { lockAsOwner } from '../users/lock-as-owner';
import { assertWithinIssuer } from '../api-keys/assert-within-issuer';

type RuleStore = 'accounts' | 'apiKeys' | 'audit' | 'trustRules' | 'users' | HookStore;

/**
 * Creates, changes, removes and lists the trust rules of an account. Who makes a rule cannot grant more than they have.
 * @throws LimitedKey for a key that is not for the whole account, InsufficientScope, RoleForbids
 */
@injectable()
export class ManageTrustRules {
  constructor(
    @inject(UnitOfWork) private readonly unitOfWork: UnitOfWork<RuleStore>,
    @inject(TrustRuleReader) private readonly rules: TrustRuleReader,
    @inject(JobTokens) private readonly tokens: JobTokens,
    @inject(IdGenerator) private readonly ids: IdGenerator,
    @inject(Clock) private readonly clock: Clock,
  ) {}

  /** Oldest first. */
  async list(reader: Reader): Promise<readonly TrustRule[]> {
    assertMayManage(reader);
    return this.rules.ofAccount(reader.accountId);
  }

  /** @throws TrustRuleNotFound */
  async find(reader: Reader, id: string): Promise<TrustRule> {
    assertMayManage(reader);
    const rule = await this.rules.find(id);
    if (rule?.accountId !== reader.accountId) throw new TrustRuleNotFound();
    return rule;
  }

  /** @throws ValidationError, TooManyTrustRules */
  async create(requester: Requester, given: GivenTrustRule, hook?: TransactionHook<TrustRule>): Promise<TrustRule> {
    assertMayManage(requester);
    const { accountId, actor } = requester;
    const settings = parseTrustRule(given, this.tokens);
    const now = this.clock.now();
    const times = { createdAt: now, updatedAt: now, lastUsedAt: null };
    const rule: TrustRule = { ...settings, id: this.ids.next('tru'), accountId, madeBy: actor, ...times };
    return this.unitOfWork.run(async (stores) => {
      await this.lock(stores, requester, settings);
      if ((await stores.trustRules.count(accountId)) >= MAX_TRUST_RULES) throw new TooManyTrustRules(MAX_TRUST_RULES);
      await stores.trustRules.add(rule);
      await stores.audit.append(trustRuleChanged({ at: now, actor, action: 'trust_rule.created', after: rule }));
      await hook?.(stores, rule);
      return rule;
    }, accountId);
  }

  /** Revokes the keys that jobs got by the former rule. @throws ValidationError, TrustRuleNotFound */
  async change(
    requester: Requester,
    id: string,
    given: GivenTrustRule,
    hook?: TransactionHook<TrustRule>,
  ): Promise<TrustRule> {
    assertMayManage(requester);
    const { actor } = requester;
    const settings = parseTrustRule(given, this.tokens);
    return this.unitOfWork.run(async (stores) => {
      await this.lock(stores, requester, settings);
      const before = await lockRule(stores, requester, id);
      const now = this.clock.now();
      const after: TrustRule = { ...before, ...settings, madeBy: actor, updatedAt: now };
      await stores.trustRules.save(after);
      await stores.audit.append(trustRuleChanged({ at: now, actor, action: 'trust_rule.changed', before, after }));
      await revokeKeys(stores, requester, id, now);
      await hook?.(stores, after);
      return after;
    }, requester.accountId);
  }

  /** Revokes the keys that jobs got by it. @throws TrustRuleNotFound */
  async remove(requester: Requester, id: string, hook?: TransactionHook<TrustRule>): Promise<TrustRule> {
    assertMayManage(requester);
    const { actor } = requester;
    return this.unitOfWork.run(async (stores) => {
      await lockAsOwner(stores, requester);
      const before = await lockRule(stores, requester, id);
      const now = this.clock.now();
      await stores.trustRules.remove(id);
      await stores.audit.append(trustRuleChanged({ at: now, actor, action: 'trust_rule.removed', before }));
      await revokeKeys(stores, requester, id, now);
      await hook?.(stores, before);
      return before;
    }, requester.accountId);
  }

  private async lock(
    stores: Pick<Stores, RuleStore>,
    requester: Requester,
    grant: Pick<TrustRuleSettings, 'scope' | 'limits'>,
  ): Promise<void> {
    await lockAsOwner(stores, requester);
    const { actor } = requester;
    const issuer = actor.kind === 'key' ? await stores.apiKeys.lock(actor.id) : undefined;
    if (issuer) assertWithinIssuer(grant, issuer, this.clock.now());
  }
}

function assertMayManage({ actor }: Reader): void {
  assertActionAllowed(actor, 'settings');
  assertWholeAccountAllowed(actor);
}

async function lockRule(
  { trustRules }: Pick<Stores, 'trustRules'>,
  { accountId }: Requester,
  id: string,
): Promise<TrustRule> {
  const rule = await trustRules.lock(id);
  if (rule?.accountId !== accountId) throw new TrustRuleNotFound();
  return rule;
}

async function revokeKeys(
  { apiKeys, audit }: Pick<Stores, 'apiKeys' | 'audit'>,
  { accountId, actor }: Requester,
  ruleId: string,
  now: Date,
): Promise<void> {
  for (const key of await apiKeys.lockActiveOfRule(accountId, ruleId, now)) {
    key.revoke(now);
    await apiKeys.save(key);
    await audit.append(keyChanged({ at: now, actor, action: 'key.revoked', key: key.toState() }));
  }
}
