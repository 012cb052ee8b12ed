import type { ZoneState, ZonePublicationRepository } from '../../../../../src/application/ports/dns/publishing';
import type { Tables } from '../tables';

export class InMemoryZonePublications implements ZonePublicationRepository {
  constructor(private readonly tables: Tables) {}

  async advance<Z extends Pick<ZoneState, 'domainId' | 'serial'>>(zones: readonly Z[]): Promise<readonly Z[]> {
    const { zonePublications } = this.tables;
    const risen = zones.filter(({ domainId, serial }) => serial > (zonePublications.get(domainId) ?? -1));
    for (const { domainId, serial } of risen) zonePublications.set(domainId, serial);
    return risen;
  }
}
