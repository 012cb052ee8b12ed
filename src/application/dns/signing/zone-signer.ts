import { token } from '../../ports/inject';
import type { Denial } from '../../../domain/dns/dnssec/zone-signing-state';
import type { CdsContent } from '../../../domain/dns/dnssec/signing-step';
import type { NewSigningKey, SigningKey } from '../../ports/dns/signing-repository';
import type { ZoneChange } from '../../../domain/dns/zone-change';
import type { Stores } from '../../ports/storage/unit-of-work';

/** A zone with signatures. */
export interface SignedZone {
  readonly denial: Denial;
  readonly cds: CdsContent;
  /** Oldest first. */
  readonly keys: readonly SigningKey[];
}

/** How a zone will be signed; what is absent stays. */
export interface PreparedSigning {
  readonly denial?: Denial;
  readonly addedKey?: NewSigningKey;
  readonly removedKeyId?: string;
}

export type SigningStores = Pick<Stores, 'signing' | 'zones'>;

/**
 * Signs zones. What takes `stores` is part of their unit of work: the key, the signatures and the new serial are committed with
 * whatever else it writes, or not at all. The zone's version stays, its serial rises by one, and the commit sends NOTIFY.
 * Later changes of the zone are signed in their own transactions.
 */
export interface ZoneSigner {
  /** A new ECDSA P-256 key; nothing is stored. */
  createKey(): Promise<NewSigningKey>;
  /**
   * Computes signatures ahead, so that the transaction of a large zone (over 1,000 RRsets) is short. Optional; what changes meanwhile is
   * signed in the transaction. They are kept in memory for some minutes.
   */
  prepare(domainId: string, change: PreparedSigning): Promise<void>;
  /** As `prepare`, for a change of many records; does nothing for a zone that is not signed. */
  prepareChange(domainId: string, change: ZoneChange): Promise<void>;
  /** Undefined for a zone that is not signed. Reads committed state. */
  find(domainId: string): Promise<SignedZone | undefined>;
  /** Signs an unsigned zone with its first key, without CDS records. */
  start(
    stores: SigningStores,
    domainId: string,
    signing: { readonly denial: Denial; readonly key: NewSigningKey },
  ): Promise<void>;
  /** Removes keys and signatures. Only when the parent has had no DS record for as long as one may be cached. Does nothing for an unsigned zone. */
  stop(stores: SigningStores, domainId: string): Promise<void>;
  /** Publishes another key and signs every RRset with it, too (double signature, RFC 6781, section 4.1.2). */
  addKey(stores: SigningStores, domainId: string, key: NewSigningKey): Promise<void>;
  /** Takes a key out of the CDS records; it still signs. */
  retireKey(stores: SigningStores, domainId: string, keyId: string): Promise<void>;
  /** Removes a key and its signatures. The last key of a zone cannot be removed: use `stop`. */
  removeKey(stores: SigningStores, domainId: string, keyId: string): Promise<void>;
  /** Does not ask for deletion if a key cannot be read, so that nothing can be signed. */
  setCds(stores: SigningStores, domainId: string, cds: CdsContent): Promise<void>;
}
export const ZoneSigner = token<ZoneSigner>('ZoneSigner');
