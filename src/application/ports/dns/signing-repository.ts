import type { KeyObject } from 'node:crypto';
import { token } from '../inject';
import type { CdsContent } from '../../../domain/dns/dnssec/signing-step';
import type { ChainLink } from '../../../domain/dns/dnssec/denial-chain';
import type { NamedRrset } from '../../../domain/dns/dnssec/signed-content';
import type { Denial } from '../../../domain/dns/dnssec/zone-signing-state';
import type { ZoneSigning } from '../../../domain/dns/dnssec/zone-signing';
import type { HostedNameRef } from './hosted-names';

/** A key of a zone without its secret. It is published as a DNSKEY record and signs every RRset until it is removed. */
export interface SigningKey {
  readonly id: string;
  /** DNS security algorithm number; 13 is ECDSA P-256 with SHA-256 (RFC 6605). */
  readonly algorithm: number;
  readonly keyTag: number;
  /** Base64, as in the DNSKEY record. */
  readonly publicKey: string;
  readonly createdAt: Date;
  /** Since then it is not in the CDS records, because another key replaces it. */
  readonly retiredAt: Date | null;
}

/** A key that is not stored yet. */
export interface NewSigningKey extends Omit<SigningKey, 'createdAt' | 'retiredAt'> {
  readonly sealedPrivateKey: string;
}

export interface StoredSigningKey extends SigningKey {
  readonly sealedPrivateKey: string;
}

/** A zone with signatures. */
export interface SignedZoneState {
  readonly domainId: string;
  readonly zoneName: string;
  /** The domain's, which the NS RRset at the apex has. */
  readonly nameservers: readonly string[];
  /** The text of its discovery record; absent: it has none. */
  readonly discovery?: string | undefined;
  readonly serial: number;
  readonly denial: Denial;
  readonly cds: CdsContent;
  /** Oldest first. */
  readonly keys: readonly StoredSigningKey[];
}

export interface AnyZoneState extends Omit<SignedZoneState, 'denial'> {
  readonly denial: Denial | null;
}

/** An RRset that the service makes, or the signatures of one that it does not. */
export interface DerivedRrset {
  /** Relative; of an NSEC3 record, the name whose hash is its owner. */
  readonly name: string;
  readonly type: number;
  /** Seconds. */
  readonly ttl: number;
  /** In canonical form; null if the records are the user's. */
  readonly rdata: readonly Buffer[] | null;
  /** RDATA of RRSIG records, one for each key. */
  readonly signatures: readonly Buffer[];
  /** Equal for equal contents, signed by the same keys. */
  readonly digest: string;
  /** When new signatures are due. */
  readonly refreshAt: Date;
  /** The place of an NSEC or NSEC3 record in its chain; null for other types. */
  readonly chainKey: string | null;
}

/** An RRset before and after a change of the published zone; null if it did not or does not exist. */
export interface DerivedChange {
  readonly before: DerivedRrset | null;
  readonly after: DerivedRrset | null;
}

/** Reads a zone: within a unit of work as it left it, otherwise committed state. */
export interface SigningReader {
  /** Undefined for a zone that is not signed. */
  find(domainId: string): Promise<SignedZoneState | undefined>;
  /** `denial` is null if the zone is not signed. Undefined if there is no zone. */
  findAny(domainId: string): Promise<AnyZoneState | undefined>;
  /** The RRsets that are published at relative names, without those that signing derives. Names without any are missing. */
  rrsetsAt(zone: SignedZoneState, names: readonly string[]): Promise<ReadonlyMap<string, readonly NamedRrset[]>>;
  /** The names with records. @param below only those below this name */
  readNames(domainId: string, below?: string): Promise<readonly string[]>;
  /** Those at `names`, and always the one of the SOA record. */
  derivedAt(domainId: string, names: readonly string[]): Promise<readonly DerivedRrset[]>;
  /** All derived RRsets. */
  derived(domainId: string): Promise<readonly DerivedRrset[]>;
  /** For each key the NSEC or NSEC3 record before it in the chain, and for keys before the first one the last. Undefined in an empty chain. */
  linksBefore(zone: SignedZoneState, keys: readonly string[]): Promise<readonly (DerivedRrset | undefined)[]>;
  /** Some names below `name` that have an NSEC3 record, at most `limit`. */
  linkedNamesBelow(domainId: string, name: string, limit: number): Promise<readonly string[]>;
  /** Zones with signatures to refresh at `now`, longest due first, without `except`; at most `limit` due RRsets are read. */
  due(now: Date, limit: number, except?: readonly string[]): Promise<readonly string[]>;
  /** RRsets whose signatures are to be refreshed before `before`, soonest first. */
  expiring(domainId: string, before: Date, limit: number): Promise<readonly DerivedRrset[]>;
}
export const SigningReader = token<SigningReader>('SigningReader');

