import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '../../application/ports/system/clock';
import type { Log } from '../../application/ports/system/log';
import type { ZoneState } from '../../application/ports/dns/zone-publisher';
import type { Secondary } from '../../domain/dns/secondary';
import type { TsigKey } from '../../domain/dns/tsig-key';
import { reaches, serialOf } from '../../domain/dns/zone-serial';
import type { NameserverClient, VersionAnswer } from './nameserver-client';
import type { Sightings } from './sightings';

/** A zone that a secondary is to have. Without `changedAt`, it has just changed. */
export type TrackedZone = Pick<ZoneState, 'zoneName' | 'version'> & { readonly changedAt?: Date };

export interface SecondaryLinkParts {
  readonly secondary: Secondary;
  readonly key: TsigKey;
  readonly client: NameserverClient;
  readonly sightings: Sightings;
  readonly clock: Clock;
  readonly log: Log;
  /** Asked for when nothing else is to do, to see whether the secondary is there. */
  readonly catalogZone: string;
  /** The zone as it is served now; undefined where it is not served any more. */
  readonly current: (zoneName: string) => Promise<TrackedZone | undefined>;
  /** The secondary is there, for the first time or again, and may have missed anything. */
  readonly onArrival: () => void;
}

interface PendingNotify {
  readonly zoneName: string;
  readonly version: number;
  /** Milliseconds since 1970, on the clock of the process that changed the zone. */
  readonly changedAt: number;
  readonly startedAt: number;
  attempt: number;
  notifiedAt: number;
  notifyAgainAfterMs: number;
}

/** 500 at once overflow a nameserver's UDP buffers; this many every `PACE_MS` do not. */
const AT_A_TIME = 20;
const PACE_MS = 2;
/** An UDP answer is worth waiting for while others are sent, but not for thousands of them. */
const IN_FLIGHT = 500;
const FIRST_LOOK_MS = 6;
const LAST_LOOK_MS = 30_000;
const FIRST_REPEAT_MS = 250;
/** Whoever does not know the zone is waiting for the catalog, not for us. */
const REPEAT_TO_UNAWARE_MS = 1_000;
const LAST_REPEAT_MS = 60_000;
/** From then on it is worth a look whether the zone is still ours, and what its version is by now. */
const ATTEMPTS_BEFORE_RECHECK = 8;
/** Some serve no catalog to anybody: then what it lists shows whether it was taken up. */
const ATTEMPTS_AT_HIDDEN_CATALOG = 13;
const CATALOG_NUDGE_MS = 1_000;
const SILENCES_UNTIL_AWAY = 4;
const AWAY_LOOK_MS = 2_000;
/** News of a change comes again for as long as clocks may differ; an older zone is heard of once. */
const REMEMBERED_FOR_MS = 300_000;
const REMEMBERED = 50_000;
/** A zone that the secondary has refused for this long does not keep the others from being known as caught up. */
const GIVEN_UP_AFTER_MS = 3_600_000;

/**
 * One secondary, which is told of each change until it serves it. While it does not answer at all, nothing is kept for
 * it: when it is back, whatever it may have missed is offered again.
 */
export class SecondaryLink {
  private readonly pursuits = new Map<string, PendingNotify>();
  /** Versions of recent changes that it was seen to serve, so that repeated news of them cost nothing; the oldest first. */
  private readonly reached = new Map<string, number>();
  private readonly ready: PendingNotify[] = [];
  private readonly timers = new Set<NodeJS.Timeout>();
  private latest = 0;
  private inFlight = 0;
  private isPumping = false;
  private silences = 0;
  private catalogNudgedAt = -Infinity;
  private state: 'new' | 'there' | 'away' | 'stopped' = 'new';

  constructor(private readonly parts: SecondaryLinkParts) {}

  get secondary(): Secondary {
    return this.parts.secondary;
  }

  get backlog(): number {
    return this.pursuits.size;
  }

  get isThere(): boolean {
    return this.state === 'there';
  }

  /** The latest change that it was to have, in milliseconds since 1970. */
  get latestChange(): number {
    return this.latest;
  }

  /** The earliest change that it does not have yet, in milliseconds since 1970; Infinity if it has them all. */
  get pendingSince(): number {
    const now = performance.now();
    let earliest = Infinity;
    for (const { zoneName, changedAt, startedAt } of this.pursuits.values()) {
      if (zoneName !== this.parts.catalogZone && now - startedAt < GIVEN_UP_AFTER_MS)
        earliest = Math.min(earliest, changedAt);
    }
    return earliest;
  }

  start(): void {
    void this.look();
  }

  stop(): void {
    this.state = 'stopped';
    this.forget();
  }

  /** Sees that the secondary comes to serve this version; a `quiet` one is told only if it does not do so already. */
  track({ zoneName, version, changedAt = this.parts.clock.now() }: TrackedZone, { quiet = false } = {}): void {
    if (this.state !== 'there') return;
    if (zoneName !== this.parts.catalogZone) this.latest = Math.max(this.latest, changedAt.getTime());
    const known = this.reached.get(zoneName);
    if (known !== undefined && reaches(serialOf(known), serialOf(version))) return;
    const pursuit = this.pursuits.get(zoneName);
    if (pursuit && reaches(serialOf(pursuit.version), serialOf(version))) return;
    const fresh: PendingNotify = {
      zoneName,
      version,
      changedAt: changedAt.getTime(),
      startedAt: performance.now(),
      attempt: quiet ? 1 : 0,
      notifiedAt: -Infinity,
      notifyAgainAfterMs: FIRST_REPEAT_MS,
    };
    this.pursuits.set(zoneName, fresh);
    this.enqueue(fresh);
  }

