import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock, Log } from '../../../application/ports/system';
import { currentTraceParent, emit } from '../../../application/shared/observation';
import type { ZoneState } from '../../../application/ports/dns/publishing';
import type { Secondary } from '../../../domain/dns/secondaries/secondary';
import type { TsigKey } from '../../../domain/dns/secondaries/tsig-key';
import { isSerialAtLeast, serialOf } from '../../../domain/dns/zone-serial';
import type { NameserverClient, SerialResult } from '../nameserver-client';
import { ConfirmedSerials } from './confirmed-serials';
import type { NotifyTimes } from './notify-times';
import { PacedQueue } from './paced-queue';
import type { ServedSerials } from './served-serials';

/** A zone serial, or version of the catalog, that a secondary should serve. `changedAt` defaults to now. */
export type TrackedZone = Pick<ZoneState, 'zoneName' | 'serial'> & { readonly changedAt?: Date };

interface SecondaryLinkParts {
  readonly secondary: Secondary;
  readonly key: TsigKey;
  readonly client: NameserverClient;
  readonly servedSerials: ServedSerials;
  readonly clock: Clock;
  readonly log: Log;
  /** Queried to probe an unreachable secondary. */
  readonly catalogZone: string;
  /** The current serial of a zone; undefined if it is no longer served. */
  readonly findZone: (zoneName: string) => Promise<TrackedZone | undefined>;
  /** Called when the secondary answers for the first time or after an outage; it may have missed changes. */
  readonly onReachable: () => void;
  /** Called when the secondary serves a serial of a zone, also if that was known. */
  readonly onServed: (zone: TrackedZone) => void;
  readonly times: NotifyTimes;
}

export interface SecondaryStatus {
  readonly name: string;
  readonly isReachable: boolean;
  /** Zones whose latest change it does not serve yet. */
  readonly pending: number;
  readonly behindMs: number;
}

interface PendingNotify {
  readonly zoneName: string;
  readonly serial: number;
  /** Milliseconds since 1970, on the clock of the process that changed the zone. */
  readonly changedAt: number;
  readonly startedAt: number;
  /** The span that changed the zone in this process. */
  readonly traceParent: string | undefined;
  attempt: number;
  notifiedAt: number;
  notifyAgainAfterMs: number;
}

/** Queries without an answer yet; at the limit, the next ones wait. */
const MAX_IN_FLIGHT = 500;
const FIRST_CHECK_MS = 6;
const FIRST_RENOTIFY_MS = 250;
/** Slower, because a secondary that does not know the zone must load the catalog first. */
const RENOTIFY_UNKNOWN_ZONE_MS = 1_000;
/** After this many attempts, check in the database whether we still serve the zone. */
const ATTEMPTS_BEFORE_RECHECK = 8;
/** Some secondaries do not answer queries for the catalog: after this many attempts, assume that they have it. */
const ATTEMPTS_FOR_HIDDEN_CATALOG = 13;
const CATALOG_NOTIFY_INTERVAL_MS = 1_000;
const MAX_TIMEOUTS = 4;

/**
 * Sends NOTIFY to one secondary for each change until it serves the change. Discards all state while the secondary is
 * unreachable; `onReachable` then triggers a comparison.
 */
export class SecondaryLink {
  private readonly pending = new Map<string, PendingNotify>();
  private readonly confirmed: ConfirmedSerials;
  private readonly queue = new PacedQueue<PendingNotify>(
    (entry) => this.process(entry),
    () => this.inFlight < MAX_IN_FLIGHT,
  );
  private latest = 0;
  private inFlight = 0;
  private timeouts = 0;
  private catalogNotifiedAt = -Infinity;
  private unreachableSince: number | undefined;
  private state: 'new' | 'reachable' | 'unreachable' | 'stopped' = 'new';

  constructor(private readonly parts: SecondaryLinkParts) {
    this.confirmed = new ConfirmedSerials(parts.clock);
  }

  get secondary(): Secondary {
    return this.parts.secondary;
  }

  get backlog(): number {
    return this.pending.size;
  }

  get isReachable(): boolean {
    return this.state === 'reachable';
  }

