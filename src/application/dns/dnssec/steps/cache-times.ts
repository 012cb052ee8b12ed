import { inject, injectable } from 'inversify';
import { DEFAULT_TTL, MAX_TTL } from '../../../../domain/dns/records/dns-record';
import { addDays } from '../../../../domain/shared/calendar';
import { OperationReader } from '../../../ports/registration/operation-repository';
import { ZoneHistory, type ZoneOfAccount } from '../../../ports/dns/zone-history';
import { Clock } from '../../../ports/system/clock';
import { AuthoritySettings, HistorySettings } from '../../dns-settings';

/** Records that were removed longer ago than the longest TTL are in no cache; the rest of the week is a reserve. */
const DAYS = 7;
const VERSIONS_PER_READ = 200;
/** Most registries give delegations a TTL of two days or less. */
const DELEGATION_MS = 2 * 24 * 60 * 60_000;
const OPERATIONS_PER_READ = 100;

/** How long resolvers keep what a zone publishes. */
@injectable()
export class CacheTimes {
  constructor(
    @inject(ZoneHistory) private readonly history: ZoneHistory,
    @inject(OperationReader) private readonly operations: Pick<OperationReader, 'page'>,
    @inject(AuthoritySettings) private readonly authority: Pick<AuthoritySettings, 'timers'>,
    @inject(HistorySettings) private readonly kept: HistorySettings,
    @inject(Clock) private readonly clock: Clock,
  ) {}

  /** How long caches may have records of the zone that it no longer publishes, or its former nameservers, in seconds. */
  async longest(zone: ZoneOfAccount): Promise<number> {
    const ttl = await this.longestTtl(zone);
    const until = await this.formerNameserversUntil(zone.domainId);
    return Math.max(ttl, until ? Math.ceil((until.getTime() - this.clock.now().getTime()) / 1_000) : 0);
  }

  /**
   * Until when caches may have former nameservers, which serve no signatures; undefined if none are known. Those of a registration
   * were in use for seconds.
   */
  async formerNameserversUntil(domainId: string): Promise<Date | undefined> {
    const operations = await this.operations.page(domainId, OPERATIONS_PER_READ);
    const changed = operations.find(
      ({ actor, request, status }) =>
        request.kind === 'set_nameservers' && status === 'succeeded' && actor.kind !== 'service',
    );
    return changed?.finishedAt ? new Date(changed.finishedAt.getTime() + DELEGATION_MS) : undefined;
  }

  /**
   * The longest TTL that the zone has published within seven days, or that of its negative answers. The longest possible if the
   * history does not go back that far.
   */
  private async longestTtl(zone: ZoneOfAccount): Promise<number> {
    if (this.kept.days < DAYS) return MAX_TTL;
    const from = await this.versionBefore(zone.domainId, addDays(this.clock.now(), -DAYS));
    let longest = Math.max(DEFAULT_TTL, this.authority.timers.negative);
    await this.history.withPast(zone, async (past) => {
      for (const { ttl } of await past.records()) longest = Math.max(longest, ttl);
      for await (const touched of past.changesAfter(from))
        for (const { before } of touched) longest = Math.max(longest, before?.ttl ?? 0);
    });
    return longest;
  }

  /** The last version before `time`, or 0. */
  private async versionBefore(domainId: string, time: Date): Promise<number> {
    for (let before: number | undefined; ;) {
      const versions = await this.history.page(domainId, VERSIONS_PER_READ, before);
      const older = versions.find(({ at }) => at < time);
      const last = versions.at(-1);
      if (older || !last) return older?.version ?? 0;
      before = last.version;
    }
  }
}
