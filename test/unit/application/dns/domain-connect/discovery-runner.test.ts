import { DiscoveryRunner } from '../../../../../src/application/dns/domain-connect/discovery-runner';
import { MovableClock } from '../../../../support/fakes/movable-clock';
import { InMemoryStorage } from '../../../../support/fakes/in-memory/in-memory-storage';
import { RecordingLog } from '../../../../support/fakes/recording-log';
import { SequentialIds } from '../../../../support/fakes/sequential-ids';

const OFF = { url: undefined };

describe('publication of discovery records after Domain Connect was switched off', () => {
  it('is finished at the next run if a process lost its lease in the middle, and then not repeated', async () => {
    jest.useFakeTimers();
    const { leases } = new InMemoryStorage(new SequentialIds(), new MovableClock());
    const passes: string[] = [];
    const execute = async (stopping: AbortSignal) => {
      if (passes.length > 0) {
        passes.push('whole');
        return;
      }
      const owner = (await leases.find('discovery'))?.owner ?? '';
      await leases.release('discovery', owner);
      await leases.hold('discovery', 'another process');
      await jest.advanceTimersByTimeAsync(6_000);
      passes.push(stopping.aborted ? 'interrupted' : 'whole');
      await leases.release('discovery', 'another process');
    };
    const runner = new DiscoveryRunner({ execute } as never, OFF, leases, new RecordingLog());

    for (let run = 0; run < 3; run += 1) await runner.run();
    jest.useRealTimers();

    expect(passes).toEqual(['interrupted', 'whole']);
  });
});
