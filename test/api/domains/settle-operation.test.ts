import { OperationClaims } from '../../../src/application/operations/operation-claims';
import { RegistryEvidence } from '../../../src/application/operations/settlement/registry-evidence';
import { SettleOperation } from '../../../src/application/operations/settlement/settle-operation';
import { AuditReader } from '../../../src/application/ports/access/audit-and-events';
import { OperationQueries } from '../../../src/application/ports/registration/operations-and-transfers';
import { RegistryPort } from '../../../src/application/ports/registry/registry-port';
import { UnitOfWork } from '../../../src/application/ports/storage/unit-of-work';
import { Clock, LifecycleClock } from '../../../src/application/ports/system';
import { parseCommand, type CommandServices } from '../../../src/cli/commands';
import { Operation, type OperationState } from '../../../src/domain/registration/operations/operation';
import type { OperationRequest } from '../../../src/domain/registration/operations/operation-request';
import { RegistrationTerm } from '../../../src/domain/registration/registration-term';
import { TldPolicies } from '../../../src/domain/registration/names/tld-policy';
import { addDays, addYears } from '../../../src/domain/shared/time/calendar';
import { DomainName } from '../../../src/domain/shared/domain-name';
import { onBothDatabases } from '../../support/databases/databases';
import { api, registered, type Api } from '../../support/service/service';

const PRICE = { minor: 10_44, currency: 'USD' };

const renewal = (expiry: Date): OperationRequest => ({
  kind: 'renew',
  years: 1,
  price: PRICE,
  currentExpiry: expiry.toISOString(),
  accepted: true,
});

