import type {
  KnownTsigKey,
  SecondaryDirectory,
  TsigKeyFacts,
} from '../../../../../src/application/ports/dns/publishing';
import type { Secondary } from '../../../../../src/domain/dns/secondaries/secondary';
import type { TsigKey } from '../../../../../src/domain/dns/secondaries/tsig-key';
import { ValidationError } from '../../../../../src/domain/shared/validation-error';
import { compareTexts } from '../in-order';
import type { Tables, Transact } from '../tables';

export class InMemorySecondaryDirectory implements SecondaryDirectory {
  constructor(
    private readonly committed: () => Tables,
    private readonly transact: Transact,
  ) {}

  async keys(): Promise<readonly TsigKeyFacts[]> {
    const facts = [...this.committed().tsigKeys.values()].map(({ name, algorithm, createdAt, revokedAt }) => ({
      name,
      algorithm,
      createdAt,
      revokedAt,
    }));
    return facts.toSorted(byName);
  }

  async findKey(name: string): Promise<KnownTsigKey | undefined> {
    const { tsigKeys, secondaries } = this.committed();
    const key = tsigKeys.get(name);
    if (!key || key.revokedAt !== null) return undefined;
    return {
      name,
      algorithm: key.algorithm,
      secret: key.secret,
      isInUse: [...secondaries.values()].some(({ keyName }) => keyName === name),
    };
  }

  addKey(key: TsigKey, now: Date): Promise<void> {
    return this.transact(async ({ tsigKeys }) => {
      if (tsigKeys.has(key.name)) throw ValidationError.of('key', 'already exists');
      tsigKeys.set(key.name, { ...key, createdAt: now, revokedAt: null });
    });
  }

  revokeKey(name: string, now: Date): Promise<void> {
    return this.transact(async ({ tsigKeys }) => {
      const key = tsigKeys.get(name);
      if (!key) throw ValidationError.of('key', 'is not known');
      tsigKeys.set(name, { ...key, revokedAt: key.revokedAt ?? now });
    });
  }

  async all(): Promise<readonly Secondary[]> {
    return [...this.committed().secondaries.values()].toSorted(byName);
  }

  add(secondary: Secondary): Promise<void> {
    return this.transact(async (tables) => {
      const { tsigKeys, secondaries } = tables;
      if (tsigKeys.get(secondary.keyName)?.revokedAt !== null) throw ValidationError.of('key', 'is not known');
      if (secondaries.has(secondary.name)) throw ValidationError.of('secondary', 'already exists');
      if (secondary.signs && ![...secondaries.values()].some(({ signs }) => signs)) raiseZones(tables, 1);
      secondaries.set(secondary.name, secondary);
    });
  }

  remove(name: string): Promise<void> {
    return this.transact(async (tables) => {
      const { caughtUp, secondaries } = tables;
      const wasSigning = secondaries.get(name)?.signs;
      caughtUp.delete(name);
      if (!secondaries.delete(name)) throw ValidationError.of('secondary', 'is not known');
      if (wasSigning && ![...secondaries.values()].some(({ signs }) => signs)) raiseZones(tables, 1);
    });
  }

  async caughtUpTo(name: string): Promise<Date> {
    return this.committed().caughtUp.get(name) ?? new Date(0);
  }

  async keepCaughtUpTo(name: string, time: Date): Promise<void> {
    await this.transact(async ({ caughtUp, secondaries }) => {
      if (secondaries.has(name) && time > (caughtUp.get(name) ?? new Date(0))) caughtUp.set(name, time);
    });
  }

  raiseVersions(step: number): Promise<void> {
    return this.transact(async (tables) => {
      raiseZones(tables, step);
      tables.catalogVersion += step;
    });
  }

  async latestChange(): Promise<Date | undefined> {
    const times = [...this.committed().zones.values()].map(({ changedAt }) => (changedAt ?? new Date(0)).getTime());
    return times.length > 0 ? new Date(Math.max(...times)) : undefined;
  }
}

function raiseZones({ zones }: Tables, step: number): void {
  for (const [domainId, zone] of zones)
    zones.set(domainId, { ...zone, version: zone.version + step, serial: zone.serial + step });
}

function byName(left: { readonly name: string }, right: { readonly name: string }): number {
  return compareTexts(left.name, right.name);
}
