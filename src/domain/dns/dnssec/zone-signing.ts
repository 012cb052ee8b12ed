import type { DsRecord } from '../delegation/ds-record';
import { MAX_TTL } from '../records/dns-record';
import type { NoticeResult } from './parent/parent-notice';
import {
  isRollover,
  ruleOf,
  signingStateOf,
  type CdsContent,
  type SigningState,
  type SigningStep,
  type SigningWait,
} from './signing-step';
import { requestedSigning, type Denial, type SigningProblem, type ZoneSigningState } from './zone-signing-state';

const FIRST_POLL_MS = 1_000;
const LAST_POLL_MS = 60_000;
/** Registries publish changes, and secondaries serve them, within minutes or hours. */
const PUBLISHED_WITHIN_MS = 24 * 60 * 60_000;
/** How often the DS records of a signed zone are compared with the registry's. */
const CHECK_MS = 24 * 60 * 60_000;
const RETRY_MS = 60 * 60_000;

/** A signed zone, or one that is being signed or unsigned: what was done, and what the service waits for. Time is the lifecycle clock's. */
export class ZoneSigning {
  private constructor(private state: ZoneSigningState) {}

  static request(domainId: string, denial: Denial, now: Date): ZoneSigning {
    return new ZoneSigning(requestedSigning(domainId, denial, now));
  }

  static fromState(state: ZoneSigningState): ZoneSigning {
    return new ZoneSigning(state);
  }

  get domainId(): string {
    return this.state.domainId;
  }

  get step(): SigningStep {
    return this.state.step;
  }

  get shownState(): SigningState {
    return signingStateOf(this.state.step, this.state.problem !== null);
  }

  get waitsFor(): SigningWait {
    const { cds, waitsFor } = ruleOf(this.state.step);
    if (!cds || this.state.serial === null) return waitsFor;
    return this.state.notice ? 'parent' : 'secondaries';
  }

  /** Whether the account wants the zone to be signed. */
  get isWanted(): boolean {
    const { state } = ruleOf(this.state.step);
    return state !== 'removing_ds' && state !== 'unpublishing';
  }

  /** Whether the zone has keys and signatures, so that CDS and CDNSKEY at the apex are the service's. */
  get isSigned(): boolean {
    return this.state.step !== 'sign' && this.state.step !== 'publish_unsigned';
  }

  /** Whether the registry may have DS records of this zone's keys, so that unsigned answers would be bogus. */
  get mayHaveDsRecords(): boolean {
    const { step, dsRecords } = this.state;
    return (dsRecords !== null && dsRecords.length > 0) || step === 'remove_ds' || step === 'wait_without_ds';
  }

  get isRollingOver(): boolean {
    return isRollover(this.state.step);
  }

  /** The CDS records that the step publishes; undefined if it does not set the parent's DS records. */
  get cdsToPublish(): Exclude<CdsContent, 'none'> | undefined {
    return ruleOf(this.state.step).cds;
  }

  isDue(now: Date): boolean {
    return this.state.dueAt <= now;
  }

  /**
   * Switches signing on again while it is being switched off. A zone that never stopped being signed only needs its DS records
   * back; one that already lost its signatures starts over. After an error, tries again.
   */
  enable(now: Date): void {
    const { step } = this.state;
    if (step === 'remove_ds' || step === 'wait_without_ds') this.moveTo('add_ds', now);
    else if (step === 'unsign') this.moveTo('publish', now);
    else if (step === 'publish_unsigned') this.moveTo('sign', now, { dsRecords: null });
    else this.retry(now);
  }

  /** Switches signing off: DS records first. Returns whether it is off at once, because nothing was signed yet. */
  disable(now: Date): boolean {
    const { step } = this.state;
    if (step === 'sign') return true;
    if (!this.isWanted) this.retry(now);
    else if (this.state.dsRecords === null && !this.cdsToPublish) this.moveTo('unsign', now);
    else this.moveTo('remove_ds', now);
    return false;
  }

  /** Takes the step, or polls, at once, because an operator has fixed something. A failed step is tried again. */
  recheck(now: Date): void {
    this.change({ dueAt: now });
    this.retry(now);
  }

