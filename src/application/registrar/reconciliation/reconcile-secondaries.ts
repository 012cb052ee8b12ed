import { inject, injectable } from 'inversify';
import { OPERATOR } from '../../../domain/access/actor';
import { ZoneSourceFailed } from '../../../domain/dns/errors';
import type { Secondary } from '../../../domain/dns/secondary';
import { ROOT } from '../../../domain/dns/records/record-name';
import { isSerialAtLeast, serialOf } from '../../../domain/dns/zone-serial';
import { DomainName } from '../../../domain/registration/domain-name';
import { ServiceError } from '../../../domain/shared/service-error';
import { PrimarySettings } from '../../dns/publishing/read-secondaries';
import { ImportZoneFile, type ImportZoneFileCommand } from '../../dns/zones/import-zone-file';
import type { ZoneChange } from '../../ports/dns/zone-repository';
import { PublishedZones } from '../../ports/dns/published-zones';
import { SecondaryDirectory } from '../../ports/dns/secondary-directory';
import { SecondaryZones } from '../../ports/dns/secondary-zones';
import { DomainReader } from '../../ports/registration/domain-repository';
import { RegistryRejected, RegistryUnavailable } from '../../ports/registry/registry-errors';
import { RegistryPort } from '../../ports/registry/registry-port';
import { settleAll } from '../../settle-all';
import { FixDifference } from './fix-difference';

const CONCURRENT_ZONES = 8;
/** Of the zones that could not be read. */
const MAX_NAMED = 5;

/** A zone of which a secondary serves a newer version than the database has. */
export interface ZoneAtSecondary {
  readonly zoneName: string;
  readonly secondary: Secondary;
  /** On the wire; null if the zone is not served here. */
  readonly ours: number | null;
  readonly theirs: number;
}

/** What the secondaries serve, compared with the database. */
export interface SecondaryZoneReport {
  /** Zones with a newer version than the database's, each at the secondary with the newest. */
  readonly found: readonly ZoneAtSecondary[];
  /** Secondaries that could not be read, and why. */
  readonly unread: readonly Unread[];
  /** How far the serials of secondaries are ahead of the database's, at most. */
  readonly ahead: number;
}

/** A secondary, or the registries. */
export interface Unread {
  readonly source: string;
  readonly reason: string;
}

export interface ZoneDifference {
  readonly name: string;
  readonly secondary: string;
  /** `+2 -1 ~0`, or why the zone could not be compared or changed. */
  readonly records: string;
  readonly isFixed: boolean;
}

/**
 * Compares the zones with those that our secondaries serve, which may be newer than a backup. Run it before secondaries see
 * higher serials: then they transfer the older zones. Signing secondaries have other serials and are not read.
 */
@injectable()
export class ReconcileSecondaries {
  constructor(
    @inject(SecondaryDirectory) private readonly directory: SecondaryDirectory,
    @inject(SecondaryZones) private readonly secondaryZones: SecondaryZones,
    @inject(PublishedZones) private readonly zones: PublishedZones,
    @inject(DomainReader) private readonly domains: DomainReader,
    @inject(ImportZoneFile) private readonly importZone: ImportZoneFile,
    @inject(FixDifference) private readonly fixDifference: FixDifference,
    @inject(RegistryPort) private readonly registry: Pick<RegistryPort, 'info'>,
    @inject(PrimarySettings) private readonly settings: Pick<PrimarySettings, 'catalogZone'>,
  ) {}

  /** Reads serials only; changes nothing. */
  async find(): Promise<SecondaryZoneReport> {
    const newest = new Map<string, ZoneAtSecondary>();
    const unread: Unread[] = [];
    let ahead = 0;
    for (const secondary of (await this.directory.all()).filter(({ signs }) => !signs)) {
      try {
        const { ahead: aheadHere, silent } = await this.findAt(secondary, newest);
        ahead = Math.max(ahead, aheadHere);
        if (silent.length > 0)
          unread.push({ source: secondary.name, reason: `no SOA response for ${namesOf(silent)}` });
      } catch (error) {
        if (!(error instanceof ZoneSourceFailed)) throw error;
        unread.push({ source: secondary.name, reason: error.details ?? error.message });
      }
    }
    return { found: [...newest.values()], unread, ahead };
  }

