import { inject, injectable } from '../ports/inject';
import { CHECK_IDS } from '../../domain/health/health-check';
import { reportOf, type HealthReport } from '../../domain/health/health-report';
import type { DomainState } from '../../domain/registration/domain';
import { RecordReader } from '../ports/dns/zone-queries';
import { DnsProbe } from '../ports/health/health-repository';
import { Clock } from '../ports/system';
import { BoundedProbe, type SharedLookups } from './bounded-probe';
import { DnsChecks } from './dns-checks';
import { RegistrationChecks } from './registration-checks';

interface InspectOptions {
  /** If false, the nameservers stored by the last sync are checked. */
  readonly asksRegistry: boolean;
  /** Lookups of names outside the domain, shared with the checks of other domains. */
  readonly shared?: SharedLookups;
}

/** Gathers the evidence about a domain and judges it. Stores nothing, and never fails because of what is checked. */
@injectable()
export class InspectDomain {
  constructor(
    @inject(RecordReader) private readonly records: Pick<RecordReader, 'find'>,
    @inject(RegistrationChecks) private readonly registrationChecks: RegistrationChecks,
    @inject(DnsChecks) private readonly dnsChecks: DnsChecks,
    @inject(DnsProbe) private readonly probe: DnsProbe,
    @inject(Clock) private readonly clock: Clock,
  ) {}

  async execute(domain: DomainState, { asksRegistry, shared }: InspectOptions): Promise<HealthReport> {
    const checkedAt = this.clock.now();
    const zone = await this.records.find(domain.id);
    const recordCount = zone?.recordCount ?? 0;
    const registered = await this.registrationChecks.execute(domain, { asksRegistry, recordCount });
    const probe = new BoundedProbe(this.probe, domain.name, shared);
    const served = await this.dnsChecks.execute({ domain, ...registered, serial: zone?.serial, probe });
    const checks = [...registered.checks, ...served.checks].toSorted(
      (one, other) => CHECK_IDS.indexOf(one.id) - CHECK_IDS.indexOf(other.id),
    );
    return reportOf(checkedAt, checks, served.servers);
  }
}
