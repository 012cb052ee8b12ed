import { RaiseVersions } from '../../../../../src/application/dns/publishing/raise-versions';
import { MovableClock } from '../../../../support/fakes/movable-clock';

const STEP = 2 ** 20;
const HALF = 2 ** 31;

describe('serials after a restore', () => {
  const clock = new MovableClock();
  const raisedBy = async (raise?: Parameters<RaiseVersions['execute']>[0], latestChange?: Date): Promise<number> => {
    let raised = 0;
    const directory = {
      latestChange: async () => latestChange,
      raiseVersions: async (step: number) => (raised = step),
    };
    await new RaiseVersions(directory as never, clock).execute(raise);
    return raised;
  };

  it('are beyond those of an earlier restore of the same backup, which a secondary that cannot be read may have', async () => {
    const since = clock.now();
    clock.advance({ days: 1 });
    const first = await raisedBy({ since });
    const firstByHand = await raisedBy({}, since);
    clock.advance({ ms: 60_000 });

    // A change every tenth of a second.
    expect(await raisedBy({ since })).toBeGreaterThan(first + 600);
    expect(await raisedBy({}, since)).toBeGreaterThan(firstByHand + 600);
  });

  it('are beyond those of every secondary that was read', async () => {
    const since = clock.now();

    expect(await raisedBy({ ahead: 5 * STEP, since })).toBeGreaterThan(5 * STEP);
    expect(await raisedBy({}, undefined)).toBe(STEP);
  });

  it('are raised by less than half of all serials, however old the backup is and however often it is restored', async () => {
    const since = new Date(0);
    const once = await raisedBy({ since });

    expect(once).toBeLessThan(HALF - STEP);
    expect(await raisedBy({ ahead: once, since })).toBe(once + STEP);
  });

  it('are raised if the clock is behind the backup', async () => {
    expect(await raisedBy({ since: new Date(clock.now().getTime() + 60_000) })).toBe(STEP);
  });
});
