import { inject, injectable } from '../../ports/inject';
import { SERVICE } from '../../../domain/access/actor';
import type { SigningProblem } from '../../../domain/dns/dnssec/zone-signing-state';
import type { ZoneSigning } from '../../../domain/dns/dnssec/zone-signing';
import { signingChanged, signingProgressed } from '../../audit/signing-audit';
import { levelOf } from '../../shared/level-of';
import { OperationSettings } from '../../shared/operation-settings';
import { Outage } from '../../shared/outage';
import { ZoneSigningReader } from '../../ports/dns/signing-repository';
import { RegistryUnavailable } from '../../ports/registry/registry-errors';
import { StorageUnavailable } from '../../ports/storage/storage-unavailable';
import { UnitOfWork } from '../../ports/storage/unit-of-work';
import { Clock, LifecycleClock, Log, SealBroken } from '../../ports/system';
import { SigningSteps } from './signing-steps';
import type { ClaimedZone, StepEffect } from './step-effect';

const SWEEP_EVERY_MS = 1_000;
const SWEEP_BATCH = 200;
const CONCURRENT_ZONES = 8;
/** More steps than a zone can take at one instant. */
const MAX_STEPS = 10;

const UNREADABLE_KEY: SigningProblem = {
  reason: 'The signing key of the zone cannot be read, so that nothing can be signed',
  remedy:
    'Ask the operator to bring back the SECRET_KEY that it is encrypted with. If that is lost, switch DNSSEC off before the signatures expire.',
};
/** Errors may have secrets in their text, and are for the operator. */
const FAILED: SigningProblem = {
  reason: 'The step failed because of an error of the service',
  remedy: 'The service tries again every hour. If it lasts, ask the operator: the error is in the log.',
};

/**
 * Takes the due steps of zones that are being signed or unsigned. A step reads secondaries and registries outside any
 * transaction, under a lease, and is committed with the next step; a process that is killed in between leaves a step that is repeated.
 */
@injectable()
export class SigningRunner {
  private timers: readonly NodeJS.Timeout[] = [];
  private sweeping: Promise<number> | undefined;
  private readonly running = new Map<string, Promise<void>>();
  private readonly storageOutage: Outage;

  constructor(
    @inject(UnitOfWork)
    private readonly unitOfWork: UnitOfWork<
      'audit' | 'domains' | 'events' | 'operations' | 'signing' | 'zoneSignings' | 'zones'
    >,
    @inject(ZoneSigningReader) private readonly signings: ZoneSigningReader,
    @inject(SigningSteps) private readonly steps: Pick<SigningSteps, 'take'>,
    @inject(Clock) private readonly clock: Clock,
    @inject(LifecycleClock) private readonly lifecycleClock: LifecycleClock,
    @inject(Log) private readonly log: Log,
    @inject(OperationSettings) private readonly settings: Pick<OperationSettings, 'leaseMs'>,
  ) {
    this.storageOutage = new Outage(log, 'reading due DNSSEC steps');
  }

  /** Takes due steps until `stop`, including those of other processes. */
  start(): void {
    this.timers = [setInterval(() => void this.sweep(), SWEEP_EVERY_MS)];
    for (const timer of this.timers) timer.unref();
  }

  async stop(): Promise<void> {
    for (const timer of this.timers) clearInterval(timer);
    this.timers = [];
    await this.sweeping;
    await Promise.all(this.running.values());
  }

  /** Takes the zone's due steps. Returns at once; does nothing before `start`. */
  wake(domainId: string): void {
    if (this.timers.length > 0) void this.advance(domainId);
  }

  /** Takes all due steps, waits for them and returns how many zones were due. Does nothing before `start`. */
  async runDue(): Promise<number> {
    if (this.timers.length === 0) return 0;
    await this.sweeping;
    return this.sweep();
  }

  /** When the next step of any zone is due, by the lifecycle clock. */
  async nextDueAt(): Promise<Date | undefined> {
    return this.signings.nextDueAt();
  }

  /** One run at a time; returns the running one, if any. */
  private sweep(): Promise<number> {
    return (this.sweeping ??= this.runSweep().finally(() => (this.sweeping = undefined)));
  }

  private async runSweep(): Promise<number> {
    try {
      const due = [...(await this.signings.due(this.lifecycleClock.now(), SWEEP_BATCH))];
      this.storageOutage.recordSuccess();
      const found = due.length;
      const worker = async (): Promise<void> => {
        for (let next = due.shift(); next; next = due.shift()) await this.advance(next.id);
      };
      await Promise.all(Array.from({ length: CONCURRENT_ZONES }, worker));
      return found;
    } catch (error) {
      this.storageOutage.recordFailure(error);
      return 0;
    }
  }