/** A link with the relative name that it belongs to. */
export interface NamedLink extends ChainLink {
  readonly name: string;
}

/** The keys and signatures of zones, within a unit of work. Lock the zone first. */
export interface SigningRepository extends SigningReader {
  /** Marks the zone as signed, or changes how; undefined removes the mark. */
  set(domainId: string, signing: { readonly denial: Denial; readonly cds: CdsContent } | undefined): Promise<void>;
  addKey(domainId: string, key: NewSigningKey, at: Date): Promise<void>;
  retireKey(domainId: string, keyId: string, at: Date): Promise<void>;
  removeKey(domainId: string, keyId: string): Promise<void>;
  /** Removes all derived RRsets of a zone. */
  clear(domainId: string): Promise<void>;
  /** Writes derived RRsets, and keeps the change for the difference that led to `serial` (RFC 1995), unless it is as long as the zone. */
  write(domainId: string, serial: number, changes: readonly DerivedChange[], at: Date): Promise<void>;
}

export interface NamedSigning {
  /** The domain's name. */
  readonly name: string;
  readonly signing: ZoneSigning;
}

/** Reads committed state. */
export interface ZoneSigningReader {
  /** Undefined if signing is off. */
  find(domainId: string): Promise<ZoneSigning | undefined>;
  /** The zones of all accounts whose next step is due at `now`, longest waiting first. */
  due(now: Date, limit: number): Promise<readonly HostedNameRef[]>;
  /** When the next step that waits for a time, and not for a secondary or an operation, is due. */
  nextDueAt(): Promise<Date | undefined>;
  /** The zones of all accounts for which signing is not off, by name, after a name. */
  page(limit: number, after?: string): Promise<readonly NamedSigning[]>;
  /** Undefined if signing is off for the zone, or there is no domain of that name. */
  findByName(name: string): Promise<ZoneSigning | undefined>;
  /** Whether signing is on for any zone. */
  any(): Promise<boolean>;
}
export const ZoneSigningReader = token<ZoneSigningReader>('ZoneSigningReader');

/** Within a unit of work. */
export interface ZoneSigningRepository {
  /** Locks the row for the rest of the unit of work. Undefined if signing is off. */
  lock(domainId: string): Promise<ZoneSigning | undefined>;
  /** Undefined also if another transaction has locked it. */
  lockIfFree(domainId: string): Promise<ZoneSigning | undefined>;
  /** @throws OperationInProgress if another request has added it meanwhile */
  add(signing: ZoneSigning): Promise<void>;
  save(signing: ZoneSigning): Promise<void>;
  /** Signing is off. */
  remove(domainId: string): Promise<void>;
}

/** Signs without blocking the event loop. */
export interface BackgroundSigner {
  /** ECDSA P-256 signatures with SHA-256 of each of `data`, in their order: 64 octets (RFC 6605, section 4). */
  sign(key: KeyObject, data: readonly Buffer[]): Promise<readonly Buffer[]>;
}
export const BackgroundSigner = token<BackgroundSigner>('BackgroundSigner');
