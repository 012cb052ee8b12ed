import { inject, injectable } from '../../ports/inject';
import { DEFAULT_TTL, MAX_TTL } from '../../../domain/dns/records/dns-record';
import type { Domain, DomainState } from '../../../domain/registration/domain';
import { areSameHosts } from '../../../domain/registration/nameservers';
import { addDays } from '../../../domain/shared/time/calendar';
import { OperationReader } from '../../ports/registration/operations-and-transfers';
import { ZoneHistory } from '../../ports/dns/zone-queries';
import type { ZoneVersion } from '../../ports/dns/zone-repository';
import { Clock } from '../../ports/system';
import { AuthoritySettings, HistorySettings } from '../../dns/dns-settings';

/** Records that were removed longer ago than the longest TTL are in no cache; the rest of the week is a reserve. */
const DAYS = 7;
const VERSIONS_PER_READ = 200;
/** Most registries give delegations a TTL of two days or less. The history keeps that long even changes of a busy zone (`ZONE_HISTORY_DAYS`). */
const DELEGATION_DAYS = 2;
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
  async longest(domain: Domain): Promise<number> {
    const ttl = await this.longestTtl(domain.toState());
    const until = await this.formerNameserversUntil(domain);
    return Math.max(ttl, until ? Math.ceil((until.getTime() - this.clock.now().getTime()) / 1_000) : 0);
  }

  /**
   * Until when caches may have former nameservers, which serve no signatures; undefined if they had none in the last two days. Those
   * within a registration were in use for seconds, and are not in the zone's history.
   */
  async formerNameserversUntil(domain: Domain): Promise<Date | undefined> {
    // Of a hosted name, the parent tells.
    if (domain.isHosted) return undefined;
    const { nameservers } = domain.toState();
    const from = addDays(this.clock.now(), -DELEGATION_DAYS);
    let oldest: ZoneVersion | undefined;
    for await (const version of this.versions(domain.id)) {
      if (version.at <= from) return undefined;
      if (version.nameserversBefore && !areSameHosts(version.nameserversBefore, nameservers))
        return addDays(version.at, DELEGATION_DAYS);
      oldest = version;
    }
    if (!oldest || !isCreation(oldest) || (await this.isRegisteredHere(domain.toState()))) return undefined;
    return addDays(oldest.at, DELEGATION_DAYS);
  }

  /** False for a domain that came by transfer, import or from another account: its nameservers may have changed just before. */
  private async isRegisteredHere({ accountId, id: domainId }: DomainState): Promise<boolean> {
    const operations = await this.operations.page({ accountId, domainId }, OPERATIONS_PER_READ);
    return operations.some(({ request }) => request.kind === 'register');
  }

  /**
   * The longest TTL that the zone has published within seven days, or that of its negative answers. The longest possible if the
   * history does not go back that far.
   */
  private async longestTtl({ accountId, id: domainId }: DomainState): Promise<number> {
    if (this.kept.days < DAYS) return MAX_TTL;
    const from = await this.versionBefore(domainId, addDays(this.clock.now(), -DAYS));
    let longest = Math.max(DEFAULT_TTL, this.authority.timers.negative);
    await this.history.withPast({ accountId, domainId }, async (past) => {
      for (const { ttl } of await past.records()) longest = Math.max(longest, ttl);
      for await (const touched of past.changesAfter(from))
        for (const { before } of touched) longest = Math.max(longest, before?.ttl ?? 0);
    });
    return longest;
  }

  /** The last version before `time`, or 0. */
  private async versionBefore(domainId: string, time: Date): Promise<number> {
    for await (const { at, version } of this.versions(domainId)) {
      if (at < time) return version;
    }
    return 0;
  }

  /** Newest first. */
  private async *versions(domainId: string): AsyncGenerator<ZoneVersion> {
    for (let before: number | undefined; ;) {
      const versions = await this.history.wholePage(domainId, VERSIONS_PER_READ, before);
      yield* versions;
      const last = versions.at(-1);
      if (!last) return;
      before = last.version;
    }
  }
}

/** Of the zone of a new domain. The oldest version of a history that was shortened changed records, or the delegation. */
function isCreation({ added, changed, removed, nameserversBefore }: ZoneVersion): boolean {
  return added + changed + removed === 0 && nameserversBefore === undefined;
}
