import { describe, expect } from '@jest/globals';
import type { RegistryMessage } from '../application/ports/registry/registry-port';
import type { RegistryAdapter } from '../infrastructure/registry/registry-adapter';
import type { LifecycleScenario } from './lifecycle-scenario';
import { freshHosts, freshId, WRONG_STATUS } from './registry-fixtures';

/** Transfers to another registrar. */
export function transferContract(scenario: LifecycleScenario): void {
  describe('transfers to another registrar', () => {
    scenario.rule(
      ['requestTransfer'],
      'auth_code',
      'transfer_lock',
    )('rejects a transfer of a locked name, or with a wrong auth code', async () => {
      const { name, code } = await scenario.aTransferableName();
      await scenario.registry.setTransferLock(name, true, freshId());

      expect(await scenario.requestTransfer(name, code)).toBe(false);
      await scenario.registry.setTransferLock(name, false, freshId());
      expect(await scenario.requestTransfer(name, 'a wrong auth code')).toBe(false);

      expect(await scenario.infoOf(name)).toMatchObject({ sponsoredByUs: true, transferPending: false });
    });

    scenario.rule(['requestTransfer'], 'withdraw_auth_code')(
      'rejects a transfer with an auth code that was replaced or withdrawn',
      async () => {
        const { name, code: replaced } = await scenario.aTransferableName();
        const { code: withdrawn } = await scenario.registry.issueAuthCode(name, freshId());

        expect(await scenario.requestTransfer(name, replaced)).toBe(false);
        await scenario.registry.withdrawAuthCode(name, freshId());
        expect(await scenario.requestTransfer(name, withdrawn)).toBe(false);
      },
    );

    scenario.rule(
      ['requestTransfer'],
      'auth_code',
      'transfer_lock',
    )('issues an auth code for a locked name, and accepts it for a transfer after the lock is removed', async () => {
      const name = await scenario.aName();
      const { code } = await scenario.registry.issueAuthCode(name, freshId());
      await scenario.registry.setTransferLock(name, false, freshId());

      expect(await scenario.requestTransfer(name, code)).toBe(true);
    });

    scenario.rule(['requestTransfer'], 'auth_code')(
      'shows a pending transfer if the registry does not transfer at once, and rejects a renewal meanwhile',
      async () => {
        const { name, code } = await scenario.aTransferableName();
        const { expiresAt } = await scenario.infoOf(name);

        await scenario.requestTransfer(name, code);

        if (!(await scenario.isOurs(name))) return;
        expect(await scenario.infoOf(name)).toMatchObject({ sponsoredByUs: true, transferPending: true });
        await expect(
          scenario.registry.renew(name, expiresAt, scenario.shortestRenewal, freshId()),
        ).rejects.toMatchObject(WRONG_STATUS);
      },
    );

    scenario.rule(['requestTransfer', 'advance'], 'auth_code')(
      'transfers the name at the end of the transfer period',
      async () => {
        const { name, code } = await scenario.aTransferableName();
        await scenario.requestTransfer(name, code);

        await scenario.advance(scenario.periods.transfer + 1);

        expect((await scenario.registry.info(name))?.sponsoredByUs).not.toBe(true);
        await expect(scenario.registry.setNameservers(name, freshHosts(2), [], freshId())).rejects.toMatchObject({
          reason: 'not_held',
        });
      },
    );

    scenario.rule(
      ['requestTransfer', 'advance'],
      'auth_code',
      'messages',
    )('tells that a name was transferred, and repeats the message until it is acknowledged', async () => {
      const { name, code } = await scenario.aTransferableName();
      await scenario.requestTransfer(name, code);

      await scenario.advance(scenario.periods.transfer + 1);

      const messages = await drainMessages(scenario.registry);
      expect(messages.filter((message) => message.name?.value === name.value).map(({ kind }) => kind)).toContain(
        'transferred_out',
      );
      expect(await scenario.registry.poll()).toBeUndefined();
    });

    scenario.rule(['requestTransfer'], 'decide_transfer')(
      'shows a pending transfer away with its end, and rejects it once on command',
      async () => {
        const { name, code } = await scenario.aTransferableName();
        await scenario.requestTransfer(name, code);

        const pending = await scenario.registry.transferStatus(name);
        const rejected = await scenario.registry.rejectTransfer(name, freshId());

        expect(pending).toMatchObject({ direction: 'out', status: 'pending' });
        expect(pending?.requestedAt).toEqual(expect.any(Date));
        expect(rejected).toMatchObject({ direction: 'out', status: 'rejected' });
        expect(await scenario.registry.transferStatus(name)).toMatchObject({ direction: 'out', status: 'rejected' });
        expect(await scenario.infoOf(name)).toMatchObject({ sponsoredByUs: true, transferPending: false });
        await expect(scenario.registry.rejectTransfer(name, freshId())).rejects.toMatchObject(WRONG_STATUS);
        expect((await scenario.registry.setTransferLock(name, true, freshId())).transferLocked).toBe(true);
      },
    );

    scenario.rule(['requestTransfer'], 'decide_transfer')(
      'approves a transfer away once: the name is lost at once',
      async () => {
        const { name, code } = await scenario.aTransferableName();
        await scenario.requestTransfer(name, code);

        const approved = await scenario.registry.approveTransfer(name, freshId());

        expect(approved).toMatchObject({ direction: 'out', status: 'completed' });
        expect((await scenario.registry.info(name))?.sponsoredByUs).not.toBe(true);
        await expect(scenario.registry.approveTransfer(name, freshId())).rejects.toMatchObject({
          reason: expect.stringMatching(/^(?:status|not_held)$/),
        });
      },
    );

    scenario.rule([], 'decide_transfer')('rejects decisions if no transfer is pending, and shows none', async () => {
      const name = await scenario.aName();

      expect(await scenario.registry.transferStatus(name)).toBeUndefined();
      await expect(scenario.registry.approveTransfer(name, freshId())).rejects.toMatchObject(WRONG_STATUS);
      await expect(scenario.registry.rejectTransfer(name, freshId())).rejects.toMatchObject(WRONG_STATUS);
    });

    scenario.rule(['requestTransfer', 'decideElsewhere'], 'decide_transfer')(
      'keeps a name whose transfer the other registrar cancels',
      async () => {
        const { name, code } = await scenario.aTransferableName();
        await scenario.requestTransfer(name, code);

        await scenario.decideElsewhere(name, 'cancel');

        expect(await scenario.registry.transferStatus(name)).toMatchObject({ direction: 'out', status: 'cancelled' });
        expect(await scenario.infoOf(name)).toMatchObject({ sponsoredByUs: true, transferPending: false });
      },
    );

    scenario.rule(['requestTransfer', 'loseNextResponse'], 'decide_transfer')(
      'has rejected a transfer away if the response is lost',
      async () => {
        const { name, code } = await scenario.aTransferableName();
        await scenario.requestTransfer(name, code);

        await scenario.loseResponse(name, 'rejectTransfer', () => scenario.registry.rejectTransfer(name, freshId()));

        expect(await scenario.registry.transferStatus(name)).toMatchObject({ direction: 'out', status: 'rejected' });
        await expect(scenario.registry.rejectTransfer(name, freshId())).rejects.toMatchObject(WRONG_STATUS);
      },
    );

    scenario.rule(['requestTransfer', 'loseNextResponse'], 'decide_transfer')(
      'has approved a transfer away if the response is lost',
      async () => {
        const { name, code } = await scenario.aTransferableName();
        await scenario.requestTransfer(name, code);

        await scenario.loseResponse(name, 'approveTransfer', () => scenario.registry.approveTransfer(name, freshId()));

        expect((await scenario.registry.info(name))?.sponsoredByUs).not.toBe(true);
        await expect(scenario.registry.approveTransfer(name, freshId())).rejects.toMatchObject({
          reason: expect.stringMatching(/^(?:status|not_held)$/),
        });
      },
    );
  });
}

/** Polls each message twice before acknowledging it: both must be equal. */
async function drainMessages(registry: RegistryAdapter): Promise<readonly RegistryMessage[]> {
  const messages: RegistryMessage[] = [];
  for (let message = await registry.poll(); message; message = await registry.poll()) {
    expect(await registry.poll()).toEqual(message);
    messages.push(message);
    await registry.acknowledge(message.id);
  }
  return messages;
}
