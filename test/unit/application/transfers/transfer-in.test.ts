import { ApiKey, ApiKeyToken } from '../../../../src/domain/access/api-key';
import type { RegistryTransfer } from '../../../../src/application/ports/registry/registry-transfers';
import { DomainName } from '../../../../src/domain/shared/domain-name';
import { A_REGISTRANT } from '../../../support/data/a-domain';
import { pass, type RegistrationScenario } from '../../../support/use-cases/registration-scenario';
import { CODE, COMMAND, HOUR_MS, NAME, TransferScenario } from '../../../support/use-cases/transfer-scenario';
import { OURS, STRANGER, type UseCaseContext } from '../../../support/use-cases/use-case-context';

describe('a transfer from another registrar', () => {
  let transfer: TransferScenario;
  let around: UseCaseContext;
  let scenario: RegistrationScenario;

  beforeEach(() => {
    transfer = new TransferScenario();
    ({ around, scenario } = transfer);
  });
  afterEach(() => transfer.close());

  const refusal = (name: string): Promise<string> =>
    scenario.requestTransfer.execute({ ...COMMAND, name }).then(
      () => '',
      (error: { details: string }) => error.details,
    );

  it('needs no auth code where the registry asks for none', async () => {
    const { authCode: _none, ...withoutCode } = { ...COMMAND, name: 'elsewhere.co.uk' };
    around.registry.holdElsewhere('elsewhere.co.uk', '', {});

    const { id } = await scenario.requestTransfer.execute(withoutCode);
    await pass(around, 1_000);

    expect(transfer.transfers()).toMatchObject([{ id, status: 'pending' }]);
    await expect(scenario.requestTransfer.execute({ ...withoutCode, name: NAME })).rejects.toMatchObject({
      issues: [{ path: 'auth_code' }],
    });
  });

  it('reports an invalid name once, with what else is wrong', async () => {
    await expect(
      scenario.requestTransfer.execute({ ...COMMAND, name: 'not a name', authCode: '' }),
    ).rejects.toMatchObject({ issues: [{ path: 'name' }, { path: 'auth_code' }] });
  });

  it('is pending at the registry, and becomes an active domain with the facts of the registry when it completes', async () => {
    const { id } = await scenario.requestTransfer.execute(COMMAND);
    await pass(around, 1_000);
    expect(transfer.transfers()).toMatchObject([
      { id, status: 'pending', sealedAuthCode: null, endsAt: expect.any(Date) },
    ]);
    expect(transfer.domains()).toEqual([]);

    await transfer.complete();

    const [domain] = transfer.domains();
    expect(transfer.transfers()).toMatchObject([
      { status: 'completed', domainId: domain?.id, registrant: null, charged: { minor: 12_00 }, error: null },
    ]);
    expect(domain).toMatchObject({
      accountId: OURS.accountId,
      name: NAME,
      status: 'active',
      autoRenew: true,
      transferLocked: true,
      nameservers: ['ns1.other.net', 'ns2.other.net'],
      registrant: A_REGISTRANT,
    });
    expect(around.storage.tables.zones.get(domain?.id ?? '')).toBeDefined();
    expect([transfer.sent(), transfer.paid()]).toEqual([1, 1]);
    expect(around.auditEntries.map(({ action, actor }) => [action, actor])).toEqual([
      ['transfer.requested', OURS.actor],
      ['domain.transferred_in', OURS.actor],
      ['domain.transfer_lock_changed', { kind: 'service' }],
    ]);
    expect(transfer.events()).toEqual(['transfer.requested', 'transfer.pending', 'transfer.completed']);
    expect(JSON.stringify(around.auditEntries)).not.toContain(CODE);
  });

  it.each(['rejected', 'cancelled'] as const)('ends as %s also at a registry whose clock is behind', async (end) => {
    const request = around.registry.requestTransfer.bind(around.registry);
    const status = around.registry.transferStatus.bind(around.registry);
    jest.spyOn(around.registry, 'requestTransfer').mockImplementation(async (asked) => behind(await request(asked)));
    jest.spyOn(around.registry, 'transferStatus').mockImplementation(async (name) => {
      const found = await status(name);
      return found && behind(found);
    });
    await scenario.requestTransfer.execute(COMMAND);
    await pass(around, 1_000);

    around.registry.endTransfer(NAME, end);
    await pass(around, HOUR_MS + 1_000);

    expect(transfer.transfers()).toMatchObject([{ status: end }]);
  });

  describe('that a key with a limit on spend requests', () => {
    const actor = {
      kind: 'key',
      id: 'AbC-dEf_0123',
      limits: { spend: { perDay: { minor: 50_00, currency: 'USD' } } },
    } as const;
    const spent = () => around.storage.run(({ keySpending }) => keySpending.total(actor.id, new Date(0)));

    beforeEach(async () => {
      const token = new ApiKeyToken(actor.id, 's'.repeat(43));
      const { limits } = actor;
      const key = ApiKey.issue(
        token,
        { accountId: OURS.accountId, name: 'k', scope: 'ADMIN', limits },
        around.clock.now(),
      );
      await around.storage.run(({ apiKeys }) => apiKeys.add(key));
      await scenario.requestTransfer.execute({ ...COMMAND, actor });
      await pass(around, 1_000);
    });

    it('counts while it is pending and when it completes', async () => {
      expect(await spent()).toBe(12_00);

      await transfer.complete();

      expect(await spent()).toBe(12_00);
    });

    it.each(['rejected', 'cancelled'] as const)('no longer counts when it ends as %s', async (end) => {
      around.registry.endTransfer(NAME, end);
      await pass(around, HOUR_MS + 1_000);

      expect(await spent()).toBe(0);
    });
  });

  it('becomes a domain at once if the registry completes it with the request', async () => {
    const request = around.registry.requestTransfer.bind(around.registry);
    jest.spyOn(around.registry, 'requestTransfer').mockImplementation(async (asked) => {
      const transfer = await request(asked);
      around.registry.endTransfer(NAME, 'completed');
      return { ...transfer, status: 'completed' };
    });

    await scenario.requestTransfer.execute(COMMAND);
    await pass(around, 1_000);

    expect(transfer.transfers()).toMatchObject([{ status: 'completed' }]);
    expect([transfer.domains().length, transfer.paid()]).toEqual([1, 1]);
  });

  it('is read at once when the registry sends a message about the name', async () => {
    await scenario.requestTransfer.execute(COMMAND);
    await pass(around, 1_000);
    around.registry.endTransfer(NAME, 'completed');
    around.registry.send({ kind: 'changed', name: NAME });

    await scenario.lifecycle.runDue();
    await pass(around, 1_000);

    expect(transfer.transfers()).toMatchObject([{ status: 'completed' }]);
  });

  it('keeps the auth code sealed in the database, and erases it when the registry refuses it', async () => {
    await scenario.transfers.stop();
    await scenario.requestTransfer.execute({ ...COMMAND, authCode: 'wrong' });
    expect(transfer.transfers()[0]?.sealedAuthCode).toMatch(/^v1\./);
    expect(JSON.stringify(transfer.transfers())).not.toContain('wrong');

    scenario.transfers.start();
    await pass(around, 2_000);

    expect(transfer.transfers()).toMatchObject([
      {
        status: 'rejected',
        sealedAuthCode: null,
        registrant: null,
        error: { code: 'REGISTRY_REJECTED', message: 'The auth code is wrong' },
      },
    ]);
    expect(transfer.domains()).toEqual([]);
    expect(around.auditEntries.at(-1)).toMatchObject({
      action: 'transfer.ended',
      subject: NAME,
      after: { status: 'rejected', reason: 'The auth code is wrong' },
    });
  });

  it.each([
    ['rejected', 'rejected'],
    ['cancelled', 'cancelled'],
  ] as const)('ends as %s when the registry reports it', async (end, status) => {
    await scenario.requestTransfer.execute(COMMAND);
    await pass(around, 1_000);

    around.registry.endTransfer(NAME, end);
    await pass(around, HOUR_MS + 1_000);

    expect(transfer.transfers()).toMatchObject([{ status, sealedAuthCode: null, registrant: null }]);
    expect([transfer.domains(), transfer.paid()]).toEqual([[], 0]);
  });

  it('expires if the registry no longer reports it a week after its end', async () => {
    await scenario.requestTransfer.execute(COMMAND);
    await pass(around, 1_000);
    around.registry.hold(NAME, { transferPending: false });
    around.registry.letGo(NAME);
    around.lifecycleClock.advance({ days: 13 });

    await pass(around, 2_000);

    expect(transfer.transfers()).toMatchObject([{ status: 'expired', error: { code: 'REGISTRY_REJECTED' } }]);
  });

  it('expires if it could not be sent for thirty days', async () => {
    await scenario.transfers.stop();
    await scenario.requestTransfer.execute(COMMAND);
    around.lifecycleClock.advance({ days: 31 });
    scenario.transfers.start();

    await pass(around, 2_000);

    expect(transfer.transfers()).toMatchObject([{ status: 'expired', sealedAuthCode: null }]);
    expect(transfer.sent()).toBe(0);
  });

  describe('is refused before anything is stored', () => {
    afterEach(() => expect([transfer.transfers(), transfer.sent()]).toEqual([[], 0]));

    it('for a name of this account', async () => {
      await around.givenDomain({ name: 'ours.com' });

      await expect(scenario.requestTransfer.execute({ ...COMMAND, name: 'ours.com' })).rejects.toMatchObject({
        code: 'DOMAIN_STATUS_CONFLICT',
        details: 'ours.com is already in this account, with status active',
      });
    });

    it('for a name of another account, with the same words as for a name that was never imported', async () => {
      await around.givenDomain({ name: 'theirs.com', accountId: 'acc_2' });
      around.registry.hold('forgotten.com');
      expect((await refusal('theirs.com')).replace('theirs', 'forgotten')).toBe(await refusal('forgotten.com'));
      expect(await refusal('forgotten.com')).toMatch(/^The registrar of this service already holds forgotten\.com/);
    });

    it('for a name that is not registered, under an unserved TLD, or with an invalid auth code', async () => {
      await expect(scenario.requestTransfer.execute({ ...COMMAND, name: 'free.com' })).rejects.toMatchObject({
        code: 'REGISTRY_REJECTED',
        details: 'free.com is not registered. Register it instead',
      });
      await expect(scenario.requestTransfer.execute({ ...COMMAND, name: 'some.unserved' })).rejects.toMatchObject({
        code: 'VALIDATION_ERROR',
      });
      await expect(scenario.requestTransfer.execute({ ...COMMAND, authCode: '' })).rejects.toMatchObject({
        code: 'VALIDATION_ERROR',
      });
    });

    it('if the price differs from the agreed one', async () => {
      await expect(
        scenario.requestTransfer.execute({ ...COMMAND, limit: { maxPrice: { minor: 1, currency: 'USD' } } }),
      ).rejects.toMatchObject({ code: 'REGISTRY_REJECTED', reason: 'price_changed' });
    });
  });

  it('is one per name: a second request names the first to its account only', async () => {
    const { id } = await scenario.requestTransfer.execute(COMMAND);

    await expect(scenario.requestTransfer.execute(COMMAND)).rejects.toMatchObject({
      code: 'OPERATION_IN_PROGRESS',
      details: `elsewhere.com is already being transferred. Follow it at /api/transfers/${id}`,
    });
    await expect(scenario.requestTransfer.execute({ ...COMMAND, ...STRANGER })).rejects.toMatchObject({
      details: 'elsewhere.com is already being transferred',
    });
  });

  it('sets the registrant and the lock at the registry if the transfer did not', async () => {
    await scenario.requestTransfer.execute({ ...COMMAND, registrant: { ...A_REGISTRANT, lastName: 'Byron' } });
    await pass(around, 1_000);
    around.registry.endTransfer(NAME, 'completed');
    await around.registry.setRegistrant(DomainName.fromState(NAME), A_REGISTRANT, 'former-registrant');
    await pass(around, HOUR_MS + 3_000);

    expect(transfer.domains()).toMatchObject([{ registrant: { lastName: 'Byron' }, transferLocked: true }]);
  });
});

/** As a registry whose clock is five seconds behind reports it. */
function behind(transfer: RegistryTransfer): RegistryTransfer {
  return { ...transfer, requestedAt: new Date(transfer.requestedAt.getTime() - 5_000) };
}
