import { setTimeout as sleep } from 'node:timers/promises';
import { StorageUnavailable } from '../../../../../src/application/ports/storage/storage-unavailable';
import { NameserverClient } from '../../../../../src/infrastructure/nameserver/nameserver-client';
import { NOTIFY_TIMES } from '../../../../../src/infrastructure/nameserver/notify/notify-times';
import { Notifier } from '../../../../../src/infrastructure/nameserver/notify/notifier';
import { PublicationRecorder } from '../../../../../src/infrastructure/nameserver/notify/publication-recorder';
import { SecondaryQueries } from '../../../../../src/infrastructure/nameserver/notify/secondary-queries';
import { ServedSerials } from '../../../../../src/infrastructure/nameserver/notify/served-serials';
import { InMemoryStorage } from '../../../../support/fakes/in-memory/in-memory-storage';
import { MovableClock } from '../../../../support/fakes/movable-clock';
import { RecordingLog } from '../../../../support/fakes/recording-log';
import { SequentialIds } from '../../../../support/fakes/sequential-ids';

describe('the notifier', () => {
  it('logs a database outage as one warning, and its end as one line', async () => {
    const clock = new MovableClock();
    const storage = new InMemoryStorage(new SequentialIds(), clock);
    const log = new RecordingLog();
    let failures = 2;
    const { leases } = storage;
    const [client, servedSerials] = [new NameserverClient(1_000), new ServedSerials()];
    const recorder = new PublicationRecorder({
      publications: { unrecorded: async () => [] },
      record: async () => undefined,
      queries: new SecondaryQueries(storage.secondaryDirectory, client, servedSerials, clock),
      clock,
      log,
    });
    const notifier = new Notifier({
      zones: storage.publishedZones,
      directory: storage.secondaryDirectory,
      leases: {
        find: async (name) => {
          if (failures > 0) {
            failures -= 1;
            throw new StorageUnavailable();
          }
          return leases.find(name);
        },
        hold: leases.hold.bind(leases),
        confirm: leases.confirm.bind(leases),
        release: leases.release.bind(leases),
      },
      client,
      servedSerials,
      recorder,
      clock,
      log,
      catalogZone: 'catalog.example',
      times: NOTIFY_TIMES,
    });

    notifier.start({ address: '192.0.2.1', port: 53 });
    while (log.entries.length < 2) await sleep(10);
    await notifier.stop();

    expect(failures).toBe(0);
    expect(log.entries.map(({ level }) => level)).toEqual(['warn', 'info']);
  });
});