  /** Whether it answers, and is not known to be behind with the zone. */
  mayServe(zoneName: string): boolean {
    return this.isReachable && !this.pending.has(zoneName);
  }

  /** The time of the latest tracked change, in milliseconds since 1970. */
  get latestChange(): number {
    return this.latest;
  }

  /** The time of the earliest change that the secondary does not serve, in milliseconds since 1970; Infinity if none. */
  get pendingSince(): number {
    const from = performance.now() - this.parts.times.ignorePendingAfter;
    return earliestChange(this.pendingZones().filter(({ startedAt }) => startedAt > from));
  }

  /**
   * `behindMs`: the age of the oldest change that it does not serve, or how long it has not answered. A zone that a comparison
   * has not found to be behind has got no NOTIFY.
   */
  get status(): SecondaryStatus {
    const behind = this.pendingZones().filter(({ notifiedAt }) => notifiedAt > -Infinity);
    const since = this.unreachableSince ?? earliestChange(behind);
    return {
      name: this.secondary.name,
      isReachable: this.isReachable,
      pending: behind.length,
      behindMs: since === Infinity ? 0 : Math.max(0, this.parts.clock.now().getTime() - since),
    };
  }

  private pendingZones(): readonly PendingNotify[] {
    return [...this.pending.values()].filter(({ zoneName }) => zoneName !== this.parts.catalogZone);
  }

  start(): void {
    void this.probe();
  }

  stop(): void {
    this.state = 'stopped';
    this.clear();
  }

  /** Notifies and checks until the secondary serves this serial. With `checkFirst`, queries before the first NOTIFY. */
  track({ zoneName, serial, changedAt = this.parts.clock.now() }: TrackedZone, { checkFirst = false } = {}): void {
    if (this.state !== 'reachable') return;
    if (zoneName !== this.parts.catalogZone) this.latest = Math.max(this.latest, changedAt.getTime());
    if (this.confirmed.has(zoneName, serial)) return this.parts.onServed({ zoneName, serial, changedAt });
    const previous = this.pending.get(zoneName);
    if (previous && isSerialAtLeast(serialOf(previous.serial), serialOf(serial))) return;
    const entry: PendingNotify = {
      zoneName,
      serial,
      changedAt: changedAt.getTime(),
      startedAt: performance.now(),
      traceParent: currentTraceParent(),
      attempt: checkFirst ? 1 : 0,
      notifiedAt: -Infinity,
      notifyAgainAfterMs: FIRST_RENOTIFY_MS,
    };
    this.pending.set(zoneName, entry);
    this.queue.add(entry, { isUrgent: !checkFirst });
  }

  private process(entry: PendingNotify): void {
    if (this.pending.get(entry.zoneName) !== entry) return;
    if (entry.attempt > 0) return void this.check(entry);
    this.notify(entry);
    this.scheduleCheck(entry);
  }

  private notify(entry: PendingNotify): void {
    this.send(entry.zoneName);
    emit(() => ({ kind: 'NOTIFY sent', secondary: this.secondary.name }));
    entry.notifiedAt = performance.now();
    if (entry.zoneName === this.parts.catalogZone) this.catalogNotifiedAt = entry.notifiedAt;
  }

  private scheduleCheck(entry: PendingNotify): void {
    const wait = Math.min(FIRST_CHECK_MS * 2 ** entry.attempt, this.parts.times.maxCheckInterval);
    entry.attempt += 1;
    this.queue.addAfter(wait, entry);
  }

  private async check(entry: PendingNotify): Promise<void> {
    const answer = await this.querySerial(entry.zoneName);
    if (this.pending.get(entry.zoneName) !== entry) return;
    if (answer.kind === 'serves' && isSerialAtLeast(serialOf(answer.serial), serialOf(entry.serial)))
      return this.confirm(entry, answer.serial);
    if (answer.kind === 'unknown_zone') {
      if (entry.zoneName !== this.parts.catalogZone) this.notifyCatalog();
      else if (entry.attempt >= ATTEMPTS_FOR_HIDDEN_CATALOG) return this.confirm(entry, entry.serial);
    }
    if (entry.attempt >= ATTEMPTS_BEFORE_RECHECK && !(await this.isStillServed(entry))) return;
    const sinceLastNotify = performance.now() - entry.notifiedAt;
    if (
      sinceLastNotify >= entry.notifyAgainAfterMs &&
      (answer.kind === 'serves' || sinceLastNotify >= RENOTIFY_UNKNOWN_ZONE_MS)
    ) {
      this.notify(entry);
      entry.notifyAgainAfterMs = Math.min(entry.notifyAgainAfterMs * 2, this.parts.times.maxRenotifyInterval);
    }
    this.scheduleCheck(entry);
  }

