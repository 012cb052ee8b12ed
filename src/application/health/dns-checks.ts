import { inject, injectable } from '../ports/inject';
import { serialOf } from '../../domain/dns/zone-serial';
import { checkOf, type HealthCheck } from '../../domain/health/health-check';
import type { ServerLight } from '../../domain/health/health-report';
import { judgeDmarc, judgeMx, judgeSpf } from '../../domain/health/judge-mail';
import { judgeNameservers, lightsOf } from '../../domain/health/judge-nameservers';
import { judgeDnssec, judgeResolution } from '../../domain/health/judge-resolution';
import { judgeCaa, judgeCnameTargets } from '../../domain/health/judge-zone';
import type { Lookup } from '../../domain/health/lookup';
import type { DomainState } from '../../domain/registration/domain';
import { isZoneServed } from '../../domain/registration/domain-status';
import { ZoneSigningReader } from '../ports/dns/signing-repository';
import type { DnsProbe } from '../ports/health/health-repository';
import { GatherZone } from './gather-zone';
import { QueryServers } from './query-servers';
import type { RegistrationHealth } from './registration-checks';

interface DomainToCheck extends Pick<RegistrationHealth, 'nameservers' | 'isServedHere'> {
  readonly domain: DomainState;
  /** Of the zone here, without its wrap-around; undefined without a zone. */
  readonly serial: number | undefined;
  readonly probe: DnsProbe;
}

interface DnsHealth {
  readonly checks: readonly HealthCheck[];
  readonly servers: readonly ServerLight[];
}

const IDS = ['nameservers', 'resolution', 'dnssec', 'mx', 'spf', 'dmarc', 'caa', 'cname_targets'] as const;
const NOT_SERVED: DnsHealth = {
  checks: IDS.map((id) =>
    checkOf(id, {
      state: 'not_applicable',
      summary: 'The zone is not served in the present status of the domain.',
    }),
  ),
  servers: [],
};

const NOTHING: Lookup = { kind: 'no_data', via: [] };

/** The checks of a domain by DNS. */
@injectable()
export class DnsChecks {
  constructor(
    @inject(QueryServers) private readonly queryServers: QueryServers,
    @inject(GatherZone) private readonly gatherZone: GatherZone,
    @inject(ZoneSigningReader) private readonly signings: Pick<ZoneSigningReader, 'find'>,
  ) {}

  async execute(checked: DomainToCheck): Promise<DnsHealth> {
    const { domain, isServedHere, probe } = checked;
    if (!isZoneServed(domain)) return NOT_SERVED;
    const [servers, resolution, zone] = await Promise.all([
      this.checkServers(checked),
      this.checkResolution(checked),
      this.gatherZone.execute({ domainId: domain.id, zoneName: domain.name, isServedHere, probe }),
    ]);
    const checks = [
      ...servers.checks,
      ...resolution,
      checkOf('mx', judgeMx(zone.mail)),
      checkOf('spf', judgeSpf(zone.spf)),
      checkOf('dmarc', judgeDmarc(zone.dmarc)),
      checkOf('caa', judgeCaa(zone.caa)),
      checkOf('cname_targets', judgeCnameTargets(zone.cnameTargets)),
    ];
    return { checks, servers: servers.servers };
  }

  private async checkServers({ domain, nameservers, isServedHere, serial, probe }: DomainToCheck): Promise<DnsHealth> {
    const { id: domainId, name: zoneName } = domain;
    const own = isServedHere ? serial : undefined;
    const servers = await this.queryServers.execute({ domainId, zoneName, nameservers, serial: own, probe });
    const stored = own === undefined ? undefined : serialOf(own);
    const serials = {
      secondary: stored,
      nameserver: (await this.queryServers.serialsAreOurs()) ? stored : undefined,
    };
    return {
      checks: [checkOf('nameservers', judgeNameservers({ servers, serials }))],
      servers: lightsOf({ servers, serials }),
    };
  }

  private async checkResolution({
    domain,
    nameservers,
    isServedHere,
    probe,
  }: DomainToCheck): Promise<readonly HealthCheck[]> {
    const { id, name } = domain;
    const unchecked = (type: 'SOA' | 'DS' | 'DNSKEY') => probe.resolve({ name, type, withoutValidation: true });
    const [soa, ns, ds] = await Promise.all([
      probe.resolve({ name, type: 'SOA' }),
      probe.resolve({ name, type: 'NS' }),
      unchecked('DS'),
    ]);
    const [uncheckedSoa, dnskey] = await Promise.all([
      soa.kind === 'servfail' ? unchecked('SOA') : soa,
      ds.kind === 'found' ? unchecked('DNSKEY') : NOTHING,
    ]);
    const signing = (await this.signings.find(id))?.shownState ?? 'off';
    const resolved = { soa, unchecked: uncheckedSoa };
    return [
      checkOf('resolution', judgeResolution({ ...resolved, ns, nameservers })),
      checkOf('dnssec', judgeDnssec({ ...resolved, zoneName: name, ds, dnskey, signing, isServedHere })),
    ];
  }
}
