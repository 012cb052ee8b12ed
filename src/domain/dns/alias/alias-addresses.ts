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

/** What an ALIAS record shows once its target is known. A type that is not known yet stays as it is. */
export function addressesAfter(present: AliasAddresses, { answers }: Pick<AliasTarget, 'answers'>): AliasAddresses {
  const after: Partial<Record<AddressType, AddressSet>> = {};
  for (const type of ADDRESS_TYPES) {
    const [set, answer] = [present[type], answers[type]];
    const isSame = !answer || isSameSet(set?.addresses ?? [], answer.addresses);
    const ttl = answer?.published?.ttl ?? (isSame ? set?.ttl : answer.ttl);
    if (!isSame || (set && answer))
      after[type] = { addresses: answer.addresses, ttl: Math.max(MIN_TTL, ttl ?? MIN_TTL) };
    else if (set) after[type] = set;
  }
  return after;
}

/** Whether both publish the same addresses and TTLs. The TTL of an empty set is ignored. */
export function isSameAddresses(one: AliasAddresses, other: AliasAddresses): boolean {
  return ADDRESS_TYPES.every((type) => {
    const [before, after] = [one[type], other[type]];
    const isSame = isSameSet(before?.addresses ?? [], after?.addresses ?? []);
    return isSame && ((before?.addresses ?? []).length === 0 || before?.ttl === after?.ttl);
  });
}

/** The records that the zone has in place of an ALIAS record, sorted by type; their TTL does not exceed the record's. */
export function addressRecords(record: DnsRecordState, addresses: AliasAddresses): readonly DnsRecordState[] {
  return ADDRESS_TYPES.flatMap((type) => {
    const { addresses: contents = [], ttl = record.ttl } = addresses[type] ?? {};
    return contents.map((content) => ({ ...record, type, content, ttl: Math.min(record.ttl, ttl) }));
  });
}
