import { CheckOperation } from '../../../../src/application/registration/operations/check-operation';
import { RateLimitExceeded } from '../../../../src/domain/access/access-errors';
import { OperationNotFound } from '../../../../src/domain/registration/registration-errors';
import { closeScenarios, openScenario, pass } from '../../../support/use-cases/registration-scenario';
import { OURS, STRANGER } from '../../../support/use-cases/use-case-context';

describe('a check of an operation', () => {
  it('asks the registry at once about an uncertain outcome, at most once in five seconds, and for its own account only', async () => {
    const { around, scenario } = openScenario();
    const checkOperation = new CheckOperation(around.storage.operations, around.storage, scenario.runner, around.clock);
    await around.givenDomain({ id: 'dom_1' });
    for (let failures = 0; failures < 40; failures += 1) around.registry.next('renew').isUnreachable();
    const renewing = scenario.renewDomain.execute({ ...OURS, domainId: 'dom_1', years: 1 }).catch(() => undefined);
    await pass(around, 20_000);
    await renewing;
    const current = () => [...around.storage.tables.operations.values()][0]!;
    const operation = current();
    // The back-off has jitter: go on until the last attempt is over five seconds old and the next one is not near.
    const now = () => around.clock.now().getTime();
    while (now() - current().updatedAt.getTime() < 5_000 || (current().nextAttemptAt?.getTime() ?? 0) < now() + 1_000)
      await pass(around, 500);
    const asked = () => around.registry.calls.length;

    await expect(checkOperation.execute({ accountId: STRANGER.accountId, operationId: operation.id })).rejects.toThrow(
      OperationNotFound,
    );
    expect(around.storage.tables.operations.get(operation.id)).toMatchObject({ status: 'uncertain' });
    const before = asked();
    await checkOperation.execute({ accountId: OURS.accountId, operationId: operation.id });
    await pass(around, 100);
    expect(asked()).toBeGreaterThan(before);
    await expect(checkOperation.execute({ accountId: OURS.accountId, operationId: operation.id })).rejects.toThrow(
      RateLimitExceeded,
    );
    await closeScenarios(around, scenario);
  });
});
