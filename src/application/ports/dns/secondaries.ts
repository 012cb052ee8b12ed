import { token } from '../inject';
import type { Secondary } from '../../../domain/dns/secondaries/secondary';
import type { TsigAlgorithm, TsigKey } from '../../../domain/dns/secondaries/tsig-key';
import type { FoundZone } from './zone-sources';

/** A TSIG key without its secret. */
export interface TsigKeyFacts {
  readonly name: string;
  readonly algorithm: TsigAlgorithm;
  readonly createdAt: Date;
  readonly revokedAt: Date | null;
}

export interface KnownTsigKey extends TsigKey {
  /** A secondary uses the key; requests signed with an unused key are refused. */
  readonly isInUse: boolean;
}

/** The secondaries and their TSIG keys. Each call is one transaction; secrets are encrypted at rest. */
export interface SecondaryDirectory {
  /** All keys, sorted by name. */
  keys(): Promise<readonly TsigKeyFacts[]>;
  /** Undefined for an unknown or revoked key. */
  findKey(name: string): Promise<KnownTsigKey | undefined>;
  /** @throws ValidationError if a key of that name has ever existed */
  addKey(key: TsigKey, now: Date): Promise<void>;
  /** Takes effect with the next message. Revoking again keeps the first time. @throws ValidationError for an unknown key */
  revokeKey(name: string, now: Date): Promise<void>;
  /** All secondaries, sorted by name. */
  all(): Promise<readonly Secondary[]>;
  /**
   * Adding the first signing secondary raises the version of every zone, because each zone then has one more record.
   * @throws ValidationError if a secondary of that name exists
   */
  add(secondary: Secondary): Promise<void>;
  /** Removing the last signing secondary raises every version, too. @throws ValidationError for an unknown secondary */
  remove(name: string): Promise<void>;
  /** The secondary serves every change made before this time. The epoch for a new or unknown secondary. */
  caughtUpTo(name: string): Promise<Date>;
  /** Stores `time` for `caughtUpTo` if it is later than the stored time. */
  keepCaughtUpTo(name: string, time: Date): Promise<void>;
  /** Raises the versions and serials of all zones and the version of the catalog by `step`. */
  raiseVersions(step: number): Promise<void>;
  /** The time of the last change of any zone; undefined without zones. */
  latestChange(): Promise<Date | undefined>;
}
export const SecondaryDirectory = token<SecondaryDirectory>('SecondaryDirectory');

export interface TsigSecrets {
  /** 32 random bytes. */
  next(): Buffer;
}
export const TsigSecrets = token<TsigSecrets>('TsigSecrets');

/** What a secondary of ours serves. */
export interface SecondaryZones {
  /** The zones in the secondary's copy of the catalog (RFC 9432), by AXFR. @throws ZoneSourceFailed */
  members(secondary: Secondary, key: TsigKey | undefined): Promise<readonly string[]>;
  /** The SOA serial; undefined if the secondary does not serve the zone. */
  serial(secondary: Secondary, zoneName: string): Promise<number | 'no response' | undefined>;
  /** Whether it serves other records than we do; transfers the whole zone. The SOA record is not compared. @throws ZoneSourceFailed */
  differs(secondary: Secondary, zoneName: string, key: TsigKey | undefined): Promise<boolean>;
  /** By AXFR. @throws ZoneSourceFailed */
  zone(secondary: Secondary, zoneName: string, key: TsigKey | undefined): Promise<FoundZone>;
}
export const SecondaryZones = token<SecondaryZones>('SecondaryZones');
