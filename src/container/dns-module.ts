import { randomBytes } from 'node:crypto';
import { ContainerModule } from 'inversify';
import { FindTsigKey } from '../application/access/api-keys/find-tsig-key';
import { PrimarySettings } from '../application/dns/publishing/read-secondaries';
import { ScanOnNotice } from '../application/dnssec/cds/scan-on-notice';
import { UpdateZone } from '../application/dns/records/update-zone';
import { AccountRateLimiter, type RateLimiter } from '../application/ports/access/rate-limits-and-usage';
import { DnsProbe } from '../application/ports/health/health-repository';
import { HealthSettings } from '../application/health/health-settings';
import { systemResolvers } from '../infrastructure/nameserver/health/system-resolvers';
import { NetworkDnsProbe } from '../infrastructure/nameserver/health/network-dns-probe';
import {
  ParentZone,
  ChildZones,
  ParentalAgent,
  ParentDelegations,
  ZoneSources,
} from '../application/ports/dns/other-nameservers';
import { AliasReader, AliasResolver } from '../application/ports/dns/alias-repository';
import { RecordPublications } from '../application/dns/publishing/record-publications';
import {
  ZonePublicationReader,
  PublishedZones,
  ZonePublisher,
  SecondaryDirectory,
  SecondaryZones,
  TsigSecrets,
} from '../application/ports/dns/publishing';
import { PublicationWait } from '../application/dns/publishing/publication-wait';
import { ZoneWriter } from '../application/dns/zones/zone-writer';
import { SubZones } from '../application/hosting/sub-zones';
import { BootstrapSignals } from '../application/hosting/bootstrap-signals';
import { ZoneAbove } from '../application/hosting/zone-above';
import { ZoneSigningReader } from '../application/ports/dns/signing-repository';
import { DomainReader } from '../application/ports/registration/domain-repository';
import { ZoneReader } from '../application/ports/dns/zone-repository';
import { Clock, IdGenerator, Log } from '../application/ports/system';
import { Leases } from '../application/ports/storage/replicas';
import type { Config } from '../config';
import type { DnsConfig } from '../config/dns-values';
import { isWildcardAddress, type Endpoint } from '../domain/dns/secondaries/secondary';
import { DnsListener } from '../infrastructure/nameserver/dns-listener';
import { HiddenPrimary } from '../infrastructure/nameserver/hidden-primary';
import { NetworkAliasResolver } from '../infrastructure/nameserver/network-alias-resolver';
import { NameserverClient } from '../infrastructure/nameserver/nameserver-client';
import { PublicationRecorder } from '../infrastructure/nameserver/notify/publication-recorder';
import { SecondaryQueries } from '../infrastructure/nameserver/notify/secondary-queries';
import { NOTIFY_TIMES } from '../infrastructure/nameserver/notify/notify-times';
import { Notifier } from '../infrastructure/nameserver/notify/notifier';
import { Responder } from '../infrastructure/nameserver/responder';
import { NetworkChildZones } from '../infrastructure/nameserver/zone-sources/network-child-zones';
import { NetworkParentalAgent } from '../infrastructure/nameserver/zone-sources/network-parental-agent';
import { NetworkParentDelegations } from '../infrastructure/nameserver/zone-sources/network-parent-delegations';
import { NetworkParentZone } from '../infrastructure/nameserver/zone-sources/network-parent-zone';
import { NetworkSecondaryZones } from '../infrastructure/nameserver/zone-sources/network-secondary-zones';
import { NetworkZoneSources } from '../infrastructure/nameserver/zone-sources/network-zone-sources';
import { ServedSerials } from '../infrastructure/nameserver/notify/served-serials';
import { PublicAddresses } from '../infrastructure/network/public-addresses';

const SECRET_BYTES = 32;
const HOUR_MS = 3_600_000;
const NAMESERVER_ANSWERS_WITHIN_MS = 1_000;

/** The hidden primary; it listens once it is started. */
export function dnsModule({ dns, recordTypes }: Config): ContainerModule {
  return new ContainerModule(({ bind }) => {
    bind(TsigSecrets).toConstantValue({ next: () => randomBytes(SECRET_BYTES) });
    bind(HiddenPrimary)
      .toResolvedValue(
        (
          zones: PublishedZones,
          publications: ZonePublicationReader,
          recordPublications: RecordPublications,
          directory: SecondaryDirectory,
          leases: Leases,
          clock: Clock,
          log: Log,
        ) => {
          const client = new NameserverClient(NAMESERVER_ANSWERS_WITHIN_MS, addressOf(dns));
          const servedSerials = new ServedSerials();
          const { catalogZone, listen } = dns;
          const times = NOTIFY_TIMES;
          const queries = new SecondaryQueries(directory, client, servedSerials, clock);
          const record = recordPublications.execute.bind(recordPublications);
          const recorder = new PublicationRecorder({ publications, record, queries, clock, log });
          const of = { zones, directory, leases, client, servedSerials, clock, log, recorder, catalogZone, times };
          return new HiddenPrimary({ listen, notifier: new Notifier(of), client, queries, log });
        },
        [PublishedZones, ZonePublicationReader, RecordPublications, SecondaryDirectory, Leases, Clock, Log],
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
          notices: ScanOnNotice,
          accountLimiter: RateLimiter,
          clock: Clock,
          log: Log,
        ) => {
          const of = { zones, directory, records, aliases, accountKeys, updates, notices, accountLimiter, clock, log };
          const { updateWaits, unsignedPerSecond } = dns;
          return new DnsListener(new Responder({ ...of, updateWaits, unsignedPerSecond, settings: dns }), notices);
        },
        [
          PublishedZones,
          SecondaryDirectory,
          ZoneReader,
          AliasReader,
          FindTsigKey,
          UpdateZone,
          ScanOnNotice,
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
    bind(ParentalAgent)
      .toResolvedValue(
        (
          domains: DomainReader,
          subZones: SubZones,
          zones: ZoneReader,
          writer: ZoneWriter,
          signings: ZoneSigningReader,
          publication: PublicationWait,
          signals: BootstrapSignals,
          ids: IdGenerator,
          clock: Clock,
        ) => {
          const resolvers = dns.dnssec.resolvers.length > 0 ? dns.dnssec.resolvers : systemResolvers();
          const network = new NetworkParentalAgent({ resolvers, networks: dns.zoneSourceNetworks });
          return new ZoneAbove({
            network,
            domains,
            subZones,
            zones,
            writer,
            signings,
            publication,
            signals,
            ids,
            clock,
          });
        },
        [
          DomainReader,
          SubZones,
          ZoneReader,
          ZoneWriter,
          ZoneSigningReader,
          PublicationWait,
          BootstrapSignals,
          IdGenerator,
          Clock,
        ],
      )
      .inSingletonScope();
    bind(ParentDelegations).toConstantValue(
      new NetworkParentDelegations({ resolvers: delegationResolvers(dns), networks: dns.zoneSourceNetworks }),
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

/** Those that find the nameservers of parent zones, otherwise those of the health checks. */
function delegationResolvers({ dnssec, health }: DnsConfig): readonly Endpoint[] {
  if (dnssec.resolvers.length > 0) return dnssec.resolvers;
  return health.resolvers === 'system' ? systemResolvers() : health.resolvers;
}

/** The address of the listener, unless it listens on all addresses. */
function addressOf({ listen }: DnsConfig): string | undefined {
  return listen.kind === 'off' || isWildcardAddress(listen.endpoint) ? undefined : listen.endpoint.address;
}
