import { MIN_TTL, type DnsRecordState } from '../records/dns-record';
import { ADDRESS_TYPES, type AddressType } from './alias-chain';
import { isSameSet, type AliasTarget } from './alias-target';

export interface AddressSet {
  readonly addresses: readonly string[];
  /** Seconds; at least the lowest TTL of records. */
  readonly ttl: number;
}

/** The addresses that the zone has in place of an ALIAS record. */
export type AliasAddresses = Readonly<Partial<Record<AddressType, AddressSet>>>;

/**
 * What an ALIAS record shows once its target is known. A type that is not known yet, and one with the same addresses, stays as
 * it is: the serial rises only if addresses change, and the TTL is part of what the serial stands for.
 */
export function addressesAfter(present: AliasAddresses, { answers }: Pick<AliasTarget, 'answers'>): AliasAddresses {
  const after: Partial<Record<AddressType, AddressSet>> = {};
  for (const type of ADDRESS_TYPES) {
    const [set, answer] = [present[type], answers[type]];
    const isSame = !answer || isSameSet(set?.addresses ?? [], answer.addresses);
    if (!isSame) after[type] = { addresses: answer.addresses, ttl: Math.max(MIN_TTL, answer.ttl) };
    else if (set) after[type] = set;
  }
  return after;
}

export function isSameAddresses(one: AliasAddresses, other: AliasAddresses): boolean {
  return ADDRESS_TYPES.every((type) => isSameSet(one[type]?.addresses ?? [], other[type]?.addresses ?? []));
}

/** The records that the zone has in place of an ALIAS record, sorted by type; their TTL does not exceed the record's. */
export function addressRecords(record: DnsRecordState, addresses: AliasAddresses): readonly DnsRecordState[] {
  return ADDRESS_TYPES.flatMap((type) => {
    const { addresses: contents = [], ttl = record.ttl } = addresses[type] ?? {};
    return contents.map((content) => ({ ...record, type, content, ttl: Math.min(record.ttl, ttl) }));
  });
}
