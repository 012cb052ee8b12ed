import { inject, injectable } from '../../ports/inject';
import type { Reader } from '../../../domain/access/actor';
import { ServiceError } from '../../../domain/shared/service-error';
import { ZonePublisher } from '../../ports/dns/publishing';
import { DailyQuotas } from '../../quotas/daily-quotas';
import { FairSlots } from '../../shared/fair-slots';
import type { CommitStore, TransactionHook } from '../../ports/storage/unit-of-work';
import { PublicationWait } from '../publishing/publication-wait';
import { ZoneCommit } from './zone-commit';
import type { ZonePlan } from './zone-plan';
import type { Decide, Written, ZoneRequest, ZoneWriting } from './zone-request';
import { StorageSlow, StorageUnavailable } from '../../ports/storage/storage-unavailable';

interface Waiting {
  readonly writing: ZoneWriting<unknown>;
  readonly since: number;
  readonly resolve: (committed: Written<unknown>) => void;
  readonly reject: (error: unknown) => void;
}

const GROUP_SIZE = 64;
/** As long as for a connection to the database; after that the caller gets SERVICE_UNAVAILABLE and can retry. */
const WAIT_WITHIN_MS = 5_000;
const TOO_LATE = 'a change of records waited 5 seconds for the commits before it: is the disk of the database slow?';

/**
 * Commits small changes that arrive while others are being written in one transaction, because the transaction and its place
 * on the disk cost most. The first change does not wait. Changes of one zone keep their order: docs/decisions/0009.
 */
@injectable()
export class SharedCommits {
  private waiting: Waiting[] = [];
  /** Ids of the domains whose zones another process holds: their changes wait for it alone. */
  private readonly alone = new Set<string>();
  private isAtWork = false;

  constructor(@inject(ZoneCommit) private readonly commit: ZoneCommit) {}

  /** @throws as `ZoneCommit.alone`, StorageUnavailable */
  write<T>(writing: ZoneWriting<T>): Promise<Written<T>> {
    return new Promise((resolve, reject) => {
      const waiting = { writing, since: performance.now(), resolve, reject };
      this.waiting.push(waiting as unknown as Waiting);
      if (!this.isAtWork) void this.work();
    });
  }

  /** One group at a time: while it is at the database, the next gathers. */
  private async work(): Promise<void> {
    this.isAtWork = true;
    while (this.waiting.some((each) => !this.alone.has(each.writing.request.domainId))) {
      // A zone that another process holds delays no other zone.
      for (const [domainId, each] of byZone(await this.together())) void this.writeEachAlone(domainId, each);
    }
    this.isAtWork = false;
  }

  private takeGroup(): readonly Waiting[] {
    const group: Waiting[] = [];
    const left: Waiting[] = [];
    for (const each of this.waiting) {
      if (isTooLate(each)) each.reject(new StorageSlow(TOO_LATE));
      else if (group.length < GROUP_SIZE && !this.alone.has(each.writing.request.domainId)) group.push(each);
      else left.push(each);
    }
    this.waiting = left;
    return group;
  }

  /** Takes the group when its transaction begins, so that it also grows while other transactions have their turn. Returns those to retry alone. */
  private async together(): Promise<readonly Waiting[]> {
    let taken: readonly Waiting[] | undefined;
    const group = (): readonly Waiting[] => (taken ??= this.takeGroup());
    try {
      const outcomes = await this.commit.together(() => group().map(({ writing }) => writing));
      return group().filter(({ resolve, reject }, index) => {
        const outcome = outcomes[index];
        if (outcome instanceof ServiceError) reject(outcome);
        else if (outcome) resolve(outcome);
        return outcome === undefined;
      });
    } catch (error) {
      // After StorageUnavailable the commit may have happened, so a retry could write the changes twice.
      if (!(error instanceof StorageUnavailable)) return group();
      for (const { reject } of group()) reject(error);
      return [];
    }
  }

  private async writeEachAlone(domainId: string, group: readonly Waiting[]): Promise<void> {
    this.alone.add(domainId);
    for (const each of group) {
      if (isTooLate(each)) each.reject(new StorageSlow(TOO_LATE));
      else await this.commit.alone(each.writing).then(each.resolve, each.reject);
    }
    this.alone.delete(domainId);
    if (!this.isAtWork) void this.work();
  }
}

function isTooLate({ since }: Waiting): boolean {
  return performance.now() - since > WAIT_WITHIN_MS;
}

function byZone(group: readonly Waiting[]): ReadonlyMap<string, readonly Waiting[]> {
  const zones = new Map<string, Waiting[]>();
  for (const each of group) {
    const { domainId } = each.writing.request;
    zones.set(domainId, [...(zones.get(domainId) ?? []), each]);
  }
  return zones;
}

/** Changes of whole zones that all accounts, and one of them, prepare at once: one of 10,000 records takes 50 MB until it is written. */
const WHOLE_ZONES = 6;
const WHOLE_ZONES_OF_AN_ACCOUNT = 2;

