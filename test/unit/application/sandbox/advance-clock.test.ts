import type { LifecycleSync } from '../../../../src/application/lifecycle/lifecycle-sync';
import { AdvanceClock } from '../../../../src/application/sandbox/advance-clock';
import type { RegistrySandbox } from '../../../../src/application/ports/registry/registry-sandbox';
import { addDays } from '../../../../src/domain/shared/time/calendar';
import { RecordingLog } from '../../../support/fakes/recording-log';

const START = new Date('2026-01-01T00:00:00.000Z');
const day = (count: number) => addDays(START, count);

/** A registry's clock, and things due at times of which each takes one settling. */
class Journey implements Pick<LifecycleSync, 'runDue' | 'nextDueAt'> {
  now = START;
  readonly settledAt: Date[] = [];
  readonly log = new RecordingLog();
  settling: () => Promise<void> = async () => undefined;
  private readonly due: Date[];

  constructor(...due: readonly Date[]) {
    this.due = [...due];
  }

  get advanceClock(): AdvanceClock {
    const sandbox: Pick<RegistrySandbox, 'time' | 'advance'> = {
      time: async () => this.now,
      advance: async (days) => (this.now = addDays(this.now, days)),
    };
    return new AdvanceClock(sandbox as RegistrySandbox, this, this.log);
  }

  async runDue(): Promise<void> {
    this.settledAt.push(this.now);
    await this.settling();
    while (this.due[0] && this.due[0] <= this.now) this.due.shift();
  }

  async nextDueAt(): Promise<Date | undefined> {
    return this.due[0];
  }
}

describe('advancing the clock', () => {
  it('ends at a time that is never passed, however often it is moved', async () => {
    const journey = new Journey();
    for (let leap = 0; leap < 17; leap += 1) await journey.advanceClock.execute({ days: 3_660 });
    const before = journey.now;

    await expect(journey.advanceClock.execute({ days: 3_660 })).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      issues: [{ path: 'days', message: 'must not advance the clock beyond 2200-01-01T00:00:00.000Z' }],
    });

    expect(journey.now).toEqual(before);
  });

  it('stops at every time at which something is due, and settles it', async () => {
    const journey = new Journey(day(30), day(365), day(395));

    const { from, now } = await journey.advanceClock.execute({ days: 400 });

    expect([from, now]).toEqual([START, day(400)]);
    expect(journey.settledAt).toEqual([START, day(30), day(365), day(395), day(400)]);
  });

  it('does not run checks that are due after the end', async () => {
    const journey = new Journey(day(11));

    await journey.advanceClock.execute({ days: 10 });

    expect(journey.settledAt).toEqual([START, day(10)]);
  });

  it('returns the time and runs the due checks if zero days are requested', async () => {
    const journey = new Journey();

    expect(await journey.advanceClock.execute({ days: 0 })).toEqual({ from: START, now: START });
    expect(journey.settledAt).toEqual([START]);
  });

  it('ends even if something stays due forever', async () => {
    const journey = new Journey(day(1));
    journey.nextDueAt = async () => day(1);

    const { now } = await journey.advanceClock.execute({ days: 2 });

    expect(now).toEqual(day(2));
  });

  it('takes longer steps if something is always due, a day at most', async () => {
    const journey = new Journey(
      ...Array.from({ length: 3_000 }, (_, index) => new Date(START.getTime() + index * 600_000)),
    );

    await journey.advanceClock.execute({ days: 20 });

    const strides = journey.settledAt
      .slice(1)
      .map((at, index) => (at.getTime() - (journey.settledAt[index]?.getTime() ?? 0)) / 3_600_000);
    expect(strides.slice(0, 5)).toEqual([1, 2, 4, 8, 16]);
    expect(Math.max(...strides)).toBe(24);
  });

  it('settles again if not everything could be done at once', async () => {
    const journey = new Journey(day(1));
    const left = [day(1), day(1)];
    journey.nextDueAt = async () => (journey.now < day(1) ? day(1) : left.shift());

    await journey.advanceClock.execute({ days: 1 });

    expect(journey.settledAt).toEqual([START, day(1), day(1)]);
  });

  it('does not hide an error', async () => {
    const journey = new Journey();
    journey.settling = () => Promise.reject(new TypeError('a bug'));

    await expect(journey.advanceClock.execute({ days: 2 })).rejects.toThrow('a bug');
  });

  it('runs one attempt after another', async () => {
    const journey = new Journey();
    const { advanceClock } = journey;

    const [first, second] = await Promise.all([advanceClock.execute({ days: 1 }), advanceClock.execute({ days: 2 })]);

    expect([first, second]).toEqual([
      { from: START, now: day(1) },
      { from: day(1), now: day(3) },
    ]);
  });

  it.each([-1, 3_661, Number.NaN])('refuses %s days', async (days) => {
    await expect(new Journey().advanceClock.execute({ days })).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      details: 'days must be a number from 0 to 3660',
    });
  });
});
