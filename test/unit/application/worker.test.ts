import { Worker } from '../../../src/application/worker';
import { KeyedRequest } from '../../../src/domain/access/keyed-request';
import { OURS, type Surroundings } from '../../support/use-cases/surroundings';
import { NO_CLEAN_UP } from '../../support/use-cases/no-clean-up';
import {
  closeDesks,
  openDesk,
  OPERATION_SETTINGS,
  settled,
  type RegistrationDesk,
} from '../../support/use-cases/registration-desk';

describe('a worker', () => {
  let around: Surroundings;
  let desk: RegistrationDesk;
  const keyed = () => [...around.storage.tables.keyedRequests.values()];
  const aWorker = (alone: boolean) =>
    new Worker(desk.runner, desk.lifecycle, around.storage, around.clock, NO_CLEAN_UP, {
      ...OPERATION_SETTINGS,
      alone,
    });

  /** A request with a key that a process has in hand, which is silent since. */
  beforeEach(async () => {
    ({ around, desk } = openDesk());
    const now = around.clock.now();
    const request = KeyedRequest.begin(
      { accountId: OURS.accountId, key: 'key', fingerprint: 'a'.repeat(64), operationId: 'op_1' },
      now,
    );
    request.hold('a dead process', new Date(now.getTime() + OPERATION_SETTINGS.leaseMs));
    await around.storage.run(({ keyedRequests }) => keyedRequests.add(request));
  });

  afterEach(() => closeDesks(around, desk));

  it.each([
    ['frees', true, null],
    ['leaves to their holders', false, 'a dead process'],
  ])('%s the requests in hand when it starts, where alone is %s', async (_what, alone, holder) => {
    const worker = aWorker(alone);

    await worker.start();
    await settled();
    await worker.stop();

    expect(keyed()).toMatchObject([{ holder }]);
  });
});