  /** Never fails: a step that an outage stopped is due again after its lease. */
  private advance(domainId: string): Promise<void> {
    const running = this.running.get(domainId);
    if (running) return running;
    const advancing = this.takeSteps(domainId)
      .catch((error: unknown) =>
        this.log[levelOf(error)]({ err: error, domainId }, 'a DNSSEC step failed and is retried'),
      )
      .finally(() => this.running.delete(domainId));
    this.running.set(domainId, advancing);
    return advancing;
  }

  private async takeSteps(domainId: string): Promise<void> {
    for (let step = 0; step < MAX_STEPS; step += 1) {
      const claimed = await this.claim(domainId);
      if (!claimed) return;
      const effect = await this.takeStep(claimed);
      await effect?.afterwards?.();
    }
  }

  /**
   * Takes a step and commits it. Returns undefined if it was not committed: what fails otherwise than by an outage would fail again at
   * once, so it is shown, and tried again after an hour.
   */
  private async takeStep(claimed: ClaimedZone): Promise<StepEffect | undefined> {
    try {
      const effect = await this.take(claimed);
      return (await this.commit(claimed, effect)) ? effect : undefined;
    } catch (error) {
      if (error instanceof RegistryUnavailable || error instanceof StorageUnavailable) throw error;
      const { domainId, step } = claimed.signing;
      this.log.error({ err: error, domainId, step }, 'a DNSSEC step failed and is tried again in an hour');
      await this.commit(claimed, { apply: async (_stores, signing, now) => signing.fail(problemOf(error), now) });
      return undefined;
    }
  }

  /** However long it takes: the lease is extended meanwhile. */
  private async take(claimed: ClaimedZone): Promise<StepEffect> {
    let extending: Promise<void> | undefined;
    const extend = () => (extending ??= this.extend(claimed).finally(() => (extending = undefined)));
    const timer = setInterval(() => void extend(), this.settings.leaseMs / 3).unref();
    try {
      return await this.steps.take(claimed);
    } finally {
      clearInterval(timer);
      await extending;
    }
  }

  /** Puts the step off for the time of a lease, so that no other process takes it meanwhile. */
  private async claim(domainId: string): Promise<ClaimedZone | undefined> {
    return this.unitOfWork.run(async ({ domains, zoneSignings }) => {
      const domain = await domains.lockIfFree(domainId);
      const signing = domain && (await zoneSignings.lockIfFree(domainId));
      if (!domain || !signing?.isDue(this.lifecycleClock.now())) return undefined;
      signing.schedule(this.leaseEnd());
      await zoneSignings.save(signing);
      return { signing, domain };
    });
  }

  /** Never fails, and does nothing if the zone was changed since the claim. The claimed copy follows, so that the commit recognizes it. */
  private async extend({ signing: claimed }: ClaimedZone): Promise<void> {
    const { domainId } = claimed;
    const until = this.leaseEnd();
    try {
      const isExtended = await this.unitOfWork.run(async ({ zoneSignings }) => {
        const signing = await zoneSignings.lock(domainId);
        if (!signing || !isUnchanged(signing, claimed)) return false;
        signing.schedule(until);
        await zoneSignings.save(signing);
        return true;
      });
      if (isExtended) claimed.schedule(until);
    } catch (error) {
      this.log[levelOf(error)]({ err: error, domainId }, 'the lease of a DNSSEC step could not be extended');
    }
  }

  private leaseEnd(): Date {
    return new Date(this.lifecycleClock.now().getTime() + this.settings.leaseMs);
  }

  /** Returns false, and does nothing, if the zone was changed since the claim: by a request, or by another process after it ran out. */
  private async commit({ signing: claimed, domain }: ClaimedZone, effect: StepEffect): Promise<boolean> {
    const { accountId } = domain.toState();
    return this.unitOfWork.run(async (stores) => {
      const { audit, domains, events, zoneSignings } = stores;
      // The first leaves out deleted domains.
      const current = (await domains.lockAny(claimed.domainId)) ?? (await domains.lockIfFree(claimed.domainId));
      const signing = await zoneSignings.lock(claimed.domainId);
      if (!current || !signing || !isUnchanged(signing, claimed)) return false;
      const { shownState: before, waitsFor } = signing;
      const outcome = await effect.apply(stores, signing, this.lifecycleClock.now(), current);
      const after = outcome === 'off' ? 'off' : signing.shownState;
      if (outcome === 'off') await zoneSignings.remove(claimed.domainId);
      else await zoneSignings.save(signing);
      const at = this.clock.now();
      if (before === after) await events.append(...signingProgressed(current, waitsFor, signing, at));
      else await audit.append(signingChanged({ at, actor: SERVICE, domain: current, before, after }));
      return true;
    }, accountId);
  }
}

function problemOf(error: unknown): SigningProblem {
  return error instanceof SealBroken ? UNREADABLE_KEY : FAILED;
}

function isUnchanged(signing: ZoneSigning, claimed: ZoneSigning): boolean {
  const [{ step, dueAt }, before] = [signing.toState(), claimed.toState()];
  return step === before.step && dueAt.getTime() === before.dueAt.getTime();
}
