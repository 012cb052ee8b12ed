import { createSecretKey } from 'node:crypto';
import { LifecyclePlan } from '../../../../src/application/lifecycle/lifecycle-plan';
import { DecideTransferOut } from '../../../../src/application/registration/decide-transfer-out';
import { DeleteDomain } from '../../../../src/application/registration/delete-domain';
import { IssueAuthCode } from '../../../../src/application/registration/settings/issue-auth-code';
import { RestoreDomain } from '../../../../src/application/registration/restore-domain';
import { RequestTransfer } from '../../../../src/application/transfers/request-transfer';
import { TransferOrders } from '../../../../src/application/transfers/transfer-orders';
import type { OperationQueue, OperationIntent } from '../../../../src/application/operations/operation-queue';
import type { TransferRunner } from '../../../../src/application/transfers/transfer-runner';
import { TldPolicies, type RegistryFeature } from '../../../../src/domain/registration/tld-policy';
import { AesSecretBox } from '../../../../src/infrastructure/system/aes-secret-box';
import { aDomain, A_REGISTRANT } from '../../../support/data/a-domain';
import { SOME_TLDS } from '../../../support/data/some-tlds';
import { OURS, UseCaseContext } from '../../../support/use-cases/use-case-context';

const COMMAND = { ...OURS, domainId: 'dom_1' };

function policiesWithout(...unsupported: RegistryFeature[]): TldPolicies {
  return new TldPolicies(SOME_TLDS.map((policy) => ({ ...policy, unsupported })));
}

const reason = (promise: Promise<unknown>) =>
  promise.then(
    () => 'supported',
    ({ code, reason: why, details }: { code: string; reason: string; details: string }) => `${code} ${why}: ${details}`,
  );

describe('what a registrar does not support', () => {
  const around = new UseCaseContext();
  const policies = policiesWithout('auth_code', 'restore', 'delete', 'transfer_in', 'decide_transfer');
  const plan = new LifecyclePlan(policies, { leadDays: 30, retryDays: 1 });
  const active = aDomain();
  /** Builds the request of an intent, as the queue does before it stores anything. */
  const queue = {
    execute: async ({ request }: OperationIntent) => request(active),
  } as unknown as OperationQueue;
  it('is refused with a clear reason before anything is stored: auth codes, deletions, decisions about transfers', async () => {
    expect(await reason(new IssueAuthCode(queue, policies, { ofTransfer: async () => [] }).execute(COMMAND))).toBe(
      'REGISTRY_REJECTED unsupported: The registrar for .com does not support auth codes here. Ask the registrar for the auth code',
    );
    expect(await reason(new DeleteDomain(queue, policies, plan, around.lifecycleClock).execute(COMMAND))).toBe(
      'REGISTRY_REJECTED unsupported: The registrar for .com does not support deleting domains',
    );
    expect(await reason(new DecideTransferOut(queue, policies).execute({ ...COMMAND, decision: 'reject' }))).toBe(
      'REGISTRY_REJECTED unsupported: The registrar for .com does not support approving or rejecting transfers',
    );
  });

  it('is refused before the registry is asked: restores and transfers in', async () => {
    await around.givenDomain({ id: 'dom_1', status: 'redemption' });
    const restore = new RestoreDomain(around.storage.domains, policies, around.registry, queue, around.lifecycleClock);
    const transfer = new RequestTransfer(
      new TransferOrders(around.registry, policies, around.storage),
      around.storage,
      {} as TransferRunner,
      new AesSecretBox(createSecretKey(Buffer.alloc(32, 1))),
      around.ids,
      around.clock,
      around.lifecycleClock,
    );

    expect(await reason(restore.execute(COMMAND))).toMatch(/does not support restoring domains$/);
    expect(
      await reason(transfer.execute({ ...OURS, name: 'other.com', authCode: 'code', registrant: A_REGISTRANT })),
    ).toMatch(/does not support transfers to us$/);
    expect(around.registry.calls).toEqual([]);
  });

  it('is skipped by automatic actions of the service', () => {
    const now = new Date('2027-12-01T00:00:00.000Z');
    const expired = aDomain({
      status: 'expired',
      autoRenew: false,
      authCodeUntil: new Date('2027-01-02T00:00:00.000Z'),
    });
    const limited = new LifecyclePlan(policiesWithout('delete', 'withdraw_auth_code'), { leadDays: 30, retryDays: 1 });

    expect(around.plan.stepsDue(expired.toState(), now)).toEqual(['delete']);
    expect(limited.stepsDue(expired.toState(), now)).toEqual([]);
  });

  it('leaves an expired domain, which the registrar deletes, with one check a day', () => {
    const updatedAt = new Date('2027-12-01T00:00:00.000Z');
    const expired = aDomain({ status: 'expired', autoRenew: false, updatedAt });
    const limited = new LifecyclePlan(policiesWithout('delete'), { leadDays: 30, retryDays: 1 });

    limited.schedule(expired);

    expect(expired.toState().dueAt).toEqual(new Date('2027-12-02T00:00:00.000Z'));
  });
});
