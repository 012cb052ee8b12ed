import type {
  FactorReader,
  FactorRepository,
  Factors,
  Totp,
} from '../../../../src/application/ports/access/factor-repository';
import type { Tables } from './tables';

function factorsOf({ totps, recoveryCodes }: Tables, userId: string): Factors {
  return {
    totp: totps.get(userId),
    recoveryCodes: [...recoveryCodes.values()].filter((owner) => owner === userId).length,
  };
}

export class InMemoryFactorReader implements FactorReader {
  constructor(private readonly committed: () => Tables) {}

  async ofUser(userId: string): Promise<Factors> {
    return factorsOf(this.committed(), userId);
  }
}

export class InMemoryFactorRepository implements FactorRepository {
  constructor(private readonly tables: Tables) {}

  async ofUser(userId: string): Promise<Factors> {
    return factorsOf(this.tables, userId);
  }

  async saveTotp(totp: Totp): Promise<void> {
    this.tables.totps.set(totp.userId, totp);
  }

  async removeTotp(userId: string): Promise<void> {
    this.tables.totps.delete(userId);
  }

  async replaceRecoveryCodes(userId: string, digests: readonly string[]): Promise<void> {
    for (const [digest, owner] of this.tables.recoveryCodes)
      if (owner === userId) this.tables.recoveryCodes.delete(digest);
    for (const digest of digests) this.tables.recoveryCodes.set(digest, userId);
  }

  async takeRecoveryCode(userId: string, digest: string): Promise<boolean> {
    return this.tables.recoveryCodes.get(digest) === userId && this.tables.recoveryCodes.delete(digest);
  }

  async removeAll(userId: string): Promise<void> {
    await this.removeTotp(userId);
    await this.replaceRecoveryCodes(userId, []);
  }
}