/** The one way to change a zone: one writer at a time, the zone's rules are checked, and its version rises by one. */
@injectable()
export class ZoneWriter {
  private readonly wholeZones = new FairSlots(WHOLE_ZONES, WHOLE_ZONES_OF_AN_ACCOUNT);

  constructor(
    @inject(ZoneCommit) private readonly commit: ZoneCommit,
    @inject(SharedCommits) private readonly sharedCommits: SharedCommits,
    @inject(ZonePublisher) private readonly publisher: ZonePublisher,
    @inject(PublicationWait) private readonly publication: PublicationWait,
    @inject(DailyQuotas) private readonly quotas: DailyQuotas,
  ) {}

  /**
   * Changes many records in its own transaction. A decision that changes nothing leaves the version as it is and notifies no
   * secondary. If the request waits for publication, `hook` sees the change as not published yet.
   * @throws DomainNotFound, DomainStatusConflict, ZoneVersionMismatch, RecordConflict, LimitExceeded, ItemsRejected,
   *   DailyQuotaReached
   */
  async write<T>(
    request: ZoneRequest,
    decide: Decide<T>,
    hook?: TransactionHook<Written<T>, CommitStore>,
  ): Promise<Written<T>> {
    return this.announce(
      request,
      await this.belowQuota(request, () => this.commit.alone(writing(request, decide, hook))),
    );
  }

  /** Like `write`, for a change of a whole zone: few are prepared and committed at a time. @throws as `write`, what `prepare` throws */
  async writeWhole<T>(
    request: ZoneRequest,
    prepare: () => Promise<Decide<T>>,
    hook?: TransactionHook<Written<T>, CommitStore>,
  ): Promise<Written<T>> {
    const committed = await this.wholeZones.run(request.accountId, () =>
      this.belowQuota(request, async () => this.commit.alone(writing(request, await prepare(), hook))),
    );
    return this.announce(request, committed);
  }

  /** Changes a record or two, in one transaction with the changes of other requests that arrive meanwhile. @throws as `write` */
  async writeFew<T>(request: ZoneRequest, decide: Decide<T>, hook?: TransactionHook<Written<T>>): Promise<Written<T>> {
    return this.announce(
      request,
      await this.belowQuota(request, () => this.sharedCommits.write(writing(request, decide, hook))),
    );
  }

  /** A unit of work of the caller that changes whole zones by `ZoneCommit.within`, in a slot as `writeWhole`. @throws DailyQuotaReached */
  async inWholeZoneSlot<T>({ accountId }: Reader, work: () => Promise<T>): Promise<T> {
    return this.wholeZones.run(accountId, async () => {
      await this.quotas.assertBelow(accountId, 'zone history');
      return work();
    });
  }

  /** After the commit of changes by `ZoneCommit.within`. */
  countAndNotify({ accountId }: Reader, changes: readonly Written<unknown>[]): void {
    for (const { isChanged, isServedChanged, historyBytes, zone } of changes) {
      if (isChanged) this.quotas.count(accountId, 'zone history', historyBytes);
      if (isServedChanged) this.publisher.notifySecondaries(zone);
    }
  }

  /** Dry run: the same checks, and warnings about the result; nothing is changed. @throws as `write` */
  async plan<T>(request: ZoneRequest, decide: Decide<T>): Promise<ZonePlan<T>> {
    return this.commit.plan({ request, decide });
  }

  /** Like `plan`, in a slot as `writeWhole`. @throws as `write`, what `prepare` throws */
  async planWhole<T>(request: ZoneRequest, prepare: () => Promise<Decide<T>>): Promise<ZonePlan<T>> {
    return this.wholeZones.run(request.accountId, async () => this.plan(request, await prepare()));
  }

  /** Requests that wait for a slot are judged when it is free, by what was stored meanwhile. @throws DailyQuotaReached */
  private async belowQuota<T>({ accountId }: ZoneRequest, commit: () => Promise<Written<T>>): Promise<Written<T>> {
    await this.quotas.assertBelow(accountId, 'zone history');
    const committed = await commit();
    if (committed.isChanged) this.quotas.count(accountId, 'zone history', committed.historyBytes);
    return committed;
  }

  private async announce<T>(request: ZoneRequest, committed: Written<T>): Promise<Written<T>> {
    const { isServedChanged, zone, reverseZones } = committed;
    if (isServedChanged) this.publisher.notifySecondaries(zone);
    for (const each of reverseZones) this.publisher.notifySecondaries(each);
    if (!request.waitsForPublication) return committed;
    const published = await Promise.all(
      [zone, ...reverseZones].map((each) => this.publication.waitUntilPublished(each)),
    );
    return { ...committed, published: published.every((each) => each) };
  }
}

function writing<T>(
  request: ZoneRequest,
  decide: Decide<T>,
  hook?: TransactionHook<Written<T>, CommitStore>,
): ZoneWriting<T> {
  return { request, decide, ...(hook && { hook: (stores, each) => hook(stores, unpublished(request, each)) }) };
}

function unpublished<T>({ waitsForPublication }: ZoneRequest, committed: Written<T>): Written<T> {
  return waitsForPublication ? { ...committed, published: false } : committed;
}
