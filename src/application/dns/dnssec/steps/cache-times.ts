import { inject, injectable } from 'inversify';
import { DEFAULT_TTL, MAX_TTL } from '../../../../domain/dns/records/dns-record';
import { addDays } from '../../../../domain/shared/calendar';
import { ZoneHistory, type ZoneOfAccount } from '../../../ports/dns/zone-history';
import { Clock } from '../../../ports/system/clock';
import { AuthoritySettings, HistorySettings } from '../../dns-settings';

/** Records that were removed longer ago than the longest TTL are in no cache; the rest of the week is a reserve. */
const DAYS = 7;
const VERSIONS_PER_READ = 200;

/** How long resolvers keep what a zone publishes. */
@injectable()
export class CacheTimes {
  constructor(
    @inject(ZoneHistory) private readonly history: ZoneHistory,
    @inject(AuthoritySettings) private readonly authority: Pick<AuthoritySettings, 'timers'>,
    @inject(HistorySettings) private readonly kept: HistorySettings,
    @inject(Clock) private readonly clock: Clock,
  ) {}

  /**
   * The longest TTL that the zone has published within seven days, or that of its negative answers, in seconds. The longest
   * possible if the history does not go back that far.
   */
  async longest(zone: ZoneOfAccount): Promise<number> {
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