  /**
   * Compares the records of zones that `find` has found, after the registries were reconciled. `fix` adopts names that only the
   * secondaries know into `accountId`, and imports the secondary's records.
   */
  async compare(
    found: readonly ZoneAtSecondary[],
    { fix, accountId }: { readonly fix: boolean; readonly accountId: string | undefined },
  ): Promise<readonly ZoneDifference[]> {
    const differences: ZoneDifference[] = [];
    for (const zone of found) {
      const difference = await this.compareZone(zone, fix, accountId);
      if (difference) differences.push(difference);
    }
    return differences;
  }

  /** Returns how far the secondary is ahead, and the zones whose serial it did not tell. */
  private async findAt(
    secondary: Secondary,
    newest: Map<string, ZoneAtSecondary>,
  ): Promise<{ readonly ahead: number; readonly silent: readonly string[] }> {
    const key = await this.directory.findKey(secondary.keyName);
    const names = [...(await this.secondaryZones.members(secondary, key))];
    const { catalogZone } = this.settings;
    let ahead = 0;
    const silent: string[] = [];
    const catalogSerial = await this.secondaryZones.serial(secondary, catalogZone);
    if (catalogSerial === 'no response') silent.push(catalogZone);
    else ahead = aheadBy(catalogSerial, await this.zones.catalogVersion());
    const worker = async (): Promise<void> => {
      for (let zoneName = names.shift(); zoneName !== undefined; zoneName = names.shift()) {
        const theirs = await this.secondaryZones.serial(secondary, zoneName);
        if (theirs === 'no response') {
          silent.push(zoneName);
          continue;
        }
        const zone = await this.zones.find(zoneName);
        const ours = zone ? serialOf(zone.serial) : null;
        const known = newest.get(zoneName);
        if (zone) ahead = Math.max(ahead, aheadBy(theirs, zone.serial));
        if (theirs === undefined || (ours !== null && isSerialAtLeast(ours, theirs))) continue;
        if (known && isSerialAtLeast(known.theirs, theirs)) continue;
        newest.set(zoneName, { zoneName, secondary, ours, theirs });
      }
    };
    await settleAll(Array.from({ length: CONCURRENT_ZONES }, worker));
    return { ahead, silent };
  }

  private async compareZone(
    { zoneName, secondary }: ZoneAtSecondary,
    fix: boolean,
    accountId: string | undefined,
  ): Promise<ZoneDifference | undefined> {
    const differ = (records: string, isFixed = false): ZoneDifference => ({
      name: zoneName,
      secondary: secondary.name,
      records,
      isFixed,
    });
    try {
      if (fix && accountId !== undefined && (await this.domains.liveAmong([zoneName])).length === 0)
        await this.fixDifference.adopt(DomainName.fromState(zoneName), accountId);
      const [domain] = await this.domains.liveAmong([zoneName]);
      if (!domain) return differ('the name is missing here');
      const key = await this.directory.findKey(secondary.keyName);
      const { zoneFile } = await this.secondaryZones.zone(secondary, zoneName, key);
      if (await this.hasAlias(zoneName)) return differ('has ALIAS records, which secondaries serve as addresses');
      let request: ImportZoneFileCommand = {
        accountId: domain.accountId,
        actor: OPERATOR,
        domainId: domain.id,
        text: zoneFile,
      };
      let { change } = await this.importZone.plan(request);
      if (addsApexNs(change)) {
        request = { ...request, delegatedTo: await this.delegationOf(zoneName) };
        ({ change } = await this.importZone.plan(request));
      }
      const { added, changed, removed } = change;
      if (added.length + changed.length + removed.length === 0) return undefined;
      if (fix) await this.importZone.execute(request);
      return differ(`+${added.length} -${removed.length} ~${changed.length}`, fix);
    } catch (error) {
      if (error instanceof ServiceError) return differ(error.details ?? error.message);
      throw error;
    }
  }

  /**
   * The nameservers at the registry; none if it does not respond. They can be newer than ours: a domain with an unfinished
   * operation is not compared with its registry.
   */
  private async delegationOf(zoneName: string): Promise<readonly string[]> {
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

function namesOf(zoneNames: readonly string[]): string {
  const more = zoneNames.length - MAX_NAMED;
  return zoneNames.slice(0, MAX_NAMED).join(', ') + (more > 0 ? ` and ${more} more` : '');
}

/** 0 if the secondary is behind, or does not serve the zone. */
function aheadBy(theirs: number | undefined, ours: number): number {
  return theirs === undefined || isSerialAtLeast(serialOf(ours), theirs)
    ? 0
    : serialOf(theirs - serialOf(ours) + 2 ** 32);
}
