import { RR_TYPE } from '../../../../domain/dns/dnssec/rr-types';
import { announcedKeys, cdsRrsets } from '../../../../domain/dns/dnssec/parent/cds-records';
import { CSK_FLAGS, dnskeyData, NSEC3PARAM_DATA } from '../../../../domain/dns/dnssec/signing-records';
import { writeName } from '../../../../domain/dns/records/types/rdata/wire-name';
import type { DnsKey } from '../../../../domain/dns/delegation/ds-record';
import { DEFAULT_TTL } from '../../../../domain/dns/records/dns-record';
import { startOfAuthority, type SoaSettings } from '../../../../domain/dns/start-of-authority';
import type { SignedZoneState, SigningKey } from '../../../ports/dns/signing-repository';
import type { ApexContent } from './plan-signatures';

/** RFC 4034, section 2: a key as its DNSKEY record has it. */
export function dnsKeyOf({ algorithm, publicKey }: Pick<SigningKey, 'algorithm' | 'publicKey'>): DnsKey {
  return { flags: CSK_FLAGS, algorithm, publicKey };
}

/** What the service adds to the apex of a signed zone: SOA, DNSKEY, CDS, CDNSKEY, NSEC3PARAM. */
export function apexContent(zone: SignedZoneState, settings: SoaSettings): ApexContent {
  // RFC 9077: no longer than a negative answer is cached.
  const denialTtl = Math.min(DEFAULT_TTL, settings.timers.negative);
  const nsec3param = { type: RR_TYPE.NSEC3PARAM, ttl: denialTtl, rdata: [NSEC3PARAM_DATA] };
  return {
    soa: { type: RR_TYPE.SOA, ttl: DEFAULT_TTL, rdata: [soaData(zone, settings)] },
    others: () => [
      { type: RR_TYPE.DNSKEY, ttl: DEFAULT_TTL, rdata: zone.keys.map((key) => dnskeyData(dnsKeyOf(key))) },
      ...cdsRrsets(zone.zoneName, zone.cds, announcedKeys(zone.cds, zone.keys).map(dnsKeyOf)),
      ...(zone.denial === 'nsec3' ? [nsec3param] : []),
    ],
    denialTtl,
  };
}

/** RFC 1035, section 3.3.13. */
function soaData(zone: SignedZoneState, settings: SoaSettings): Buffer {
  const { primaryName, contact, serial, refresh, retry, expire, negative } = startOfAuthority(zone, settings);
  const numbers = Buffer.alloc(20);
  for (const [index, value] of [serial, refresh, retry, expire, negative].entries())
    numbers.writeUInt32BE(value, index * 4);
  return Buffer.concat([writeName(primaryName), writeName(contact), numbers]);
}
