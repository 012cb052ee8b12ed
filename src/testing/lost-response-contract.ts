import { describe, expect } from '@jest/globals';
import { addYears, sameDay } from '../domain/shared/time/calendar';
import type { LifecycleScenario } from './lifecycle-scenario';
import { freshId, freshName, register, years, WRONG_STATUS, restorePrices } from './registry-fixtures';

/** Commands that took effect but whose response was lost. */
export function lostResponseContract(scenario: LifecycleScenario): void {
  describe('after a lost response', () => {
    scenario.rule(['loseNextResponse'])('shows the registration as ours, and rejects a second one', async () => {
      const name = freshName(scenario.tld);

      await scenario.loseResponse(name, 'register', () => register(scenario.registry, name));

      expect(await scenario.registry.info(name)).toMatchObject({ sponsoredByUs: true, createdByUs: true });
      await expect(register(scenario.registry, name)).rejects.toMatchObject({
        code: 'REGISTRY_REJECTED',
        reason: 'unavailable',
      });
    });

    scenario.rule(['loseNextResponse'], 'renewal')(
      'has renewed once, however often the renewal is repeated',
      async () => {
        const name = await scenario.aName();
        const { expiresAt } = await scenario.infoOf(name);

        await scenario.loseResponse(name, 'renew', () => scenario.registry.renew(name, expiresAt, years(1), freshId()));

        for (const _ of [1, 2])
          await expect(scenario.registry.renew(name, expiresAt, years(1), freshId())).rejects.toMatchObject({
            reason: 'expiry_differs',
          });
        expect(sameDay((await scenario.infoOf(name)).expiresAt, addYears(expiresAt, 1))).toBe(true);
      },
    );

    scenario.rule(['loseNextResponse'], 'transfer_lock')(
      'accepts the repetition of a transfer lock change',
      async () => {
        const name = await scenario.aName();

        await scenario.loseResponse(name, 'setTransferLock', () =>
          scenario.registry.setTransferLock(name, false, freshId()),
        );

        expect((await scenario.registry.setTransferLock(name, false, freshId())).transferLocked).toBe(false);
      },
    );

    scenario.rule(['loseNextResponse'], 'auth_code')('issues another auth code', async () => {
      const name = await scenario.aName();

      await scenario.loseResponse(name, 'issueAuthCode', () => scenario.registry.issueAuthCode(name, freshId()));

      expect((await scenario.registry.issueAuthCode(name, freshId())).code).toEqual(expect.any(String));
    });

    scenario.rule(['loseNextResponse'], 'add_grace')(
      'has deleted a name in the add grace period, and rejects the repetition',
      async () => {
        const name = await scenario.aName();

        await scenario.loseResponse(name, 'delete', () => scenario.registry.delete(name, freshId()));

        expect(await scenario.registry.info(name)).toBeUndefined();
        await expect(scenario.registry.delete(name, freshId())).rejects.toMatchObject({ reason: 'not_held' });
      },
    );

    scenario.rule(['loseNextResponse', 'advance'], 'delete')(
      'has a deleted name in redemption, and rejects the repetition',
      async () => {
        const name = await scenario.aNamePastAddGrace();

        await scenario.loseResponse(name, 'delete', () => scenario.registry.delete(name, freshId()));

        expect((await scenario.infoOf(name)).phase).toEqual(scenario.phaseAfterDeletion);
        await expect(scenario.registry.delete(name, freshId())).rejects.toMatchObject(WRONG_STATUS);
      },
    );

    scenario.rule(
      ['loseNextResponse', 'advance'],
      'delete',
      'restore',
    )('rejects the repetition of a complete restore, and completes an incomplete one', async () => {
      const name = await scenario.aNamePastAddGrace();
      const { restore } = await restorePrices(scenario.registry, name);
      await scenario.registry.delete(name, freshId());

      await scenario.loseResponse(name, 'restore', () => scenario.registry.restore(name, restore, freshId()));

      const { phase } = await scenario.infoOf(name);
      const repeated = scenario.registry.restore(name, restore, freshId());
      if (phase === 'registered') await expect(repeated).rejects.toMatchObject(WRONG_STATUS);
      else expect((await repeated).phase).toBe('registered');
      expect((await scenario.infoOf(name)).phase).toBe('registered');
    });
  });
}
