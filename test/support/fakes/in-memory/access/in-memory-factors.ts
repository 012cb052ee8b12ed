import type {
  FactorReader,
  FactorRepository,
  Factors,
  Totp,
} from '../../../../../src/application/ports/access/authentication';
import type { Passkey } from '../../../../../src/domain/access/factors/passkey';
import type { Tables } from '../tables';

function factorsOf({ totps, passkeys, recoveryCodes }: Tables, userId: string): Factors {
  return {
    totp: totps.get(userId),
    passkeys: [...passkeys.values()]
      .filter((passkey) => passkey.userId === userId)
      .toSorted((a, b) => a.createdAt.getTime() - b.createdAt.getTime()),
    recoveryCodes: [...recoveryCodes.values()].filter((owner) => owner === userId).length,
  };
}

export class InMemoryFactorReader implements FactorReader {
  constructor(private readonly committed: () => Tables) {}

  async ofUser(userId: string): Promise<Factors> {
    return factorsOf(this.committed(), userId);
  }

  async passkey(id: string): Promise<Passkey | undefined> {
    return this.committed().passkeys.get(id);
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

  async addPasskey(passkey: Passkey): Promise<boolean> {
    if (this.tables.passkeys.has(passkey.id)) return false;
    this.tables.passkeys.set(passkey.id, passkey);
    return true;
  }

  async recordPasskeyUse({ id, counter: former }: Passkey, counter: number, at: Date): Promise<boolean> {
    const stored = this.tables.passkeys.get(id);
    if (stored?.counter !== former) return false;
    this.tables.passkeys.set(id, { ...stored, counter, lastUsedAt: at });
    return true;
  }

  async removePasskey(userId: string, id: string): Promise<boolean> {
    return this.tables.passkeys.get(id)?.userId === userId && this.tables.passkeys.delete(id);
  }

  async removeAll(userId: string): Promise<void> {
    await this.removeTotp(userId);
    for (const { id } of factorsOf(this.tables, userId).passkeys) this.tables.passkeys.delete(id);
    await this.replaceRecoveryCodes(userId, []);
  }
}
