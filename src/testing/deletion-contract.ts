import { describe, expect } from '@jest/globals';
import type { RegistryMessage } from '../application/ports/registry/registry-port';
import type { RegistryAdapter } from '../infrastructure/registry/registry-adapter';
import type { LifecycleScenario } from './lifecycle-scenario';
import { freshId, years, WRONG_STATUS } from './registry-fixtures';

/** What other registrars do to a name. */
export function deletionContract(life: LifecycleScenario): void {
  describe('towards another registrar', () => {
    life.rule(['requestTransfer'])('keeps a name that is locked, and one whose code is not known', async () => {
      const { name, code } = await life.aNameToGo();
      await life.registry.setTransferLock(name, true, freshId());

      expect(await life.requestTransfer(name, code)).toBe(false);
      await life.registry.setTransferLock(name, false, freshId());
      expect(await life.requestTransfer(name, 'a guess, and a wrong one')).toBe(false);

      expect(await life.held(name)).toMatchObject({ ours: true, transferPending: false });
    });

    life.rule(['requestTransfer'])('takes no code that was replaced or withdrawn', async () => {
      const { name, code: replaced } = await life.aNameToGo();
      const { code: withdrawn } = await life.registry.issueAuthCode(name, freshId());

      expect(await life.requestTransfer(name, replaced)).toBe(false);
      await life.registry.withdrawAuthCode(name, freshId());
      expect(await life.requestTransfer(name, withdrawn)).toBe(false);
    });

    life.rule(['requestTransfer'])('issues a code while the name is locked, and takes it once it is not', async () => {
      const name = await life.aName();
      const { code } = await life.registry.issueAuthCode(name, freshId());
      await life.registry.setTransferLock(name, false, freshId());

      expect(await life.requestTransfer(name, code)).toBe(true);
    });

    life.rule(['requestTransfer'])('shows a transfer that is pending, and renews nothing meanwhile', async () => {
      const { name, code } = await life.aNameToGo();
      const { expiresAt } = await life.held(name);

      await life.requestTransfer(name, code);

      expect(await life.held(name)).toMatchObject({ ours: true, transferPending: true });
      await expect(life.registry.renew(name, expiresAt, years(1), freshId())).rejects.toMatchObject(WRONG_STATUS);
    });

    life.rule(['requestTransfer', 'advance'])(
      'lets a name go at the end of the transfer period, and tells so until that is acknowledged',
      async () => {
        const { name, code } = await life.aNameToGo();
        await life.requestTransfer(name, code);

        await life.advance(life.periods.transfer + 1);

        const messages = await drained(life.registry);
        expect(messages.filter((message) => message.name?.value === name.value).map(({ kind }) => kind)).toContain(
          'transferred_out',
        );
        expect(await life.registry.poll()).toBeUndefined();
        expect((await life.registry.info(name))?.ours).not.toBe(true);
        await expect(life.registry.setTransferLock(name, true, freshId())).rejects.toMatchObject({
          reason: 'not_held',
        });
      },
    );
  });
}

/** Asks for each message twice and acknowledges it: it must be the same until then. */
async function drained(registry: RegistryAdapter): Promise<readonly RegistryMessage[]> {
  const messages: RegistryMessage[] = [];
  for (let message = await registry.poll(); message; message = await registry.poll()) {
    expect(await registry.poll()).toEqual(message);
    messages.push(message);
    await registry.acknowledge(message.id);
  }
  return messages;
}