onBothDatabases('operation settle', (service) => {
  let client: Api;
  let accountId: string;
  let keyId: string;
  let serial = 0;

  beforeAll(async () => {
    accountId = await service().account();
    const key = await service().key(accountId);
    keyId = key.split('_live_')[1]?.split('.')[0] ?? '';
    client = api(service(), key);
  });

  const container = () => service().container;
  const unitOfWork = () => container().get(UnitOfWork);
  const registry = () => container().get<RegistryPort>(RegistryPort);
  const run = async (...argv: string[]): Promise<string> => {
    const command = parseCommand(['operation', ...argv]);
    if (command.kind === 'help') throw new Error('help was asked for');
    const operations = {
      queries: container().get<OperationQueries>(OperationQueries),
      settle: container().get<SettleOperation>(SettleOperation),
    };
    return command.run({ operations } as Partial<CommandServices> as CommandServices);
  };
  const read = async (path: string) => (await client.get(path).expect(200)).body;
  const auditOf = async (id: string) =>
    (await container().get<AuditReader>(AuditReader).page(accountId, {}, 200)).filter(
      ({ domain }) => domain?.id === id,
    );

  /** A domain with an operation whose outcome has been unknown since an hour, and that the service leaves alone for a day. */
  const given = async (
    request: (expiry: Date) => OperationRequest,
    state: Partial<OperationState> = {},
  ): Promise<{ id: string; name: string; operationId: string; expiry: Date }> => {
    const name = `settled-${(serial += 1)}.com`;
    const id = await registered(client, name);
    const { expires_at: expires } = await read(`/api/domains/${id}`);
    const expiry = new Date(expires);
    const operationId = `op_settled${serial}`;
    const now = new Date();
    const actor = { kind: 'key', id: keyId } as const;
    const operation = Operation.queue(
      { id: operationId, accountId, domainId: id, actor, request: request(expiry) },
      now,
    );
    await unitOfWork().run(async ({ operations }) => {
      const hourAgo = new Date(now.getTime() - 3_600_000);
      const uncertain = { status: 'uncertain', attempts: 3, uncertainSince: hourAgo, lostAt: hourAgo } as const;
      await operations.add(
        Operation.fromState({ ...operation.toState(), ...uncertain, nextAttemptAt: addDays(now, 1), ...state }),
      );
    });
    return { id, name, operationId, expiry };
  };

  it('ends a renewal as succeeded with the expiry that the registry shows, what it charged, and two audit entries', async () => {
    const { id, name, operationId, expiry } = await given(renewal, { charged: PRICE });
    await registry().renew(DomainName.parse(name), expiry, RegistrationTerm.ofYears(2), `web-${serial}`, {
      ...PRICE,
      minor: 20_88,
    });

    const text = await run('settle', operationId, '--as', 'succeeded');

    expect(text).toBe(
      `${operationId} (renew of ${name}) has succeeded. The domain is active, and its term ends ${addYears(expiry, 2).toISOString()}`,
    );
    expect(await read(`/api/operations/${operationId}`)).toMatchObject({
      state: 'succeeded',
      uncertain_since: null,
      charged: { amount: 10.44, currency: 'USD' },
      finished_at: expect.any(String),
    });
    expect(await read(`/api/domains/${id}`)).toMatchObject({ expires_at: addYears(expiry, 2).toISOString() });
    expect((await auditOf(id)).slice(0, 2).map(({ action, actor, subject }) => ({ action, actor, subject }))).toEqual(
      expect.arrayContaining([
        { action: 'operation.settled', actor: { kind: 'operator' }, subject: operationId },
        { action: 'domain.renewed', actor: { kind: 'key', id: keyId }, subject: null },
      ]),
    );
    await client.post(`/api/domains/${id}/renew`).expect(200);
  });

  it('asks for the expiry after a renewal that the registry does not show', async () => {
    const { id, operationId, expiry } = await given(renewal);

    await expect(run('settle', operationId, '--as', 'succeeded')).rejects.toMatchObject({
      details: `expires is required: the registry shows the expiry ${expiry.toISOString()}. Ask it for the expiry after the renewal`,
    });
    await expect(
      run('settle', operationId, '--as', 'succeeded', '--expires', expiry.toISOString()),
    ).rejects.toMatchObject({ details: `expires must be after the present expiry, ${expiry.toISOString()}` });
    expect(await read(`/api/operations/${operationId}`)).toMatchObject({ state: 'uncertain' });
    await run('settle', operationId, '--as', 'succeeded', '--expires', addYears(expiry, 1).toISOString());

    expect(await read(`/api/domains/${id}`)).toMatchObject({ expires_at: addYears(expiry, 1).toISOString() });
  });

  it('ends a renewal as failed: the limits of its key get the amount back, and the domain can be renewed again', async () => {
    const { id, operationId, expiry } = await given(renewal, { charged: PRICE });
    const spending = () => unitOfWork().run(({ keySpending }) => keySpending.total(keyId, new Date(0)));
    const before = await spending();
    await unitOfWork().run(({ keySpending }) =>
      keySpending.add({ orderId: operationId, keyId, price: PRICE, at: new Date() }),
    );

    const text = await run('settle', operationId, '--as', 'failed');

    expect(text).toContain('The registry said that it charged 10.44 USD: claim it back');
    expect(await spending()).toBe(before);
    expect(await read(`/api/operations/${operationId}`)).toMatchObject({
      state: 'failed',
      charged: null,
      error: {
        code: 'REGISTRY_REJECTED',
        message: 'The operator has asked the registry: the command took no effect',
      },
    });
    const renewed = await client.post(`/api/domains/${id}/renew`).expect(200);
    expect(renewed.body).toMatchObject({ expires_at: addYears(expiry, 1).toISOString() });
  });

  it('refuses what the registry contradicts', async () => {
    const renewed = await given(renewal);
    const { name, expiry } = renewed;
    await registry().renew(DomainName.parse(name), expiry, RegistrationTerm.ofYears(1), `web-${serial}`, PRICE);
    const locked = await given(() => ({ kind: 'set_transfer_lock', locked: false }));

    await expect(run('settle', renewed.operationId, '--as', 'failed')).rejects.toMatchObject({
      details: `as must not be failed: the registry shows the expiry ${addYears(expiry, 1).toISOString()}`,
    });
    await expect(run('settle', locked.operationId, '--as', 'succeeded')).rejects.toMatchObject({
      details: 'as must not be succeeded: the registry shows the transfer lock on. Settle it as failed, or wait',
    });
    await expect(run('settle', locked.operationId, '--as', 'failed', '--expires', '2030-01-01')).rejects.toMatchObject({
      details: 'expires is for renewals that succeeded',
    });
    for (const { operationId } of [renewed, locked])
      expect(await read(`/api/operations/${operationId}`)).toMatchObject({ state: 'uncertain' });
  });

  it.each([
    ['queued', { status: 'queued', uncertainSince: null }, 'ID must be an uncertain operation: this one is queued'],
    [
      'running',
      { status: 'running', leaseOwner: 'another', leaseUntil: new Date(Date.now() + 86_400_000) },
      'ID is being checked at the registry right now: try again in a minute',
    ],
  ] as const)('refuses an operation that is %s', async (_what, state, details) => {
    const { operationId } = await given(renewal, state);

    await expect(run('settle', operationId, '--as', 'failed')).rejects.toMatchObject({ details });
    expect(await read(`/api/operations/${operationId}`)).toMatchObject({ state: state.status });
  });

  it('refuses an operation that has ended, and an unknown id', async () => {
    const { operationId } = await given(renewal);
    await run('settle', operationId, '--as', 'failed');

    await expect(run('settle', operationId, '--as', 'succeeded')).rejects.toMatchObject({
      details: 'ID must be an uncertain operation: this one is failed',
    });
    await expect(run('settle', 'op_unknown', '--as', 'failed')).rejects.toMatchObject({
      details: 'ID is not the id of an operation',
    });
  });

  it('leaves an operation to an attempt that a running service begins while the registry is read', async () => {
    const { id, operationId, expiry } = await given(renewal);
    const evidence = container().get<RegistryEvidence>(RegistryEvidence);
    const meanwhile: Pick<RegistryEvidence, 'read'> = {
      read: async (operation, domain) => {
        await unitOfWork().run(async ({ domains, operations }) => {
          await domains.lockAny(id);
          const current = await operations.find(operationId);
          current?.begin('a service', addDays(new Date(), 1), new Date());
          if (current) await operations.save(current);
        });
        return evidence.read(operation, domain);
      },
    };
    const settle = new SettleOperation(
      unitOfWork(),
      container().get<OperationClaims>(OperationClaims),
      meanwhile,
      container().get<TldPolicies>(TldPolicies),
      container().get<Clock>(Clock),
      container().get<LifecycleClock>(LifecycleClock),
    );

    await expect(settle.execute({ operationId, outcome: 'failed' })).rejects.toMatchObject({
      details: 'ID has changed meanwhile: look at its state, and try again',
    });
    expect(await read(`/api/operations/${operationId}`)).toMatchObject({ state: 'running', attempts: 4 });
    expect(await read(`/api/domains/${id}`)).toMatchObject({ expires_at: expiry.toISOString() });
  });

  it('is for what operation list names: the unfinished operations of all accounts', async () => {
    const uncertain = await given(renewal);
    const queued = await given(renewal, { status: 'queued', uncertainSince: null, lostAt: null });

    const all = await run('list');
    const listed = JSON.parse(await run('list', '--uncertain', '--json')) as readonly { readonly id: string }[];

    expect(all).toContain(`\t${uncertain.operationId}\trenew\t`);
    expect(all).toContain(`queued\t-\t${queued.operationId}\trenew\t`);
    expect(listed.find(({ id }) => id === uncertain.operationId)).toEqual({
      id: uncertain.operationId,
      account: accountId,
      name: uncertain.name,
      kind: 'renew',
      state: 'uncertain',
      transaction_id: expect.any(String),
      uncertain_since: expect.any(String),
      next_attempt_at: expect.any(String),
      reason: null,
    });
    expect(listed.map(({ id }) => id)).not.toContain(queued.operationId);
  });
});
