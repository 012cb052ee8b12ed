import { StorageFailing, StorageSlow } from '../../../../src/application/ports/storage/storage-unavailable';
import type { Database } from '../../../../src/infrastructure/persistence/database/database';
import { DatabaseReadiness } from '../../../../src/infrastructure/persistence/database-readiness';
import { MovableClock } from '../../../support/fakes/movable-clock';
import { RecordingLog } from '../../../support/fakes/recording-log';

describe('the readiness of a database with a slow disk', () => {
  let elapsedMs: number;
  let log: RecordingLog;
  let finishWrite: (error?: Error) => void;
  let readiness: DatabaseReadiness;
  /** A check whose write takes so long. */
  const checkWith = async (writeMs: number, error?: Error) => {
    const checking = readiness.check();
    await Promise.resolve();
    await Promise.resolve();
    elapsedMs += writeMs;
    finishWrite(error);
    const outcome = await checking.catch((reason: unknown) => reason);
    await new Promise(setImmediate);
    elapsedMs += 10_000;
    return outcome;
  };

  beforeEach(() => {
    elapsedMs = 0;
    log = new RecordingLog();
    const database = {
      query: async () => [],
      transaction: () =>
        new Promise<void>((resolve, reject) => {
          finishWrite = (error) => (error ? reject(error) : resolve());
        }),
    } as unknown as Database;
    readiness = new DatabaseReadiness(database, new MovableClock(), log, () => elapsedMs);
  });

  it('is slow after a write of over a second, without waiting for the next one, until a write is fast again', async () => {
    expect(readiness.writeMs).toBeUndefined();
    expect(await checkWith(2_000)).toBeUndefined();

    expect(await checkWith(2_100)).toBeInstanceOf(StorageSlow);
    expect(readiness.writeMs).toBe(2_100);
    expect(await checkWith(20)).toBeInstanceOf(StorageSlow);
    expect(await checkWith(20)).toBeUndefined();
    expect(readiness.writeMs).toBe(20);
  });

  it('logs one line when writes become slow, with their time, and one when they are fast again', async () => {
    for (const writeMs of [20, 2_000, 2_100, 900, 1_900, 20, 20]) await checkWith(writeMs);

    expect(log.entries).toMatchObject([
      { level: 'warn', facts: { seconds: 2 }, message: expect.stringContaining('is its disk slow') },
      { level: 'info', message: 'the database is no longer slow' },
    ]);
  });

  it('shows the error of a write that failed while it was slow', async () => {
    await checkWith(2_000);

    expect(await checkWith(2_000, new StorageFailing())).toBeInstanceOf(StorageSlow);
    expect(await checkWith(20, new StorageFailing())).toBeInstanceOf(StorageFailing);
  });
});
