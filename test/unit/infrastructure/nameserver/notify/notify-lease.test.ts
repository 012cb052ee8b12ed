import { NotifyLease } from '../../../../../src/infrastructure/nameserver/notify/notify-lease';
import { InMemoryStorage } from '../../../../support/fakes/in-memory/in-memory-storage';
import { MovableClock } from '../../../../support/fakes/movable-clock';
import { SequentialIds } from '../../../../support/fakes/sequential-ids';

const HERE = { address: '192.0.2.1', port: 53 };
const THERE = { address: '192.0.2.2', port: 53 };

describe('the NOTIFY lease', () => {
  let clock: MovableClock;
  let leases: InMemoryStorage['leases'];

  beforeEach(() => {
    jest.useFakeTimers();
    clock = new MovableClock();
    leases = new InMemoryStorage(new SequentialIds(), clock).leases;
  });
  afterEach(() => jest.useRealTimers());

  it('stays with a holder that sends heartbeats, even if the wall clock jumps', async () => {
    const [one, other] = [new NotifyLease(leases, HERE), new NotifyLease(leases, THERE)];
    const held: boolean[][] = [];
    for (let second = 0; second < 10; second += 1) {
      held.push([await one.hold(), await other.hold()]);
      clock.advance({ ms: 1_000_000 });
      jest.advanceTimersByTime(1_000);
    }

    expect(held).toEqual(Array.from({ length: 10 }, () => [true, false]));
  });

  it('is taken over after two missed heartbeats, and the former holder gives it up', async () => {
    const [one, other] = [new NotifyLease(leases, HERE), new NotifyLease(leases, THERE)];
    await one.hold();
    await other.hold();

    jest.advanceTimersByTime(2_400);
    const early = await other.hold();
    jest.advanceTimersByTime(100);

    expect([early, await other.hold(), await one.hold()]).toEqual([false, true, false]);
  });

  it('is taken over at once from an earlier process at the same address of the same host', async () => {
    await new NotifyLease(leases, HERE).hold();

    expect(await new NotifyLease(leases, THERE).hold()).toBe(false);
    expect(await new NotifyLease(leases, HERE).hold()).toBe(true);
  });

  it('moves at most once between two hosts with the same name and address', async () => {
    const [one, other] = [new NotifyLease(leases, HERE), new NotifyLease(leases, HERE)];
    const held = [await one.hold(), await other.hold()];
    jest.advanceTimersByTime(1_000);

    expect([...held, await one.hold(), await other.hold()]).toEqual([true, true, false, true]);
  });

  it('can be taken at once after its holder releases it', async () => {
    const [one, other] = [new NotifyLease(leases, HERE), new NotifyLease(leases, THERE)];
    await one.hold();
    await one.release();

    expect(await other.hold()).toBe(true);
  });

  it('is not taken over right after a database outage', async () => {
    const [one, other] = [new NotifyLease(leases, HERE), new NotifyLease(leases, THERE)];
    await one.hold();
    await other.hold();
    const find = jest.spyOn(leases, 'find').mockRejectedValue(new Error('on purpose'));
    await expect(other.hold()).rejects.toThrow('on purpose');
    find.mockRestore();
    jest.advanceTimersByTime(10_000);

    expect([await other.hold(), await one.hold()]).toEqual([false, true]);
  });
});
