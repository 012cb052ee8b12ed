import type { SecondaryReport, UnrecordedZone } from '../../../../../src/application/ports/dns/publishing';
import { StorageUnavailable } from '../../../../../src/application/ports/storage/storage-unavailable';
import { PublicationRecorder } from '../../../../../src/infrastructure/nameserver/notify/publication-recorder';
import { MovableClock } from '../../../../support/fakes/movable-clock';
import { RecordingLog } from '../../../../support/fakes/recording-log';

const ZONE = 'example.com';

function zone(serial: number): UnrecordedZone {
  return { domainId: 'dom_1', accountId: 'acc_1', zoneName: ZONE, version: serial, serial };
}

async function pass(ms: number): Promise<void> {
  await jest.advanceTimersByTimeAsync(ms);
}

describe('the recorder of published zones', () => {
  let clock: MovableClock;
  let recorder: PublicationRecorder;
  /** The present serial of the zone in the database, and what its secondaries serve; undefined: no answer. */
  let present: number;
  let served: (number | undefined)[];
  let recorded: number[];
  let lookUps: number;
  let outages: number;

  const report = (serial: number | undefined, index: number): SecondaryReport => ({
    secondary: `ns${index}`,
    answer: serial === undefined ? { kind: 'unreachable' } : { kind: 'serves', serial, since: clock.now() },
  });
  const offer = (serial: number) => recorder.offer({ zoneName: ZONE, serial });

  beforeEach(() => {
    jest.useFakeTimers();
    clock = new MovableClock();
    [present, served, recorded, lookUps, outages] = [1, [1, 1], [], 0, 0];
    recorder = new PublicationRecorder({
      publications: {
        unrecorded: async (names) => {
          if ((outages -= 1) >= 0) throw new StorageUnavailable();
          lookUps += names.length;
          return names.includes(ZONE) && !recorded.includes(present) ? [zone(present)] : [];
        },
      },
      record: async (published) => {
        recorded.push(...published.map(({ serial }) => serial));
      },
      queries: { query: async () => served.map(report) },
      clock,
      log: new RecordingLog(),
    });
  });
  afterEach(async () => {
    await recorder.clear();
    jest.useRealTimers();
  });

  it('records a serial that every secondary serves, and looks up no offer that repeats it', async () => {
    offer(1);
    await pass(100);
    const once = lookUps;
    for (let poll = 0; poll < 10; poll += 1) {
      offer(1);
      await pass(200);
    }

    expect([recorded, once, lookUps]).toEqual([[1], 1, 1]);
  });

  it.each([
    ['one secondary is behind', [1, 0]],
    ['one secondary does not answer', [1, undefined]],
    ['there is no secondary', []],
  ])('records nothing if %s, and the serial when it is offered again', async (_state, behind) => {
    served = behind;
    offer(1);
    await pass(10_000);
    expect([recorded, recorder.pendingSince]).toEqual([[], Infinity]);

    served = [1, 1];
    offer(1);
    await pass(100);

    expect(recorded).toEqual([1]);
  });

  it('asks the secondaries again for two seconds, because one that has served a serial may be queried a moment too early', async () => {
    served = [1, 0];
    offer(1);
    await pass(1_000);
    served = [1, 1];
    await pass(100);

    expect(recorded).toEqual([1]);
  });

  it('records some serials of a zone that is never at rest, and the last one', async () => {
    for (present = 1; present <= 100; present += 1) {
      // Secondaries are always three changes behind.
      served = [present - 3, present - 3];
      offer(present - 3);
      await pass(50);
    }
    const meanwhile = recorded.length;
    present = 100;
    served = [100, 100];
    offer(100);
    await pass(1_000);

    expect(meanwhile).toBeGreaterThan(5);
    expect(recorded.at(-1)).toBe(100);
    expect(new Set(recorded).size).toBe(recorded.length);
  });

  it('holds the stored progress of comparisons until it has written what it was offered, also after a database outage', async () => {
    outages = 3;
    const changedAt = clock.now().getTime();
    offer(1);
    await pass(2_000);
    expect([recorded, recorder.pendingSince]).toEqual([[], changedAt]);

    await pass(2_000);

    expect([recorded, recorder.pendingSince]).toEqual([[1], Infinity]);
  });
});
