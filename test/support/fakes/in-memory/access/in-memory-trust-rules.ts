import type { TrustRuleReader, TrustRuleRepository } from '../../../../../src/application/ports/access/trust-rules';
import type { TrustRule } from '../../../../../src/domain/access/trust/trust-rule';
import type { Tables } from '../tables';

export class InMemoryTrustRuleReader implements TrustRuleReader {
  constructor(private readonly committed: () => Tables) {}

  async ofAccount(accountId: string): Promise<readonly TrustRule[]> {
    return [...this.committed().trustRules.values()]
      .filter((rule) => rule.accountId === accountId)
      .toSorted((one, other) => one.createdAt.getTime() - other.createdAt.getTime() || (one.id < other.id ? -1 : 1));
  }

  async find(id: string): Promise<TrustRule | undefined> {
    return this.committed().trustRules.get(id);
  }
}

export class InMemoryTrustRules implements TrustRuleRepository {
  constructor(private readonly tables: Tables) {}

  async lock(id: string): Promise<TrustRule | undefined> {
    return this.tables.trustRules.get(id);
  }

  async count(accountId: string): Promise<number> {
    return (await new InMemoryTrustRuleReader(() => this.tables).ofAccount(accountId)).length;
  }

  async add(rule: TrustRule): Promise<void> {
    this.tables.trustRules.set(rule.id, rule);
  }

  async save(rule: TrustRule): Promise<void> {
    this.tables.trustRules.set(rule.id, rule);
  }

  async remove(id: string): Promise<void> {
    this.tables.trustRules.delete(id);
  }
}
