import { inject, injectable } from '../../ports/inject';
import { ZoneSourceFailed } from '../../../domain/dns/dns-errors';
import type { Secondary } from '../../../domain/dns/secondaries/secondary';
import type { TsigKey } from '../../../domain/dns/secondaries/tsig-key';
import { isSerialAtLeast, serialOf } from '../../../domain/dns/zone-serial';
import { PrimarySettings } from '../../dns/publishing/read-secondaries';
import { PublishedZones, SecondaryDirectory, SecondaryZones } from '../../ports/dns/publishing';
import { settleAll } from '../../shared/settle-all';

const CONCURRENT_ZONES = 8;
/** Of the zones that could not be read. */
const MAX_NAMED = 5;

/** A zone of which a secondary serves a newer version than the database has, or other records with the same serial. */
export interface ZoneAtSecondary {
  readonly zoneName: string;
  readonly secondary: Secondary;
  /** On the wire; null if the zone is not served here. */
  readonly ours: number | null;
  readonly theirs: number;
}

/** What the secondaries serve, compared with the database. */
interface NewerZones {
  /** Zones with a newer version than the database's, or with other records, each at the secondary with the newest. */
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

/**
 * Finds zones that our secondaries serve in a newer version than the database, which may be a restored backup. Run it before
 * secondaries see higher serials: then they transfer the older zones. Signing secondaries have other serials and are not read.
 */
@injectable()
export class FindNewerZones {
  constructor(
    @inject(SecondaryDirectory) private readonly directory: SecondaryDirectory,
    @inject(SecondaryZones) private readonly secondaryZones: SecondaryZones,
    @inject(PublishedZones) private readonly zones: PublishedZones,
    @inject(PrimarySettings) private readonly settings: Pick<PrimarySettings, 'catalogZone'>,
  ) {}

  /** Changes nothing. */
  async execute(): Promise<NewerZones> {
    const newest = new Map<string, ZoneAtSecondary>();
    const unread: Unread[] = [];
    let ahead = 0;
    for (const secondary of (await this.directory.all()).filter(({ signs }) => !signs)) {
      try {
        const { ahead: aheadHere, silent, failed } = await this.findAt(secondary, newest);
        ahead = Math.max(ahead, aheadHere);
        unread.push(...failed);
        if (silent.length > 0)
          unread.push({ source: secondary.name, reason: `no SOA response for ${namesOf(silent)}` });
      } catch (error) {
        if (!(error instanceof ZoneSourceFailed)) throw error;
        unread.push({ source: secondary.name, reason: error.details ?? error.message });
      }
    }
    return { found: [...newest.values()], unread, ahead };
  }

  /** Returns how far the secondary is ahead, and the zones whose serial or records it did not return. */
  private async findAt(
    secondary: Secondary,
    newest: Map<string, ZoneAtSecondary>,
  ): Promise<{ readonly ahead: number; readonly silent: readonly string[]; readonly failed: readonly Unread[] }> {
    const key = await this.directory.findKey(secondary.keyName);
    const names = [...(await this.secondaryZones.members(secondary, key))];
    const { catalogZone } = this.settings;
    let ahead = 0;
    const silent: string[] = [];
    const failed: Unread[] = [];
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
        if (theirs === undefined || (ours !== null && ours !== theirs && isSerialAtLeast(ours, theirs))) continue;
        if (known && isSerialAtLeast(known.theirs, theirs)) continue;
        if (ours === theirs && !(await this.differs(secondary, zoneName, key, failed))) continue;
        newest.set(zoneName, { zoneName, secondary, ours, theirs });
      }
    };
    await settleAll(Array.from({ length: CONCURRENT_ZONES }, worker));
    return { ahead, silent, failed };
  }

  /** As many changes as were lost can have led to the same serial. */
  private async differs(
    secondary: Secondary,
    zoneName: string,
    key: TsigKey | undefined,
    failed: Unread[],
  ): Promise<boolean> {
    try {
      return await this.secondaryZones.differs(secondary, zoneName, key);
    } catch (error) {
      if (!(error instanceof ZoneSourceFailed)) throw error;
      failed.push({ source: secondary.name, reason: `${zoneName}: ${error.details ?? error.message}` });
      return false;
    }
  }
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
