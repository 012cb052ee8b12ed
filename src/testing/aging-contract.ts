import { describe, expect } from '@jest/globals';
import { addYears, sameDay } from '../domain/shared/calendar';
import { sum } from '../domain/shared/money';
import type { LifecycleScenario } from './lifecycle-scenario';
import { freshId, register, years, WRONG_STATUS } from './registry-fixtures';

/** What time does to a name. */
export function agingContract(life: LifecycleScenario): void {
  describe('in the course of time', () => {
    life.rule(['advance'])(
      'keeps a name that is deleted after the add grace period in redemption, where nothing is possible but a restore',
      async () => {
        const name = await life.anOldName();
        const { expiresAt } = await life.held(name);

        const left = await life.registry.delete(name, freshId());

        const deleted = await life.held(name);
        expect(left).toEqual(deleted);
        expect(deleted).toMatchObject({ phase: 'redemption', ours: true });
        expect(sameDay(deleted.expiresAt, expiresAt)).toBe(true);
        expect((await life.registry.check([name]))[0]?.available).toBe(false);
        await expect(life.registry.delete(name, freshId())).rejects.toMatchObject(WRONG_STATUS);
        await expect(life.registry.renew(name, expiresAt, years(1), freshId())).rejects.toMatchObject(WRONG_STATUS);
      },
    );

    life.rule(['advance'])('restores a name before its expiry with the expiry it had, once', async () => {
      const name = await life.anOldName();
      const { expiresAt } = await life.held(name);
      const { restore } = await life.registry.price(name);
      await life.registry.delete(name, freshId());

      const restored = await life.registry.restore(name, restore, freshId());

      expect(restored).toMatchObject({ phase: 'registered', ours: true });
      expect(sameDay(restored.expiresAt, expiresAt)).toBe(true);
      await expect(life.registry.restore(name, restore, freshId())).rejects.toMatchObject(WRONG_STATUS);
    });

    life.rule(['advance'], 'auto_renew')(
      'adds a year to a name that expires, until it is known whether it stays',
      async () => {
        const name = await life.aName();
        const { expiresAt } = await life.held(name);

        await life.advance(367);

        const expired = await life.held(name);
        expect(expired).toMatchObject({ phase: 'auto_renew_grace', ours: true });
        expect(sameDay(expired.expiresAt, addYears(expiresAt, 1))).toBe(true);
      },
    );

    life.rule(['advance'], 'auto_renew')(
      'renews a name in auto-renew grace from its present expiry only, on top of the year that was added',
      async () => {
        const name = await life.anExpiredName();
        const { expiresAt } = await life.held(name);

        await expect(life.registry.renew(name, addYears(expiresAt, -1), years(1), freshId())).rejects.toMatchObject({
          reason: 'expiry_differs',
        });
        const renewed = await life.registry.renew(name, expiresAt, years(1), freshId());

        expect(['registered', 'auto_renew_grace']).toContain(renewed.phase);
        expect(sameDay(renewed.expiresAt, addYears(expiresAt, 1))).toBe(true);
        expect(await life.held(name)).toMatchObject({ phase: renewed.phase, expiresAt: renewed.expiresAt });
      },
    );

    life.rule(['advance'], 'auto_renew')(
      'takes the added year back where a name in auto-renew grace is deleted, and gives it again for a renewal with the restore',
      async () => {
        const name = await life.anExpiredName();
        const { expiresAt } = await life.held(name);
        const { restore, renewal } = await life.registry.price(name);

        await life.registry.delete(name, freshId());
        const deleted = await life.held(name);
        const restored = await life.registry.restore(name, sum([restore, renewal], restore.currency), freshId());

        expect(deleted.phase).toBe('redemption');
        expect(sameDay(deleted.expiresAt, addYears(expiresAt, -1))).toBe(true);
        expect(restored.phase).toBe('registered');
        expect(sameDay(restored.expiresAt, expiresAt)).toBe(true);
      },
    );

    life.rule(['advance'], 'price_guard')(
      'refuses to restore at another price than its own, and leaves the name where it is',
      async () => {
        const name = await life.anOldName();
        await life.registry.delete(name, freshId());
        const { restore } = await life.registry.price(name);

        await expect(life.registry.restore(name, { ...restore, minor: 1 }, freshId())).rejects.toMatchObject({
          reason: 'price_changed',
        });

        expect((await life.held(name)).phase).toBe('redemption');
      },
    );

    life.rule(['advance'])(
      'frees a name that nobody restores, after a time in which nothing brings it back',
      async () => {
        const name = await life.anOldName();
        const { restore } = await life.registry.price(name);
        await life.registry.delete(name, freshId());

        await life.advance(life.periods.redemption + 1);
        const dying = await life.held(name);
        await expect(life.registry.restore(name, restore, freshId())).rejects.toMatchObject(WRONG_STATUS);
        await life.advance(life.periods.pendingDelete + 1);

        expect(dying.phase).toBe('pending_delete');
        expect(await life.registry.info(name)).toBeUndefined();
        expect((await life.registry.check([name]))[0]?.available).toBe(true);
        expect(await register(life.registry, name)).toMatchObject({ ours: true, createdByUs: true });
      },
    );
  });
}
