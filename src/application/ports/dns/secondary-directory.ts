import type { Secondary } from '../../../domain/dns/secondary';
import type { TsigAlgorithm, TsigKey } from '../../../domain/dns/tsig-key';

/** A key without its secret. */
export interface TsigKeyFacts {
  readonly name: string;
  readonly algorithm: TsigAlgorithm;
  readonly createdAt: Date;
  readonly revokedAt: Date | null;
}

export interface KnownTsigKey extends TsigKey {
  /** A secondary bears it; a key that none bears opens nothing. */
  readonly isInUse: boolean;
}

/** The secondaries and their TSIG keys. Each call is a transaction of its own; secrets are sealed at rest. */
export interface SecondaryDirectory {
  /** By name. */
  keys(): Promise<readonly TsigKeyFacts[]>;
  /** Undefined for a key that is not known or is revoked. */
  findKey(name: string): Promise<KnownTsigKey | undefined>;
  /** @throws ValidationError where there has ever been a key of that name */
  addKey(key: TsigKey, now: Date): Promise<void>;
  /** It opens nothing from the next message on. Revoking twice keeps the first time. @throws ValidationError for an unknown key */
  revokeKey(name: string, now: Date): Promise<void>;
  /** By name. */
  all(): Promise<readonly Secondary[]>;
  /**
   * The first secondary that signs has the version of every zone raised, because from then on each holds a record more.
   * @throws ValidationError where there is a secondary of that name
   */
  add(secondary: Secondary): Promise<void>;
  /** @throws ValidationError for an unknown secondary */
  remove(name: string): Promise<void>;
  /** Every change before this time had reached the secondary. The epoch for a new one, and for one that is not known. */
  caughtUpTo(name: string): Promise<Date>;
  /** Keeps `time` for `caughtUpTo`, if it is later than what is kept. */
  keepCaughtUpTo(name: string, time: Date): Promise<void>;
  /** Raises the versions of all zones and of the catalog by `step`. */
  raiseVersions(step: number): Promise<void>;
}
export const SecondaryDirectory = Symbol('SecondaryDirectory');
