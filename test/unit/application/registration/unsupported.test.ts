import { createSecretKey } from 'node:crypto';
import { LifecyclePlan } from '../../../../src/application/operations/lifecycle-plan';
import { DecideTransferOut } from '../../../../src/application/registration/decide-transfer-out';
import { assertNewAutoRenewal } from '../../../../src/application/operations/assert-supported';
import { RegistrationOrders } from '../../../../src/application/registration/registration-orders';
import { DeleteDomain } from '../../../../src/application/registration/delete-domain';
import { ChangeAutoRenewal } from '../../../../src/application/registration/settings/change-auto-renewal';
import { ChangeRegistrant } from '../../../../src/application/registration/settings/change-registrant';
import { ChangeTransferLock } from '../../../../src/application/registration/settings/change-transfer-lock';
import { IssueAuthCode } from '../../../../src/application/registration/settings/issue-auth-code';
import { SyncAfterBackup } from '../../../../src/application/lifecycle/sync-after-backup';
import { BindingQuotes } from '../../../../src/application/operations/binding-quotes';
import { RenewDomain } from '../../../../src/application/registration/renew-domain';
import { RestoreDomain } from '../../../../src/application/registration/restore-domain';
import { RequestTransfer } from '../../../../src/application/transfers/request-transfer';
import type { RegistryDomain } from '../../../../src/application/ports/registry/registry-port';
import { TransferCompletion } from '../../../../src/application/transfers/transfer-completion';
import { TransferOrders } from '../../../../src/application/transfers/transfer-orders';
import type { OperationQueue, OperationIntent } from '../../../../src/application/operations/operation-queue';
import type { TransferRunner } from '../../../../src/application/transfers/transfer-runner';
import { DomainName } from '../../../../src/domain/shared/domain-name';
import { Transfer } from '../../../../src/domain/registration/transfers/transfer';
import { TldPolicies, type RegistryFeature } from '../../../../src/domain/registration/names/tld-policy';
import { addDays } from '../../../../src/domain/shared/time/calendar';
import { AesSecretBox } from '../../../../src/infrastructure/system/aes-secret-box';
import { aDomain, A_REGISTRANT } from '../../../support/data/a-domain';
import { SOME_TLDS } from '../../../support/data/some-tlds';
import { OURS, UseCaseContext } from '../../../support/use-cases/use-case-context';

const SECRETS = new AesSecretBox(createSecretKey(Buffer.alloc(32, 1)));
const COMMAND = { ...OURS, domainId: 'dom_1' };
const ISSUE = { path: 'company_number', message: 'must be present' };

function policiesWithout(...unsupported: RegistryFeature[]): TldPolicies {
  return new TldPolicies(SOME_TLDS.map((policy) => ({ ...policy, unsupported })));
}

const afterBackup = ({ storage, clock }: UseCaseContext) =>
  new SyncAfterBackup({ syncNow: () => Promise.resolve([]) }, storage.domains, clock);

const reason = (promise: Promise<unknown>) =>
  promise.then(
    () => 'supported',
    ({ code, reason: why, details }: { code: string; reason: string; details: string }) => `${code} ${why}: ${details}`,
  );

it('the registrant of a transferred domain is not changed if the registrar does not support it, and a WARN says so', async () => {
  const around = new UseCaseContext();
  const transfer = Transfer.request(
    {
      id: 'tr_1',
      accountId: OURS.accountId,
      actor: OURS.actor,
      name: DomainName.parse('other.com'),
      years: 1,
      price: { minor: 12_00, currency: 'USD' },
      registrant: { ...A_REGISTRANT, lastName: 'Byron' },
      autoRenew: true,
      sealedAuthCode: 'sealed',
      formerExpiry: null,
    },
    around.lifecycleClock.now(),
  );
  const held: RegistryDomain = {
    name: transfer.name,
    phase: 'registered',
    sponsoredByUs: true,
    createdByUs: false,
    createdAt: new Date('2020-01-01T00:00:00.000Z'),
    expiresAt: new Date('2028-01-01T00:00:00.000Z'),
    nameservers: [],
    transferLocked: true,
    transferPending: false,
  };
  const policies = policiesWithout('registrant_change');
  const plan = new LifecyclePlan(policies, { leadDays: 30, retryDays: 1 });
  const completion = new TransferCompletion(
    plan,
    policies,
    around.ids,
    around.clock,
    around.lifecycleClock,
    around.log,
  );

  await around.storage.run((stores) =>
    completion.apply(stores, transfer, { kind: 'completed', held, registrant: A_REGISTRANT }),
  );

  expect([...around.storage.tables.operations.values()]).toEqual([]);
  expect(around.log.entries).toMatchObject([{ level: 'warn', facts: { transferId: 'tr_1', name: 'other.com' } }]);
});