  private enqueue(pursuit: PendingNotify): void {
    this.ready.push(pursuit);
    if (!this.isPumping) void this.pump();
  }

  private async pump(): Promise<void> {
    this.isPumping = true;
    while (this.ready.length > 0) {
      if (this.inFlight < IN_FLIGHT) for (const pursuit of this.ready.splice(0, AT_A_TIME)) this.step(pursuit);
      await sleep(PACE_MS);
    }
    this.isPumping = false;
  }

  private step(pursuit: PendingNotify): void {
    if (this.pursuits.get(pursuit.zoneName) !== pursuit) return;
    if (pursuit.attempt > 0) return void this.check(pursuit);
    this.notify(pursuit);
    this.again(pursuit);
  }

  private notify(pursuit: PendingNotify): void {
    const { client, clock, key, secondary } = this.parts;
    client.notify({ endpoint: secondary.endpoint, zoneName: pursuit.zoneName }, key, clock.now());
    pursuit.notifiedAt = performance.now();
  }

  private again(pursuit: PendingNotify): void {
    const wait = Math.min(FIRST_LOOK_MS * 2 ** pursuit.attempt, LAST_LOOK_MS);
    pursuit.attempt += 1;
    const timer = setTimeout(() => {
      this.timers.delete(timer);
      this.enqueue(pursuit);
    }, wait);
    this.timers.add(timer);
  }

  private async check(pursuit: PendingNotify): Promise<void> {
    const answer = await this.ask(pursuit.zoneName);
    if (this.pursuits.get(pursuit.zoneName) !== pursuit) return;
    if (answer.kind === 'serves' && reaches(serialOf(answer.version), serialOf(pursuit.version)))
      return this.conclude(pursuit, answer.version);
    if (answer.kind === 'unknown_zone') {
      if (pursuit.zoneName !== this.parts.catalogZone) this.notifyCatalog();
      else if (pursuit.attempt >= ATTEMPTS_AT_HIDDEN_CATALOG) return this.conclude(pursuit, pursuit.version);
    }
    if (pursuit.attempt >= ATTEMPTS_BEFORE_RECHECK && !(await this.isStillWanted(pursuit))) return;
    const sinceLastNotify = performance.now() - pursuit.notifiedAt;
    if (
      sinceLastNotify >= pursuit.notifyAgainAfterMs &&
      (answer.kind === 'serves' || sinceLastNotify >= REPEAT_TO_UNAWARE_MS)
    ) {
      this.notify(pursuit);
      pursuit.notifyAgainAfterMs = Math.min(pursuit.notifyAgainAfterMs * 2, LAST_REPEAT_MS);
    }
    this.again(pursuit);
  }

  private conclude({ zoneName, changedAt }: PendingNotify, version: number): void {
    this.pursuits.delete(zoneName);
    this.reached.delete(zoneName);
    if (changedAt < this.parts.clock.now().getTime() - REMEMBERED_FOR_MS) return;
    this.reached.set(zoneName, version);
    const [oldest] = this.reached.size > REMEMBERED ? this.reached.keys() : [];
    if (oldest !== undefined) this.reached.delete(oldest);
  }

  /** Whoever does not know a zone has not taken up the catalog that lists it. */
  private notifyCatalog(): void {
    const { catalogZone, client, clock, key, secondary } = this.parts;
    const now = performance.now();
    if (now - this.catalogNudgedAt < CATALOG_NUDGE_MS) return;
    this.catalogNudgedAt = now;
    client.notify({ endpoint: secondary.endpoint, zoneName: catalogZone }, key, clock.now());
  }

  private async isStillWanted(pursuit: PendingNotify): Promise<boolean> {
    const current = await this.parts.current(pursuit.zoneName).catch(() => pursuit);
    if (this.pursuits.get(pursuit.zoneName) !== pursuit) return false;
    if (current) return true;
    this.pursuits.delete(pursuit.zoneName);
    this.reached.delete(pursuit.zoneName);
    return false;
  }

  private async ask(zoneName: string): Promise<VersionAnswer> {
    const { catalogZone, client, clock, secondary, sightings } = this.parts;
    this.inFlight += 1;
    const answer = await client.version({
      endpoint: secondary.endpoint,
      zoneName,
      byRecord: secondary.signs && zoneName !== catalogZone,
    });
    this.inFlight -= 1;
    sightings.record(secondary.name, zoneName, answer, clock.now());
    this.silences = answer.kind === 'unreachable' ? this.silences + 1 : 0;
    if (this.silences >= SILENCES_UNTIL_AWAY && this.state === 'there') this.leave();
    return answer;
  }

  /** Looks whether anybody is there, whatever the answer. */
  private async look(): Promise<void> {
    while (this.state === 'new' || this.state === 'away') {
      const { kind } = await this.ask(this.parts.catalogZone);
      if (this.isStopped()) return;
      if (kind !== 'unreachable') return this.arrive();
      if (this.state === 'new') this.leave();
      await sleep(AWAY_LOOK_MS, undefined, { ref: false });
    }
  }

  private isStopped(): boolean {
    return this.state === 'stopped';
  }

  private arrive(): void {
    const { log, onArrival, secondary } = this.parts;
    if (this.state === 'away') log.info({ secondary: secondary.name }, 'a secondary answers again');
    this.state = 'there';
    onArrival();
  }

  private leave(): void {
    const wasThere = this.state === 'there';
    this.parts.log.warn(
      { secondary: this.secondary.name },
      'a secondary does not answer; it is told of changes when it does',
    );
    this.state = 'away';
    this.forget();
    if (wasThere) void this.look();
  }

  private forget(): void {
    for (const timer of this.timers) clearTimeout(timer);
    this.timers.clear();
    this.pursuits.clear();
    this.reached.clear();
    this.ready.length = 0;
  }
}
