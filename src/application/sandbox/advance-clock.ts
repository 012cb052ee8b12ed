import { inject, injectable } from '../ports/inject';
import { addDays, DAY_MS } from '../../domain/shared/time/calendar';
import { ValidationError } from '../../domain/shared/validation-error';
import { LifecycleSync } from '../lifecycle/lifecycle-sync';
import { Log } from '../ports/system';
import { LATEST_SANDBOX_TIME, RegistrySandbox } from '../ports/registry/registry-sandbox';

const MAX_DAYS = 3_660;
/** Events within one step run together. The step grows from an hour to a day while every step has events. */
const MIN_STEP_MS = DAY_MS / 24;
const MAX_STEP_MS = DAY_MS;

/**
 * Advances the clock of the registry and the service. Stops whenever something is due and runs it, like a service that runs
 * all that time. One run at a time.
 */
@injectable()
export class AdvanceClock {
  private previous: Promise<unknown> = Promise.resolve();

  constructor(
    @inject(RegistrySandbox) private readonly sandbox: RegistrySandbox,
    @inject(LifecycleSync) private readonly lifecycle: Pick<LifecycleSync, 'runDue' | 'nextDueAt'>,
    @inject(Log) private readonly log: Log,
  ) {}

  /** Returns the registry's time before and after. @throws ValidationError */
  async execute({ days }: { days: number }): Promise<{ readonly from: Date; readonly now: Date }> {
    if (!(days >= 0 && days <= MAX_DAYS)) throw ValidationError.of('days', `must be a number from 0 to ${MAX_DAYS}`);
    const run = this.previous.then(() => this.advance(days));
    this.previous = run.catch(() => undefined);
    return run;
  }

  private async advance(days: number): Promise<{ readonly from: Date; readonly now: Date }> {
    const from = await this.sandbox.time();
    const target = addDays(from, days);
    if (target > LATEST_SANDBOX_TIME)
      throw ValidationError.of('days', `must not advance the clock beyond ${LATEST_SANDBOX_TIME.toISOString()}`);
    let now = from;
    let step = MIN_STEP_MS;
    let next = await this.runDue(now);
    while (now < target) {
      const soonest = new Date(now.getTime() + step);
      step = next && next < soonest ? Math.min(2 * step, MAX_STEP_MS) : MIN_STEP_MS;
      const stop = next && next > soonest ? next : soonest;
      now = await this.moveTo(next && stop < target ? stop : target);
      next = await this.runDue(now);
    }
    this.log.info({ from, now }, 'the lifecycle clock was advanced');
    return { from, now };
  }

  /** The registry's clock runs, so it may already be there. */
  private async moveTo(instant: Date): Promise<Date> {
    const distance = instant.getTime() - (await this.sandbox.time()).getTime();
    return this.sandbox.advance(Math.max(distance, 0) / DAY_MS);
  }

  /** Runs the checks that are due by `now`. Returns when the next one is due. */
  private async runDue(now: Date): Promise<Date | undefined> {
    let before: Date | undefined;
    for (;;) {
      await this.lifecycle.runDue();
      const next = await this.lifecycle.nextDueAt();
      if (!next || next > now || next.getTime() === before?.getTime()) return next;
      before = next;
    }
  }
}