  /** Starts a key rollover. Returns false if the zone is not active, or already rolls over. */
  rollOver(now: Date): boolean {
    if (this.state.step !== 'check' || this.state.problem) return false;
    this.moveTo('add_key', now);
    return true;
  }

  /** @param cachedSeconds how long caches may keep what the zone published without signatures */
  recordSigned(signed: { keyId: string; serial: number; cachedSeconds: number }, now: Date): void {
    this.moveTo('publish', now, { ...signed, keySince: now });
  }

  recordKeyAdded(
    { keyId: newKeyId, ...rest }: { keyId: string; serial: number; cachedSeconds: number },
    now: Date,
  ): void {
    this.moveTo('publish_key', now, { ...rest, newKeyId });
  }

  /** The former key is out of the zone. */
  recordKeyRetired(now: Date): void {
    const { newKeyId } = this.state;
    this.moveTo('check', now, { keyId: newKeyId, newKeyId: null, keySince: this.state.stepSince });
  }

  recordUnsigned(serial: number, now: Date): void {
    this.moveTo('publish_unsigned', now, { serial, keyId: null, newKeyId: null, keySince: null });
  }

  /** Every secondary serves the serial. Returns whether signing is off now. */
  served(now: Date): boolean {
    const until = later(now, this.state.cachedSeconds * 1_000);
    if (this.state.step === 'publish') this.moveTo('wait_for_signed', now, { until });
    else if (this.state.step === 'publish_key') this.moveTo('wait_for_key', now, { until });
    return this.state.step === 'publish_unsigned';
  }

  /** Secondaries do not serve the serial yet: `problem` if that lasts. */
  recordNotServed(serial: number, problem: SigningProblem, now: Date): void {
    this.change({ problem: this.ifLasting(problem, now) });
    this.pollLater(now, serial);
  }

  /** Moves on if the time for caches has passed. */
  endWait(now: Date): void {
    const { step, until } = this.state;
    if (until && until > now) this.schedule(until);
    else if (step === 'wait_for_signed') this.moveTo('add_ds', now);
    else if (step === 'wait_for_key') this.moveTo('add_second_ds', now);
    else if (step === 'wait_for_new_ds') this.moveTo('retire_key', now);
    else if (step === 'wait_without_ds') this.moveTo('unsign', now);
  }

  /** Caches may have former nameservers, which serve no signatures: the DS records are set after that. */
  waitForNameservers(until: Date, now: Date): void {
    this.moveTo('wait_for_signed', now, { until });
  }

  /**
   * The operation that sets the DS records is stored, and is about to be sent. A problem lasts until it succeeds.
   * @param cachedSeconds how long caches may keep the former ones
   */
  promise(
    dsRecords: readonly DsRecord[],
    operationId: string,
    now: Date,
    cachedSeconds = this.state.cachedSeconds,
  ): void {
    this.change({ dsRecords, operationId, cachedSeconds, serial: null, stepSince: now, dueAt: now });
  }

  /**
   * The CDS records of the step are published, for a parent that follows them, or whose DS records a person sets.
   * @param cachedSeconds how long caches may keep the former DS records
   */
  recordCdsPublished(
    published: { dsRecords: readonly DsRecord[]; serial: number; cachedSeconds: number },
    now: Date,
  ): void {
    this.change({ ...published, notice: null, stepSince: now, dueAt: now });
  }

  /** Whether the parent is to be told of the CDS records: at first, and later in case that it did not take notice. */
  isNoticeDue(now: Date): boolean {
    const { notice } = this.state;
    return !notice || later(notice.sentAt, notice.outcome === 'accepted' ? CHECK_MS : RETRY_MS) <= now;
  }

  recordNotice(result: NoticeResult, now: Date): void {
    this.change({ notice: { ...result, sentAt: now }, dueAt: now });
  }

