import type {
  AccountReader,
  AccountRepository,
  ApiKeyFilter,
  ApiKeyReader,
  ApiKeyRepository,
} from '../../../../../src/application/ports/access/accounts-and-api-keys';
import type { Account } from '../../../../../src/domain/access/account';
import type { Actor } from '../../../../../src/domain/access/actor';
import type { ListPosition } from '../../../../../src/application/ports/storage/page';
import { ApiKey, type ApiKeyState } from '../../../../../src/domain/access/api-key';
import { runCooperatively } from '../../../../../src/application/shared/run-cooperatively';
import { keysCreatedBy } from '../../../../../src/domain/access/created-keys';
import { inOrder } from '../in-order';
import type { Tables } from '../tables';

export class InMemoryAccountReader implements AccountReader {
  constructor(private readonly committed: () => Tables) {}

  async find(id: string): Promise<Account | undefined> {
    return this.committed().accounts.get(id);
  }

  async all(): Promise<readonly Account[]> {
    return inOrder(this.committed().accounts.values());
  }
}

export class InMemoryAccountRepository implements AccountRepository {
  constructor(private readonly tables: Tables) {}

  async add(account: Account): Promise<void> {
    if (this.tables.accounts.has(account.id)) throw new Error(`there is an account ${account.id} already`);
    this.tables.accounts.set(account.id, account);
  }

  async save(account: Account): Promise<void> {
    this.tables.accounts.set(account.id, account);
  }

  async lock(id: string): Promise<Account | undefined> {
    return this.tables.accounts.get(id);
  }
}

export class InMemoryApiKeyReader implements ApiKeyReader {
  constructor(private readonly committed: () => Tables) {}

  async find(keyId: string): Promise<ApiKey | undefined> {
    const { apiKeys, accounts } = this.committed();
    const state = apiKeys.get(keyId);
    const approvalRules = state && accounts.get(state.accountId)?.approvalRules;
    return state && ApiKey.fromState({ ...state, ...(approvalRules && { approvalRules }) });
  }

  async ofAccount(accountId: string): Promise<readonly ApiKey[]> {
    const owned = [...this.committed().apiKeys.values()].filter((key) => key.accountId === accountId);
    return inOrder(owned.map((key) => ({ ...key, id: key.keyId }))).map(({ id: _id, ...key }) => ApiKey.fromState(key));
  }

  async page(
    accountId: string,
    { activeAt, inactiveAt }: ApiKeyFilter,
    limit: number,
    after?: ListPosition,
  ): Promise<readonly ApiKey[]> {
    const keys = (await this.ofAccount(accountId)).toReversed().filter((key) => {
      const state = key.toState();
      const isLater =
        after !== undefined &&
        (state.createdAt > after.createdAt ||
          (state.createdAt.getTime() === after.createdAt.getTime() && state.keyId >= after.id));
      return !isLater && !(activeAt && !isActive(state, activeAt)) && !(inactiveAt && isActive(state, inactiveAt));
    });
    return keys.slice(0, limit);
  }

  async *expiring(after: Date, until: Date): AsyncIterable<readonly ApiKey[]> {
    yield [...this.committed().apiKeys.values()]
      .map((state) => ApiKey.fromState(state))
      .filter((key) => key.status(after) === 'active' && key.expiresAt && key.expiresAt <= until);
  }
}

function isActive(state: ApiKeyState, now: Date): boolean {
  return ApiKey.fromState(state).status(now) === 'active';
}

export class InMemoryApiKeyRepository implements ApiKeyRepository {
  constructor(private readonly tables: Tables) {}

  async lock(keyId: string): Promise<ApiKey | undefined> {
    const state = this.tables.apiKeys.get(keyId);
    return state && ApiKey.fromState(state);
  }

  async lockCreatedBy(accountId: string, creator: Actor): Promise<readonly ApiKey[]> {
    const keys = await new InMemoryApiKeyReader(() => this.tables).ofAccount(accountId);
    const created = await runCooperatively(keysCreatedBy(creator, keys));
    return created.filter((key) => key.toState().revokedAt === null);
  }

  async lockActiveOfRule(accountId: string, ruleId: string, now: Date): Promise<readonly ApiKey[]> {
    return [...this.tables.apiKeys.values()]
      .filter((key) => key.accountId === accountId && key.trustRuleId === ruleId && isActive(key, now))
      .map((key) => ApiKey.fromState(key));
  }

  async countActive(accountId: string, now: Date): Promise<number> {
    return [...this.tables.apiKeys.values()].filter((key) => key.accountId === accountId && isActive(key, now)).length;
  }

  async add(key: ApiKey): Promise<void> {
    const state = key.toState();
    if (this.tables.apiKeys.has(state.keyId)) throw new Error(`there is a key ${state.keyId} already`);
    this.tables.apiKeys.set(state.keyId, state);
  }

  async save(key: ApiKey): Promise<void> {
    const state = key.toState();
    const lastUsedAt = this.tables.apiKeys.get(state.keyId)?.lastUsedAt ?? null;
    this.tables.apiKeys.set(state.keyId, { ...state, lastUsedAt });
  }

  async markUsed(uses: ReadonlyMap<string, Date>): Promise<void> {
    for (const [keyId, at] of uses) {
      const state = this.tables.apiKeys.get(keyId);
      if (state && !(state.lastUsedAt && state.lastUsedAt >= at))
        this.tables.apiKeys.set(keyId, { ...state, lastUsedAt: at });
    }
  }
}
