import { ReadPublication } from '../../../../application/dns/publishing/read-publication';
import { ReadSigning } from '../../../../application/dnssec/read-signing';
import { RecordReader, type ZoneFacts } from '../../../../application/ports/dns/zone-queries';
import { HealthReader } from '../../../../application/ports/health/health-repository';
import { inject, injectable } from '../../../../application/ports/inject';
import { RegistryDirectory } from '../../../../application/ports/registry/registries';
import { RegistrationSettings } from '../../../../application/registration/registration-settings';
import type { Requester } from '../../../../domain/access/actor';
import { Domain, type DomainState } from '../../../../domain/registration/domain';
import { isHosted, isZoneServed } from '../../../../domain/registration/domain-status';
import { DomainName } from '../../../../domain/shared/domain-name';
import type { MapFacts } from './map-parts';

/** Reads what the map of a domain shows. Of a domain that the caller has found. */
@injectable()
export class ReadMap {
  constructor(
    @inject(HealthReader) private readonly health: HealthReader,
    @inject(RecordReader) private readonly records: Pick<RecordReader, 'facts'>,
    @inject(ReadSigning) private readonly signings: Pick<ReadSigning, 'of'>,
    @inject(ReadPublication) private readonly publications: ReadPublication,
    @inject(RegistryDirectory) private readonly registries: RegistryDirectory,
    @inject(RegistrationSettings) private readonly settings: Pick<RegistrationSettings, 'defaultNameservers'>,
  ) {}

  /** Asks no one, so that the page of the domain waits for no one. */
  async stored(domain: DomainState): Promise<MapFacts> {
    const [report, facts, signing] = await Promise.all([
      this.health.find(domain.id),
      this.records.facts([domain.id]),
      this.signings.of(Domain.fromState(domain)),
    ]);
    const zone = facts.get(domain.id);
    const { defaultNameservers: ownNameservers } = this.settings;
    return {
      domain,
      registry: isHosted(domain.status)
        ? undefined
        : this.registries.registryFor(DomainName.fromState(domain.name))?.registry,
      nameservers: isHosted(domain.status) ? delegatedTo(zone, ownNameservers) : domain.nameservers,
      ownNameservers,
      report,
      zone,
      signing,
      secondaries: undefined,
    };
  }

  /** With the answers of the secondaries. */
  async current(requester: Requester, domain: DomainState): Promise<MapFacts> {
    if (!isZoneServed(domain)) return this.stored(domain);
    const [facts, { secondaries }] = await Promise.all([
      this.stored(domain),
      this.publications.execute({ ...requester, domainId: domain.id }),
    ]);
    return { ...facts, secondaries };
  }
}

/** As the parent zone said; those to set if it does not delegate the name, or was not asked. */
function delegatedTo(zone: ZoneFacts | undefined, ownNameservers: readonly string[]): readonly string[] {
  const { nameservers = [] } = zone?.delegation ?? {};
  return nameservers.length > 0 ? nameservers : ownNameservers;
}