  /** The parent's nameservers do not publish the DS records yet: `problem` if that lasts. */
  recordDsAwaited(problem: SigningProblem, now: Date): void {
    this.change({ problem: this.ifLasting(problem, now) });
    this.pollLater(now, this.state.serial, Math.max(LAST_POLL_MS, Math.min(this.waitedMs(now) / 24, RETRY_MS)));
  }

  /** The registry, and the parent's nameservers if asked, have the DS records. Caches may keep former ones for `cachedSeconds`. */
  recordDsConfirmed(cachedSeconds: number, now: Date): void {
    const until = later(now, cachedSeconds * 1_000);
    const { step } = this.state;
    if (step === 'add_ds') this.moveAfterDs(now);
    else if (step === 'add_second_ds') this.moveTo('replace_ds', now);
    else if (step === 'replace_ds') this.moveTo('wait_for_new_ds', now, { until });
    else if (step === 'remove_ds') this.moveTo('wait_without_ds', now, { until, dsRecords: [] });
  }

  /**
   * The registry does not take the DS records of both keys, because it takes only one for example. Caches have both keys, so the new
   * one can replace the old one at once (RFC 6781, section 4.1.2). A registry that refuses that as well has the old one still.
   */
  recordBothRefused(now: Date): void {
    this.moveTo('replace_ds', now);
  }

  /** The DS records are not, or may not be, those at the registry: they are set again. */
  recordDsMismatch(now: Date): void {
    if (this.state.step === 'check') this.moveTo('add_ds', now);
    else this.change({ operationId: null, dueAt: now });
  }

  /** The chain of trust is as it should be. @param rollOverAt when the key's lifetime ends, if it does */
  recordChecked(rollOverAt: Date | null, now: Date): void {
    if (rollOverAt && rollOverAt <= now) {
      this.moveTo('add_key', now);
      return;
    }
    const next = later(now, CHECK_MS);
    this.change({ problem: null, until: rollOverAt, dueAt: rollOverAt && rollOverAt < next ? rollOverAt : next });
  }

  /** Tries the step again later. The chain of trust stays as it is. */
  fail(problem: SigningProblem, now: Date): void {
    this.change({ problem, operationId: null, dueAt: later(now, RETRY_MS) });
  }

  /** The next poll is soon, and later the longer the step lasts. */
  pollLater(now: Date, serial = this.state.serial, atLatestMs = LAST_POLL_MS): void {
    this.change({ serial, dueAt: later(now, Math.min(Math.max(FIRST_POLL_MS, this.waitedMs(now) / 4), atLatestMs)) });
  }

  schedule(dueAt: Date): void {
    this.change({ dueAt });
  }

  toState(): ZoneSigningState {
    return this.state;
  }

  /** An interrupted rollover continues. Caches may hold its former records for the longest possible TTL. */
  private moveAfterDs(now: Date): void {
    if (this.state.newKeyId === null) this.moveTo('check', now);
    else this.moveTo('publish_key', now, { cachedSeconds: MAX_TTL });
  }

  private waitedMs(now: Date): number {
    return now.getTime() - this.state.stepSince.getTime();
  }

  private ifLasting(problem: SigningProblem, now: Date): SigningProblem | null {
    return this.waitedMs(now) < PUBLISHED_WITHIN_MS ? null : problem;
  }

  /** A problem that is polled lasts until it is solved. */
  private retry(now: Date): void {
    const { operationId, problem, serial } = this.state;
    if (problem) this.change({ dueAt: now, ...(operationId === null && serial === null && { problem: null }) });
  }

  private moveTo(step: SigningStep, now: Date, part: Partial<ZoneSigningState> = {}): void {
    const isSameState = !this.state.problem && ruleOf(step).state === ruleOf(this.state.step).state;
    this.change({
      serial: null,
      until: null,
      operationId: null,
      problem: null,
      ...(ruleOf(step).cds && { notice: null }),
      dueAt: part.until ?? now,
      ...part,
      step,
      stepSince: now,
      since: isSameState ? this.state.since : now,
    });
  }

  private change(part: Partial<ZoneSigningState>): void {
    this.state = { ...this.state, ...part };
  }
}

function later(now: Date, ms: number): Date {
  return new Date(now.getTime() + ms);
}
