import { pass, settled, type RegistrationScenario } from '../../../support/use-cases/registration-scenario';
import { COMMAND, HOUR_MS, NAME, TransferScenario } from '../../../support/use-cases/transfer-scenario';
import { OURS, STRANGER, type UseCaseContext } from '../../../support/use-cases/use-case-context';

const READ_EVERY_MS = 4 * 60_000;

describe('a transfer from another registrar', () => {
  let transfer: TransferScenario;
  let around: UseCaseContext;
  let scenario: RegistrationScenario;

  beforeEach(() => {
    transfer = new TransferScenario();
    ({ around, scenario } = transfer);
  });
  afterEach(() => transfer.close());

  it('ends within five minutes of its end at a registry that sends the winner no message', async () => {
    await scenario.requestTransfer.execute(COMMAND);
    await pass(around, 3_000);
    expect(transfer.transfers()).toMatchObject([{ status: 'pending' }]);
    around.registry.endTransfer(NAME, 'completed');

    await pass(around, 5 * 60_000);

    expect(transfer.transfers()).toMatchObject([{ status: 'completed' }]);
  });

  describe('whose outcome is unknown', () => {
    it('is looked up at the registry before the request is repeated: a lost response costs nothing twice', async () => {
      around.registry.next('requestTransfer').losesItsResponse();
      await scenario.requestTransfer.execute(COMMAND);
      await settled();
      expect(transfer.transfers()).toMatchObject([{ status: 'queued', uncertainSince: expect.any(Date) }]);

      await pass(around, 3_000);
      expect(transfer.transfers()).toMatchObject([{ status: 'pending', uncertainSince: null }]);
      await transfer.complete();

      expect(transfer.transfers()).toMatchObject([{ status: 'completed' }]);
      expect([transfer.sent(), transfer.paid()]).toEqual([1, 1]);
    });

    it('is found at a registry whose clock is an hour behind', async () => {
      const status = around.registry.transferStatus.bind(around.registry);
      jest.spyOn(around.registry, 'transferStatus').mockImplementation(async (name) => {
        const found = await status(name);
        return found && { ...found, requestedAt: new Date(found.requestedAt.getTime() - HOUR_MS) };
      });
      around.registry.next('requestTransfer').losesItsResponse();
      await scenario.requestTransfer.execute(COMMAND);

      await pass(around, 3_000);
      expect(transfer.transfers()).toMatchObject([{ status: 'pending' }]);
      await transfer.complete();

      expect(transfer.transfers()).toMatchObject([{ status: 'completed' }]);
      expect([transfer.sent(), transfer.paid()]).toEqual([1, 1]);
    });

    it('is completed if the lost request completed meanwhile', async () => {
      around.registry.next('requestTransfer').losesItsResponse();
      await scenario.requestTransfer.execute(COMMAND);
      await settled();
      around.registry.endTransfer(NAME, 'completed');

      await pass(around, 3_000);

      expect(transfer.transfers()).toMatchObject([{ status: 'completed' }]);
      expect([transfer.sent(), transfer.paid()]).toEqual([1, 1]);
    });

    it('is taken for ours if the registry shows a pending transfer and tells nothing about it', async () => {
      jest.spyOn(around.registry, 'transferStatus').mockResolvedValue(undefined);
      around.registry.next('requestTransfer').losesItsResponse();
      await scenario.requestTransfer.execute(COMMAND);

      await pass(around, 3_000);
      expect(transfer.transfers()).toMatchObject([{ status: 'pending' }]);
      await transfer.complete();

      expect(transfer.transfers()).toMatchObject([{ status: 'completed' }]);
      expect([transfer.sent(), transfer.paid()]).toEqual([1, 1]);
    });

    it('is sent again if the registry never got it', async () => {
      around.registry.next('requestTransfer').isUnreachable();
      await scenario.requestTransfer.execute(COMMAND);

      await pass(around, 3_000);

      expect(transfer.transfers()).toMatchObject([{ status: 'pending' }]);
      expect(new Set(around.registry.callsOf('requestTransfer').map(({ transactionId }) => transactionId)).size).toBe(
        2,
      );
      await transfer.complete();
      expect(transfer.paid()).toBe(1);
    });

    it('is not taken for an earlier transfer of the name that was cancelled', async () => {
      await scenario.requestTransfer.execute(COMMAND);
      await pass(around, 1_000);
      around.registry.endTransfer(NAME, 'cancelled');
      await pass(around, HOUR_MS + 1_000);
      around.registry.next('requestTransfer').isUnreachable();

      await scenario.requestTransfer.execute(COMMAND);
      await pass(around, 3_000);

      expect(transfer.transfers().map(({ status }) => status)).toEqual(['cancelled', 'pending']);
    });
  });

  describe('after a process was killed', () => {
    it('is sent by another process if the commit of the intent was its last step', async () => {
      await scenario.transfers.stop();
      await scenario.requestTransfer.execute(COMMAND);

      transfer.restart();
      await pass(around, 2_000);
      await transfer.complete();

      expect(transfer.transfers()).toMatchObject([{ status: 'completed' }]);
      expect([transfer.sent(), transfer.paid()]).toEqual([1, 1]);
    });

    it('is found at the registry by another process if the response had not arrived', async () => {
      around.registry.next('requestTransfer').respondsLate();
      await scenario.requestTransfer.execute(COMMAND);
      await settled();

      transfer.restart();
      await pass(around, 20_000);
      expect(transfer.transfers()).toMatchObject([{ status: 'pending' }]);
      await transfer.complete();

      expect(transfer.transfers()).toMatchObject([{ status: 'completed' }]);
      expect([transfer.sent(), transfer.paid()]).toEqual([1, 1]);
    });

    it('becomes one domain if the completion was not committed', async () => {
      await scenario.requestTransfer.execute(COMMAND);
      await pass(around, 1_000);
      around.registry.endTransfer(NAME, 'completed');
      const late = around.registry.next('registrant').respondsLate();
      await pass(around, READ_EVERY_MS + 1_000);
      expect(transfer.transfers()).toMatchObject([{ status: 'pending', leaseOwner: expect.any(String) }]);

      transfer.restart();
      await pass(around, 20_000);
      late.release();
      await pass(around, 2_000);

      expect(transfer.transfers()).toMatchObject([{ status: 'completed' }]);
      expect([transfer.domains().length, transfer.sent(), transfer.paid()]).toEqual([1, 1, 1]);
    });
  });

  it('is committed once if every unit of work runs twice, as after a deadlock', async () => {
    around.storage.repeatEveryUnit();
    await scenario.requestTransfer.execute(COMMAND);
    await pass(around, 1_000);
    await transfer.complete();

    expect([transfer.transfers().length, transfer.domains().length, transfer.sent(), transfer.paid()]).toEqual([
      1, 1, 1, 1,
    ]);
  });

  describe('that is cancelled', () => {
    it('was never sent: ends at once without a command', async () => {
      await scenario.transfers.stop();
      const { id } = await scenario.requestTransfer.execute(COMMAND);

      const cancelled = await scenario.cancelTransfer.execute({ ...OURS, transferId: id });

      expect(cancelled.status).toBe('cancelled');
      expect(transfer.sent()).toBe(0);
    });

    it('is pending: ends when the registry has cancelled it', async () => {
      const { id } = await scenario.requestTransfer.execute(COMMAND);
      await pass(around, 1_000);

      const asked = await scenario.cancelTransfer.execute({ ...OURS, transferId: id });
      expect(asked.toState()).toMatchObject({ status: 'pending', cancelRequestedAt: expect.any(Date) });
      await pass(around, 2_000);

      expect(transfer.transfers()).toMatchObject([{ status: 'cancelled' }]);
      expect(around.registry.callsOf('cancelTransfer')).toHaveLength(1);
      await scenario.cancelTransfer.execute({ ...OURS, transferId: id });
      expect(around.registry.callsOf('cancelTransfer')).toHaveLength(1);
    });

    it('is complete if it was completed meanwhile', async () => {
      const { id } = await scenario.requestTransfer.execute(COMMAND);
      await pass(around, 1_000);
      around.registry.endTransfer(NAME, 'completed');

      await scenario.cancelTransfer.execute({ ...OURS, transferId: id });
      await pass(around, 2_000);

      expect(transfer.transfers()).toMatchObject([{ status: 'completed' }]);
      await expect(scenario.cancelTransfer.execute({ ...OURS, transferId: id })).rejects.toMatchObject({
        code: 'DOMAIN_STATUS_CONFLICT',
      });
    });

    it('continues with the reason if the registry rejects the cancellation', async () => {
      const { id } = await scenario.requestTransfer.execute(COMMAND);
      await pass(around, 1_000);
      around.registry.next('cancelTransfer').isRefused('policy', 'Too late');

      await scenario.cancelTransfer.execute({ ...OURS, transferId: id });
      await pass(around, 2_000);

      expect(transfer.transfers()).toMatchObject(
        [{ status: 'pending', cancelRequestedAt: null, error: { code: 'REGISTRY_REJECTED', message: /Too late/ } }].map(
          (each) => ({ ...each, error: { ...each.error, message: expect.stringMatching(each.error.message) } }),
        ),
      );
      expect(transfer.events().slice(2)).toEqual(['transfer.cancel_requested', 'transfer.cancel_refused']);
    });

    it('may have been sent: the registry is queried first', async () => {
      around.registry.next('requestTransfer').losesItsResponse();
      const { id } = await scenario.requestTransfer.execute(COMMAND);
      await settled();

      await scenario.cancelTransfer.execute({ ...OURS, transferId: id });
      await pass(around, 5_000);

      expect(transfer.transfers()).toMatchObject([{ status: 'cancelled' }]);
      expect([transfer.sent(), around.registry.callsOf('cancelTransfer').length]).toEqual([1, 1]);
    });

    it("is another account's: is not found", async () => {
      const { id } = await scenario.requestTransfer.execute(COMMAND);

      await expect(scenario.cancelTransfer.execute({ ...STRANGER, transferId: id })).rejects.toMatchObject({
        code: 'TRANSFER_NOT_FOUND',
      });
    });
  });
});