  private confirm({ zoneName, changedAt, notifiedAt, traceParent }: PendingNotify, serial: number): void {
    this.pending.delete(zoneName);
    this.confirmed.add(zoneName, serial, changedAt);
    this.parts.onServed({ zoneName, serial, changedAt: new Date(changedAt) });
    if (notifiedAt > -Infinity)
      emit(() => ({
        kind: 'published',
        secondary: this.secondary.name,
        seconds: Math.max(0, this.parts.clock.now().getTime() - changedAt) / 1_000,
        traceParent,
      }));
  }

  /** A secondary that does not know a zone has not loaded the catalog that lists it. */
  private notifyCatalog(): void {
    const now = performance.now();
    if (now - this.catalogNotifiedAt < CATALOG_NOTIFY_INTERVAL_MS) return;
    this.catalogNotifiedAt = now;
    this.send(this.parts.catalogZone);
  }

  private send(zoneName: string): void {
    const { client, clock, key, secondary } = this.parts;
    client.notify({ endpoint: secondary.endpoint, zoneName }, key, clock.now());
  }

  private async isStillServed(entry: PendingNotify): Promise<boolean> {
    const zone = await this.parts.findZone(entry.zoneName).catch(() => entry);
    if (this.pending.get(entry.zoneName) !== entry) return false;
    if (zone) return true;
    this.pending.delete(entry.zoneName);
    this.confirmed.delete(entry.zoneName);
    return false;
  }

  private async querySerial(zoneName: string): Promise<SerialResult> {
    const { catalogZone, client, clock, secondary, servedSerials } = this.parts;
    this.inFlight += 1;
    const answer = await client.querySerial({
      endpoint: secondary.endpoint,
      zoneName,
      fromTxtRecord: secondary.signs && zoneName !== catalogZone,
    });
    this.inFlight -= 1;
    servedSerials.record(secondary.name, zoneName, answer, clock.now());
    this.timeouts = answer.kind === 'unreachable' ? this.timeouts + 1 : 0;
    if (this.timeouts >= MAX_TIMEOUTS && this.state === 'reachable') this.markUnreachable();
    return answer;
  }

  /** Queries until the secondary answers; any answer counts. */
  private async probe(): Promise<void> {
    while (this.state === 'new' || this.state === 'unreachable') {
      const { kind } = await this.querySerial(this.parts.catalogZone);
      if (this.isStopped()) return;
      if (kind !== 'unreachable') return this.markReachable();
      if (this.state === 'new') this.markUnreachable();
      await sleep(this.parts.times.probeInterval, undefined, { ref: false });
    }
  }

  private isStopped(): boolean {
    return this.state === 'stopped';
  }

  private markReachable(): void {
    const { log, onReachable, secondary } = this.parts;
    if (this.state === 'unreachable') log.info({ secondary: secondary.name }, 'a secondary answers again');
    this.state = 'reachable';
    this.unreachableSince = undefined;
    onReachable();
  }

  private markUnreachable(): void {
    const wasReachable = this.state === 'reachable';
    this.parts.log.warn(
      { secondary: this.secondary.name },
      'a secondary does not answer; NOTIFY is suspended until it does',
    );
    this.state = 'unreachable';
    this.unreachableSince ??= this.parts.clock.now().getTime();
    this.clear();
    if (wasReachable) void this.probe();
  }

  private clear(): void {
    this.pending.clear();
    this.confirmed.clear();
    this.queue.clear();
  }
}

function earliestChange(entries: readonly PendingNotify[]): number {
  return entries.reduce((earliest, { changedAt }) => Math.min(earliest, changedAt), Infinity);
}
