import { token } from '../../inject';
import type { DsRecord, DnsKey } from '../../../../domain/dns/ds-record';
import type { ChildRecords } from '../../../../domain/dns/dnssec/child-ds-records';

/**
 * Reads what zones of other nameservers ask their parent for. Connects to public addresses only, unless the operator allows others.
 * What a nameserver can send is limited in time and size. Never fails.
 */
export interface ChildZones {
  /** The DNSKEY, CDS and CDNSKEY records at each nameserver, over TCP, with the keys that prove them at present. */
  read(zoneName: string, nameservers: readonly string[]): Promise<readonly ChildAnswer[]>;
  /** What the operator of each nameserver publishes for the zone under its own signed name (RFC 9615). */
  signals(zoneName: string, nameservers: readonly string[]): Promise<readonly ChildSignal[]>;
}
export const ChildZones = token<ChildZones>('ChildZones');

export interface ChildAnswer {
  readonly nameserver: string;
  /** Undefined without complete authoritative answers. */
  readonly records: ChildRecords | undefined;
}

export interface ChildSignal {
  readonly nameserver: string;
  /** Undefined if no resolver has validated an answer. */
  readonly signal: { readonly cds: readonly DsRecord[]; readonly cdnskeys: readonly DnsKey[] } | undefined;
}
