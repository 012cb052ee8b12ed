import { inject, injectable } from 'inversify';
import { addDays, DAY_MS } from '../../domain/shared/calendar';
import { ValidationError } from '../../domain/shared/validation-error';
import { LifecycleSync } from '../lifecycle/lifecycle-sync';
import { Log } from '../ports/system/log';
import { LATEST_SANDBOX_TIME, RegistrySandbox } from '../ports/registry/registry-sandbox';

const MAX_DAYS = 3_660;
/** What is due within an hour of one another is done together; where there is always something, within up to a day. */
const SHORTEST_STRIDE_MS = DAY_MS / 24;
const LONGEST_STRIDE_MS = DAY_MS;

/**
 * Lets days go by at the registry and here. Time stops wherever something is due, and goes on when it is done: what a
 * service that runs for all those days would do, it does, each thing in its time. One journey at a time.
 */
@injectable()
export class AdvanceClock {
  private before: Promise<unknown> = Promise.resolve();

  constructor(
    @inject(RegistrySandbox) private readonly sandbox: RegistrySandbox,
    @inject(LifecycleSync) private readonly lifecycle: Pick<LifecycleSync, 'settle' | 'nextDueAt'>,
    @inject(Log) private readonly log: Log,
  ) {}

  /** Answers the registry's time before and after. @throws ValidationError */
  async execute({ days }: { days: number }): Promise<{ readonly from: Date; readonly now: Date }> {
    if (!(days >= 0 && days <= MAX_DAYS)) throw ValidationError.of('days', `must be a number from 0 to ${MAX_DAYS}`);
    const journey = this.before.then(() => this.travel(days));
    this.before = journey.catch(() => undefined);
    return journey;
  }

  private async travel(days: number): Promise<{ readonly from: Date; readonly now: Date }> {
    const from = await this.sandbox.time();
    const destination = addDays(from, days);
    if (destination > LATEST_SANDBOX_TIME)
      throw ValidationError.of('days', `must not lead beyond ${LATEST_SANDBOX_TIME.toISOString()}`);
    let now = from;
    let stride = SHORTEST_STRIDE_MS;
    let next = await this.settle(now);
    while (now < destination) {
      const soonest = new Date(now.getTime() + stride);
      stride = next && next < soonest ? Math.min(2 * stride, LONGEST_STRIDE_MS) : SHORTEST_STRIDE_MS;
      const stop = next && next > soonest ? next : soonest;
      now = await this.moveTo(next && stop < destination ? stop : destination);
      next = await this.settle(now);
    }
    this.log.info({ from, now }, 'the time in which domains live was moved');
    return { from, now };
  }

  /** The registry's time goes by all the while: it may be there already. */
  private async moveTo(instant: Date): Promise<Date> {
    const distance = instant.getTime() - (await this.sandbox.time()).getTime();
    return this.sandbox.advance(Math.max(distance, 0) / DAY_MS);
  }

  /** Does what is due by `now`, as far as it can be done. Answers when something is due next. */
  private async settle(now: Date): Promise<Date | undefined> {
    let before: Date | undefined;
    for (;;) {
      await this.lifecycle.settle();
      const next = await this.lifecycle.nextDueAt();
      if (!next || next > now || next.getTime() === before?.getTime()) return next;
      before = next;
    }
  }
}
