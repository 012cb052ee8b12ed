import type { NamedRrset } from './dnssec/signed-content';
import { wireTxt } from './records/text/txt-content';
import { typeDefinition } from './records/types/record-types';

/** Where service providers look for the DNS provider of a zone (draft-ietf-dconn-domainconnect, "DNS Provider Discovery"). */
export const DISCOVERY_NAME = '_domainconnect';
export const DISCOVERY_TTL = 3_600;

/** A zone as far as it has a discovery record, which is served and not among its records. */
interface DiscoverableZone {
  /** The text of the record; absent: the zone has none. */
  readonly discovery?: string | undefined;
}

/** With the discovery record of the zone, if `names` has its name and the zone has no record there. Records of users take precedence. */
export function withDiscovery(
  { discovery }: DiscoverableZone,
  names: Iterable<string>,
  rrsets: ReadonlyMap<string, readonly NamedRrset[]>,
): ReadonlyMap<string, readonly NamedRrset[]> {
  if (discovery === undefined || rrsets.has(DISCOVERY_NAME) || ![...names].includes(DISCOVERY_NAME)) return rrsets;
  const rdata = [wireTxt(discovery)];
  const rrset = { type: typeDefinition('TXT').number, ttl: DISCOVERY_TTL, rdata, isOfService: true } as const;
  return new Map([...rrsets, [DISCOVERY_NAME, [rrset]]]);
}
