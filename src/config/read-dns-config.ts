import type { Endpoint } from '../domain/dns/secondaries/secondary';
import {
  parseContact,
  parseDnsListen,
  parseDnsName,
  parseHealthResolvers,
  parseNetworks,
  parseResolvers,
  parseSoaTimers,
  parseUpdateWaits,
  type DnsConfig,
} from './dns-values';
import type { Environment } from './environment';
import { integer, optional, type ReadVariable } from './plain-values';

/** @param resolvers those that look up the targets of ALIAS records */
export function readDnsConfig(read: ReadVariable, environment: Environment, resolvers: readonly Endpoint[]): DnsConfig {
  return Object.freeze({
    listen: read('DNS_LISTEN', '', parseDnsListen(environment)),
    catalogZone: read('DNS_CATALOG_ZONE', 'catalog.namewright.invalid', parseDnsName),
    primaryName: read('DNS_PRIMARY_NAME', '', optional(parseDnsName)),
    contact: read('DNS_CONTACT', '', optional(parseContact)),
    updateWaits: read('DNS_UPDATE_WAITS', '2,8', parseUpdateWaits),
    unsignedPerSecond: read('DNS_UNSIGNED_PER_SECOND', '20', integer(1, 100_000)),
    dnssec: Object.freeze({
      keyLifetimeDays: read('DNSSEC_KEY_LIFETIME_DAYS', '0', integer(0, 3_650)),
      resolvers: Object.freeze(read('DNSSEC_RESOLVER', '', parseResolvers)),
      dsTtlSeconds: read('DNSSEC_DS_TTL_SECONDS', '90000', integer(0, 1_209_600)),
    }),
    zoneSourceNetworks: read('ZONE_SOURCE_NETWORKS', '', parseNetworks),
    timers: read('DNS_SOA_TIMERS', '3600,600,1209600,300', parseSoaTimers),
    health: Object.freeze({
      resolvers: Object.freeze(read('HEALTH_RESOLVER', '', parseHealthResolvers(resolvers))),
      networks: Object.freeze(read('HEALTH_NETWORKS', '', parseNetworks)),
      checksPerMinute: read('HEALTH_CHECKS_PER_MINUTE', '600', integer(0, 60_000)),
      intervalHours: read('HEALTH_INTERVAL_HOURS', '24', integer(1, 8_760)),
    }),
    aliases: Object.freeze({
      resolvers: Object.freeze(resolvers),
      networks: Object.freeze(read('ALIAS_NETWORKS', '', parseNetworks)),
      queriesPerSecond: read('ALIAS_QUERIES_PER_SECOND', '200', integer(1, 100_000)),
    }),
  });
}