describe('auto-renewal off at a registry that renews every domain automatically', () => {
  const policies = policiesWithout('renewal', 'registrar_renewal');
  const refusal =
    'REGISTRY_REJECTED unsupported: The registry for .com renews every domain and charges for it, so auto-renewal cannot be off. Delete a domain before it expires instead';

  it('is refused before the registry is asked: registrations and transfers', async () => {
    const around = new UseCaseContext();
    const registration = new RegistrationOrders(around.registry, policies, {
      defaultNameservers: ['ns1.default.net', 'ns2.default.net'],
      defaultSearchTlds: [],
      searchTimeoutMs: 1_000,
      currency: 'USD',
    });
    const transfer = new TransferOrders(around.registry, policies, around.storage);
    const order = { ...OURS, name: 'other.com', registrant: A_REGISTRANT, autoRenew: false };

    expect(await reason(registration.review(order, order))).toBe(refusal);
    expect(await reason(transfer.review({ ...order, authCode: 'code' }))).toBe(refusal);
    expect(around.registry.calls).toEqual([]);
  });

  it('is refused for a new domain although the registry accepts it later', () => {
    const com = policiesWithout('renewal').forName(DomainName.parse('other.com'));

    expect(() => assertNewAutoRenewal(false, com)).toThrow(expect.objectContaining({ reason: 'unsupported' }));
    expect(() => assertNewAutoRenewal(true, com)).not.toThrow();
  });

  it('is refused as a change, which changes nothing, and on is allowed', async () => {
    const around = new UseCaseContext();
    await around.givenDomain();
    const plan = new LifecyclePlan(policies, { leadDays: 30, retryDays: 1 });
    const change = new ChangeAutoRenewal(around.storage, plan, around.clock, around.lifecycleClock);

    expect(await reason(change.execute({ ...COMMAND, autoRenew: false }))).toBe(refusal);
    expect(around.storage.tables.domains.get('dom_1')?.autoRenew).toBe(true);
    expect(await reason(change.execute({ ...COMMAND, autoRenew: true }))).toBe('supported');
  });
});

it('a registrant that the registry would refuse is a VALIDATION_ERROR before the registry is asked', async () => {
  const around = new UseCaseContext();
  const policies = new TldPolicies(SOME_TLDS.map((policy) => ({ ...policy, registrantIssues: () => [ISSUE] })));
  const registration = new RegistrationOrders(around.registry, policies, {
    defaultNameservers: ['ns1.default.net', 'ns2.default.net'],
    defaultSearchTlds: [],
    searchTimeoutMs: 1_000,
    currency: 'USD',
  });
  const queue = {
    execute: async ({ request }: OperationIntent) => request(aDomain(), []),
  } as unknown as OperationQueue;
  const order = { ...OURS, name: 'other.com', registrant: A_REGISTRANT };
  const issue = 'VALIDATION_ERROR undefined: PATH.company_number must be present';

  expect(await reason(registration.review(order, order))).toBe(issue.replace('PATH', 'contacts.registrant'));
  expect(
    await reason(
      new TransferOrders(around.registry, policies, around.storage).review({ ...order, authCode: 'auth-code-1' }),
    ),
  ).toBe(issue.replace('PATH', 'registrant'));
  expect(await reason(new ChangeRegistrant(queue, policies).execute({ ...COMMAND, registrant: A_REGISTRANT }))).toBe(
    issue.replace('PATH', 'registrant'),
  );
  expect(around.registry.calls).toEqual([]);
});

