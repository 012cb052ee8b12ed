import { FormerLeases, BackgroundWorker } from '../../../../src/application/worker/background-worker';
import { IdempotencyRecord } from '../../../../src/domain/access/idempotency-record';
import { OURS, type UseCaseContext } from '../../../support/use-cases/use-case-context';
import { NO_CLEAN_UP } from '../../../support/use-cases/no-clean-up';
import {
  closeScenarios,
  openScenario,
  OPERATION_SETTINGS,
  settled,
  type RegistrationScenario,
} from '../../../support/use-cases/registration-scenario';

describe('a worker', () => {
  let around: UseCaseContext;
  let scenario: RegistrationScenario;
  const keyed = () => [...around.storage.tables.idempotencyRecords.values()];
  const aWorker = (alone: boolean) =>
    new BackgroundWorker(
      scenario.runner,
      scenario.lifecycle,
      scenario.transfers,
      NO_CLEAN_UP,
      NO_CLEAN_UP,
      new FormerLeases(around.storage, around.clock, scenario.transfers, { ...OPERATION_SETTINGS, alone }),
      NO_CLEAN_UP,
    );

  /** A request with an Idempotency-Key whose process stopped responding. */
  beforeEach(async () => {
    ({ around, scenario } = openScenario());
    const now = around.clock.now();
    const request = IdempotencyRecord.begin(
      { accountId: OURS.accountId, key: 'key', fingerprint: 'a'.repeat(64), operationId: 'op_1' },
      now,
    );
    request.hold('a dead process', new Date(now.getTime() + OPERATION_SETTINGS.leaseMs));
    await around.storage.run(({ idempotencyRecords }) => idempotencyRecords.add(request));
  });

  afterEach(() => closeScenarios(around, scenario));

  it.each([
    ['frees', true, null],
    ['leaves to their holders', false, 'a dead process'],
  ])('%s the leases of running requests when it starts with alone = %s', async (_what, alone, holder) => {
    const worker = aWorker(alone);

    await worker.start();
    await settled();
    await worker.stop();

    expect(keyed()).toMatchObject([{ holder }]);
  });
});
