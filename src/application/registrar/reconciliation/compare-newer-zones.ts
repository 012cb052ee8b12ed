import { inject, injectable } from '../../ports/inject';
import { OPERATOR } from '../../../domain/access/actor';
import { ROOT } from '../../../domain/dns/records/record-name';
import { DomainName } from '../../../domain/shared/domain-name';
import { ServiceError } from '../../../domain/shared/service-error';
import { ImportZoneFile, type ImportZoneFileCommand } from '../../dns/zones/zone-files/import-zone-file';
import { PublishedZones, SecondaryDirectory, SecondaryZones } from '../../ports/dns/publishing';
import type { ZoneChange } from '../../../domain/dns/zone-change';
import { DomainReader } from '../../ports/registration/domain-repository';
import { RegistryRejected, RegistryUnavailable } from '../../ports/registry/registry-errors';
import { RegistryPort } from '../../ports/registry/registry-port';
import type { ZoneAtSecondary } from './find-newer-zones';
import { FixDifference } from './fix-difference';

export interface NewerZoneComparison {
  readonly name: string;
  readonly secondary: string;
  /** `+2 -1 ~0`, or why the zone could not be compared or changed. */
  readonly records: string;
  readonly isFixed: boolean;
}

/** Compares the records of zones with those of the secondaries that serve newer versions. */
@injectable()
export class CompareNewerZones {
  constructor(
    @inject(SecondaryDirectory) private readonly directory: SecondaryDirectory,
    @inject(SecondaryZones) private readonly secondaryZones: SecondaryZones,
    @inject(PublishedZones) private readonly zones: PublishedZones,
    @inject(DomainReader) private readonly domains: DomainReader,
    @inject(ImportZoneFile) private readonly importZone: ImportZoneFile,
    @inject(FixDifference) private readonly fixDifference: FixDifference,
    @inject(RegistryPort) private readonly registry: Pick<RegistryPort, 'info'>,
  ) {}

  /**
   * Run it after the registries were reconciled. `fix` adopts names that only the secondaries know into `accountId`, and imports
   * the secondary's records if it has a newer version. With the same serial, neither is newer, and ours stay.
   */
  async execute(
    found: readonly ZoneAtSecondary[],
    { fix, accountId }: { readonly fix: boolean; readonly accountId: string | undefined },
  ): Promise<readonly NewerZoneComparison[]> {
    const differences: NewerZoneComparison[] = [];
    for (const zone of found) {
      const difference = await this.compareZone(zone, fix, accountId);
      if (difference) differences.push(difference);
    }
    return differences;
  }

  private async compareZone(
    { zoneName, secondary, ours, theirs }: ZoneAtSecondary,
    mayFix: boolean,
    accountId: string | undefined,
  ): Promise<NewerZoneComparison | undefined> {
    const differ = (records: string, isFixed = false): NewerZoneComparison => ({
      name: zoneName,
      secondary: secondary.name,
      records,
      isFixed,
    });
    const isSameSerial = ours === theirs;
    const fix = mayFix && !isSameSerial;
    try {
      if (fix && accountId !== undefined && (await this.domains.zonesAmong([zoneName])).length === 0)
        await this.fixDifference.adopt(DomainName.fromState(zoneName), accountId);
      const [domain] = await this.domains.zonesAmong([zoneName]);
      if (!domain) return differ('the name is missing here');
      const key = await this.directory.findKey(secondary.keyName);
      const { zoneFile } = await this.secondaryZones.zone(secondary, zoneName, key);
      if (await this.hasAlias(zoneName)) return differ('has ALIAS records, which secondaries serve as addresses');
      let request: ImportZoneFileCommand = {
        accountId: domain.accountId,
        actor: OPERATOR,
        domainId: domain.id,
        text: zoneFile,
        withProviderRecords: true,
      };
      let { change } = await this.importZone.plan(request);
      if (addsApexNs(change)) {
        request = { ...request, delegatedTo: await this.readDelegation(zoneName) };
        ({ change } = await this.importZone.plan(request));
      }
      const { added, changed, removed } = change;
      const records = `+${added.length} -${removed.length} ~${changed.length}`;
      if (isSameSerial) return differ(`same serial, kept ours: ${records}`);
      if (added.length + changed.length + removed.length === 0) return undefined;
      if (fix) await this.importZone.execute(request);
      return differ(records, fix);
    } catch (error) {
      if (error instanceof ServiceError) return differ(error.details ?? error.message);
      throw error;
    }
  }

  /**
   * The nameservers at the registry; none if it does not respond. They can be newer than ours: a domain with an unfinished
   * operation is not compared with its registry.
   */
  private async readDelegation(zoneName: string): Promise<readonly string[]> {
    try {
      return (await this.registry.info(DomainName.fromState(zoneName)))?.nameservers ?? [];
    } catch (error) {
      if (error instanceof RegistryUnavailable || error instanceof RegistryRejected) return [];
      throw error;
    }
  }

  private async hasAlias(zoneName: string): Promise<boolean> {
    return this.zones.withSnapshot(zoneName, async (zone) => {
      if (!zone) return false;
      for await (const page of zone.records()) if (page.some(({ type }) => type === 'ALIAS')) return true;
      return false;
    });
  }
}

function addsApexNs({ added, changed }: ZoneChange): boolean {
  return [...added, ...changed.map(({ after }) => after)].some(({ name, type }) => name === ROOT && type === 'NS');
}