describe('features that a registrar does not support', () => {
  const around = new UseCaseContext();
  const policies = policiesWithout(
    'auth_code',
    'restore',
    'delete',
    'transfer_in',
    'decide_transfer',
    'renewal',
    'transfer_lock',
    'registrant_change',
  );
  const plan = new LifecyclePlan(policies, { leadDays: 30, retryDays: 1 });
  const active = aDomain();
  /** Builds the request of an intent, as the queue does before it stores anything. */
  const queue = {
    execute: async ({ request }: OperationIntent) => request(active, []),
  } as unknown as OperationQueue;
  it('is refused with a clear reason before anything is stored: auth codes, deletions, decisions about transfers', async () => {
    expect(await reason(new IssueAuthCode(queue, policies, { ofTransfer: async () => [] }).execute(COMMAND))).toBe(
      'REGISTRY_REJECTED unsupported: The registrar for .com does not support auth codes here. Ask the registrar for the auth code',
    );
    expect(
      await reason(new DeleteDomain(queue, policiesWithout('add_grace'), plan, around.lifecycleClock).execute(COMMAND)),
    ).toBe('REGISTRY_REJECTED unsupported: The registrar for .com does not support deleting domains');
    expect(await reason(new DecideTransferOut(queue, policies).execute({ ...COMMAND, decision: 'reject' }))).toBe(
      'REGISTRY_REJECTED unsupported: The registrar for .com does not support approving or rejecting transfers',
    );
  });

  it('is no deletion in the add grace period if the registrar lacks only later deletions, like name.com', async () => {
    const clock = { now: () => addDays(active.toState().createdAt, 1) };
    const deletion = new DeleteDomain(queue, policies, plan, clock);

    expect(deletion.isPossible(active.toState())).toBe(true);
    expect(await deletion.execute(COMMAND)).toEqual({ kind: 'delete', within: 'add_grace' });
  });

  it('is refused with a clear reason: transfer locks and changes of the registrant', async () => {
    expect(await reason(new ChangeTransferLock(queue, policies).execute({ ...COMMAND, locked: true }))).toBe(
      'REGISTRY_REJECTED unsupported: The registrar for .com does not support transfer locks',
    );
    expect(await reason(new ChangeRegistrant(queue, policies).execute({ ...COMMAND, registrant: A_REGISTRANT }))).toBe(
      'REGISTRY_REJECTED unsupported: The registrar for .com does not support changing the registrant here',
    );
  });

  it('is refused before a price is asked for: renewals on request', async () => {
    await around.givenDomain({ id: 'dom_2', name: 'renewed.com' });
    const { storage, registry, lifecycleClock } = around;
    const renew = new RenewDomain(
      storage.domains,
      policies,
      registry,
      queue,
      lifecycleClock,
      afterBackup(around),
      new BindingQuotes(SECRETS, around.clock),
    );

    expect(await reason(renew.execute({ ...OURS, domainId: 'dom_2' }))).toMatch(
      /does not support renewing on request: it renews domains by itself$/,
    );
    expect(registry.calls).toEqual([]);
  });

  it('is refused before the registry is asked: restores and transfers in', async () => {
    await around.givenDomain({ id: 'dom_1', status: 'redemption' });
    const restore = new RestoreDomain(
      around.storage.domains,
      policies,
      around.registry,
      queue,
      around.lifecycleClock,
      afterBackup(around),
      new BindingQuotes(SECRETS, around.clock),
    );
    const transfer = new RequestTransfer(
      new TransferOrders(around.registry, policies, around.storage),
      around.storage,
      {} as TransferRunner,
      SECRETS,
      around.ids,
      around.clock,
      around.lifecycleClock,
      new BindingQuotes(SECRETS, around.clock),
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

  it('is never tried and then taken for a failed renewal, after which the service would delete the domain', () => {
    const now = new Date('2027-12-01T00:00:00.000Z');
    const expired = aDomain({ status: 'expired', autoRenew: true });
    const limited = new LifecyclePlan(policiesWithout('renewal'), { leadDays: 30, retryDays: 1 });

    expect(around.plan.stepsDue(expired.toState(), now)).toEqual(['renew']);
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
