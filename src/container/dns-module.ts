import { randomBytes } from 'node:crypto';
import { ContainerModule } from 'inversify';
import { FindTsigKey } from '../application/access/api-keys/find-tsig-key';
import { PrimarySettings } from '../application/dns/publishing/read-secondaries';
import { UpdateZone } from '../application/dns/records/update-zone';
import { AccountRateLimiter, type RateLimiter } from '../application/ports/access/rate-limiter';
import { DnsProbe } from '../application/ports/health/health-repository';
import { HealthSettings } from '../application/health/health-settings';
import { systemResolvers } from '../infrastructure/nameserver/health/system-resolvers';
import { NetworkDnsProbe } from '../infrastructure/nameserver/health/network-dns-probe';
import { ParentZone, ChildZones } from '../application/ports/dns/parent-and-child-zones';
import { AliasReader, AliasResolver } from '../application/ports/dns/alias-repository';
import { ZoneReader } from '../application/ports/dns/zone-repository';
import { Clock, Log } from '../application/ports/system';
import { Leases } from '../application/ports/storage/replicas';
import { PublishedZones, ZonePublisher } from '../application/ports/dns/published-zones';
import { SecondaryDirectory, SecondaryZones, TsigSecrets } from '../application/ports/dns/secondaries';
import { ZoneSources } from '../application/ports/dns/zone-sources';
import type { Config } from '../config';
import type { DnsConfig } from '../config/dns-values';
import { isWildcardAddress } from '../domain/dns/secondary';
import { DnsListener } from '../infrastructure/nameserver/dns-listener';
import { HiddenPrimary } from '../infrastructure/nameserver/hidden-primary';
import { NetworkAliasResolver } from '../infrastructure/nameserver/network-alias-resolver';
import { NameserverClient } from '../infrastructure/nameserver/nameserver-client';
import { NOTIFY_TIMES } from '../infrastructure/nameserver/notify/notify-times';
import { Notifier } from '../infrastructure/nameserver/notify/notifier';
import { Responder } from '../infrastructure/nameserver/responder';
import { NetworkChildZones } from '../infrastructure/nameserver/zone-sources/network-child-zones';
import { NetworkParentZone } from '../infrastructure/nameserver/zone-sources/network-parent-zone';
import { NetworkSecondaryZones } from '../infrastructure/nameserver/zone-sources/network-secondary-zones';
import { NetworkZoneSources } from '../infrastructure/nameserver/zone-sources/network-zone-sources';
import { ServedSerials } from '../infrastructure/nameserver/notify/served-serials';
import { PublicAddresses } from '../infrastructure/nameserver/zone-sources/public-addresses';

const SECRET_BYTES = 32;
const HOUR_MS = 3_600_000;
const NAMESERVER_ANSWERS_WITHIN_MS = 1_000;

/** The hidden primary; it listens once it is started. */
export function dnsModule({ dns, recordTypes }: Config): ContainerModule {
  return new ContainerModule(({ bind }) => {
    bind(TsigSecrets).toConstantValue({ next: () => randomBytes(SECRET_BYTES) });
    bind(HiddenPrimary)
      .toResolvedValue(
        (zones: PublishedZones, directory: SecondaryDirectory, leases: Leases, clock: Clock, log: Log) => {
          const client = new NameserverClient(NAMESERVER_ANSWERS_WITHIN_MS, addressOf(dns));
          const servedSerials = new ServedSerials();
          const { catalogZone, listen } = dns;
          const times = NOTIFY_TIMES;
          const of = { zones, directory, leases, client, servedSerials, clock, log, catalogZone, times };
          const notifier = new Notifier(of);
          return new HiddenPrimary({ listen, notifier, directory, client, servedSerials, clock, log });
        },
        [PublishedZones, SecondaryDirectory, Leases, Clock, Log],
      )
      .inSingletonScope();
    bind(DnsListener)
      .toResolvedValue(
        (
          zones: PublishedZones,
          directory: SecondaryDirectory,
          records: ZoneReader,
          aliases: AliasReader,
          accountKeys: FindTsigKey,
          updates: UpdateZone,
          accountLimiter: RateLimiter,
          clock: Clock,
          log: Log,
        ) => {
          const of = { zones, directory, records, aliases, accountKeys, updates, accountLimiter, clock, log };
          const { updateWaits, unsignedPerSecond } = dns;
          return new DnsListener(new Responder({ ...of, updateWaits, unsignedPerSecond, settings: dns }));
        },
        [
          PublishedZones,
          SecondaryDirectory,
          ZoneReader,
          AliasReader,
          FindTsigKey,
          UpdateZone,
          AccountRateLimiter,
          Clock,
          Log,
        ],
      )
      .inSingletonScope();
    bind(ZoneSources).toConstantValue(new NetworkZoneSources(dns.zoneSourceNetworks, recordTypes));
    bind(SecondaryZones)
      .toResolvedValue(
        (zones: PublishedZones, directory: SecondaryDirectory) =>
          new NetworkSecondaryZones({ catalogZone: dns.catalogZone, types: recordTypes, zones, directory }),
        [PublishedZones, SecondaryDirectory],
      )
      .inSingletonScope();
    bind(ChildZones).toConstantValue(new NetworkChildZones(dns.zoneSourceNetworks, dns.dnssec.resolvers));
    bind(ParentZone).toConstantValue(
      new NetworkParentZone({ resolvers: dns.dnssec.resolvers, networks: dns.zoneSourceNetworks }),
    );
    bind(AliasResolver).toConstantValue(
      new NetworkAliasResolver(dns.aliases, new PublicAddresses(dns.aliases.networks)),
    );
    bind(DnsProbe)
      .toResolvedValue(
        (log: Log) => {
          const { networks, resolvers } = dns.health;
          const settings = { resolvers: resolvers === 'system' ? systemResolvers() : resolvers };
          return new NetworkDnsProbe(settings, new PublicAddresses(networks), log);
        },
        [Log],
      )
      .inSingletonScope();
    bind(HealthSettings).toConstantValue({
      checksPerMinute: dns.health.checksPerMinute,
      intervalMs: dns.health.intervalHours * HOUR_MS,
    });
    bind(PrimarySettings).toConstantValue({
      endpoint: dns.listen.kind === 'on' ? dns.listen.endpoint : undefined,
      catalogZone: dns.catalogZone,
    });
    bind(ZonePublisher).toService(HiddenPrimary);
  });
}

/** The address of the listener, unless it listens on all addresses. */
function addressOf({ listen }: DnsConfig): string | undefined {
  return listen.kind === 'off' || isWildcardAddress(listen.endpoint) ? undefined : listen.endpoint.address;
}
