import type { KnownTsigKey, SecondaryDirectory, TsigKeyFacts } from '../../../src/application/ports/secondary-directory';
import type { Secondary } from '../../../src/domain/dns/secondary';
import type { TsigKey } from '../../../src/domain/dns/tsig-key';
import { ValidationError } from '../../../src/domain/shared/validation-error';
import { compareTexts } from './in-order';

/** Raises no versions: it holds no zones. How often it would have is in `raised`. */
export class InMemorySecondaryDirectory implements SecondaryDirectory {
  readonly raised: number[] = [];
  private readonly known = new Map<string, TsigKey & TsigKeyFacts>();
  private readonly secondaries = new Map<string, Secondary>();

  async keys(): Promise<readonly TsigKeyFacts[]> {
    const facts = [...this.known.values()].map(({ name, algorithm, createdAt, revokedAt }) => ({ name, algorithm, createdAt, revokedAt }));
    return facts.toSorted((left, right) => compareTexts(left.name, right.name));
  }

  async findKey(name: string): Promise<KnownTsigKey | undefined> {
    const key = this.known.get(name);
    if (!key || key.revokedAt !== null) return undefined;
    return { name, algorithm: key.algorithm, secret: key.secret, isInUse: [...this.secondaries.values()].some(({ keyName }) => keyName === name) };
  }

  async addKey(key: TsigKey, now: Date): Promise<void> {
    if (this.known.has(key.name)) throw ValidationError.of('key', 'exists already');
    this.known.set(key.name, { ...key, createdAt: now, revokedAt: null });
  }

  async revokeKey(name: string, now: Date): Promise<void> {
    const key = this.known.get(name);
    if (!key) throw ValidationError.of('key', 'is not known');
    this.known.set(name, { ...key, revokedAt: key.revokedAt ?? now });
  }

  async all(): Promise<readonly Secondary[]> {
    return [...this.secondaries.values()].toSorted((left, right) => compareTexts(left.name, right.name));
  }

  async add(secondary: Secondary): Promise<void> {
    if (!(await this.findKey(secondary.keyName))) throw ValidationError.of('key', 'is not known');
    if (this.secondaries.has(secondary.name)) throw ValidationError.of('secondary', 'exists already');
    if (secondary.signs && !(await this.all()).some(({ signs }) => signs)) this.raised.push(1);
    this.secondaries.set(secondary.name, secondary);
  }

  async remove(name: string): Promise<void> {
    if (!this.secondaries.delete(name)) throw ValidationError.of('secondary', 'is not known');
  }

  async raiseVersions(step: number): Promise<void> {
    this.raised.push(step);
  }
}
