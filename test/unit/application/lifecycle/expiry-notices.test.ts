import { ExpiryNotices } from '../../../../src/application/lifecycle/expiry-notices';
import { addDays } from '../../../../src/domain/shared/time/calendar';
import { aDomain } from '../../../support/data/a-domain';
import { RecordingLog } from '../../../support/fakes/recording-log';
import { UseCaseContext } from '../../../support/use-cases/use-case-context';

/** A tenth of them an hour. */
const MANY = 1_200;
const HOUR_MS = 3_600_000;

async function noticesAfter(days: number, domainCount: number) {
  const { storage, clock } = new UseCaseContext();
  const run = jest.spyOn(storage, 'run');
  const notices = new ExpiryNotices(storage, clock, clock, new RecordingLog());
  await notices.runDue();
  const expiresAt = addDays(clock.now(), 31).getTime();
  await storage.run(async ({ domains }) => {
    for (let index = 0; index < domainCount; index += 1)
      await domains.add(
        aDomain({
          id: `dom_${index}`,
          name: `many-${index}.com`,
          expiresAt: new Date(expiresAt + Math.floor(index / 120) * HOUR_MS),
        }),
      );
  });
  clock.advance({ days });
  run.mockClear();
  const written = await notices.runDue();
  return { written, transactions: run.mock.calls.length };
}

describe('notices of expiries after an outage', () => {
  it('take one transaction if they are few, however long it was', async () => {
    expect(await noticesAfter(10, 3)).toEqual({ written: 3, transactions: 1 });
    expect(await noticesAfter(3_650, 0)).toEqual({ written: 0, transactions: 1 });
  });

  it('take several transactions if they are many, and none is missing or written twice', async () => {
    const { written, transactions } = await noticesAfter(10, MANY);

    expect(written).toBe(MANY);
    expect(transactions).toBeGreaterThan(2);
    expect(transactions).toBeLessThan(20);
  });
});
