import { describe, expect } from '@jest/globals';
import { addYears, sameDay } from '../domain/shared/calendar';
import type { LifecycleScenario } from './lifecycle-scenario';
import { freshId, freshName, register, years, WRONG_STATUS } from './registry-fixtures';

/** What holds where a command took effect and its answer never came. */
export function lostAnswerContract(life: LifecycleScenario): void {
  describe('after an answer that was lost', () => {
    life.rule(['loseNextAnswer'])('tells that a registration is ours, and sells the name no second time', async () => {
      const name = freshName(life.tld);

      await life.loseAnswer(name, 'register', () => register(life.registry, name));

      expect(await life.registry.info(name)).toMatchObject({ ours: true, createdByUs: true });
      await expect(register(life.registry, name)).rejects.toMatchObject({
        code: 'REGISTRY_REJECTED',
        reason: 'unavailable',
      });
    });

    life.rule(['loseNextAnswer'])('has renewed once, however often the renewal is repeated', async () => {
      const name = await life.aName();
      const { expiresAt } = await life.held(name);

      await life.loseAnswer(name, 'renew', () => life.registry.renew(name, expiresAt, years(1), freshId()));

      for (const _ of [1, 2])
        await expect(life.registry.renew(name, expiresAt, years(1), freshId())).rejects.toMatchObject({
          reason: 'expiry_differs',
        });
      expect(sameDay((await life.held(name)).expiresAt, addYears(expiresAt, 1))).toBe(true);
    });

    life.rule(['loseNextAnswer'])('takes the repetition of a setting for success', async () => {
      const name = await life.aName();

      await life.loseAnswer(name, 'setTransferLock', () => life.registry.setTransferLock(name, false, freshId()));

      expect((await life.registry.setTransferLock(name, false, freshId())).transferLocked).toBe(false);
    });

    life.rule(['loseNextAnswer'])('issues another auth code', async () => {
      const name = await life.aName();

      await life.loseAnswer(name, 'issueAuthCode', () => life.registry.issueAuthCode(name, freshId()));

      expect((await life.registry.issueAuthCode(name, freshId())).code).toEqual(expect.any(String));
    });

    life.rule(['loseNextAnswer'], 'add_grace')(
      'has let go of a name that was deleted within the add grace period',
      async () => {
        const name = await life.aName();

        await life.loseAnswer(name, 'delete', () => life.registry.delete(name, freshId()));

        expect(await life.registry.info(name)).toBeUndefined();
        await expect(life.registry.delete(name, freshId())).rejects.toMatchObject({ reason: 'not_held' });
      },
    );

    life.rule(['loseNextAnswer', 'advance'])('has a name in redemption, and deletes it no second time', async () => {
      const name = await life.anOldName();

      await life.loseAnswer(name, 'delete', () => life.registry.delete(name, freshId()));

      expect((await life.held(name)).phase).toBe('redemption');
      await expect(life.registry.delete(name, freshId())).rejects.toMatchObject(WRONG_STATUS);
    });

    life.rule(['loseNextAnswer', 'advance'])(
      'restores once: what is restored is refused, what is half restored is gone on with',
      async () => {
        const name = await life.anOldName();
        const { restore } = await life.registry.price(name);
        await life.registry.delete(name, freshId());

        await life.loseAnswer(name, 'restore', () => life.registry.restore(name, restore, freshId()));

        const { phase } = await life.held(name);
        const repeated = life.registry.restore(name, restore, freshId());
        if (phase === 'registered') await expect(repeated).rejects.toMatchObject(WRONG_STATUS);
        else expect((await repeated).phase).toBe('registered');
        expect((await life.held(name)).phase).toBe('registered');
      },
    );
  });
}
