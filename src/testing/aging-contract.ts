import { describe, expect } from '@jest/globals';
import { addYears, sameDay } from '../domain/shared/time/calendar';
import { sum } from '../domain/shared/money';
import type { LifecycleScenario } from './lifecycle-scenario';
import { freshId, register, WRONG_STATUS, restorePrices } from './registry-fixtures';

/** Expiry, deletion, redemption and restore. */
export function agingContract(scenario: LifecycleScenario): void {
  describe('domain lifecycle', () => {
    scenario.rule(['advance'], 'delete')(
      'puts a name that is deleted after the add grace period into redemption, or into pending delete without restores, and rejects renewal and deletion there',
      async () => {
        const name = await scenario.aNamePastAddGrace();
        const { expiresAt } = await scenario.infoOf(name);

        const result = await scenario.registry.delete(name, freshId());

        const deleted = await scenario.infoOf(name);
        expect(result).toEqual(deleted);
        expect(deleted).toMatchObject({ phase: scenario.phaseAfterDeletion, sponsoredByUs: true });
        expect(sameDay(deleted.expiresAt, expiresAt)).toBe(true);
        expect((await scenario.registry.check([name]))[0]?.available).toBe(false);
        await expect(scenario.registry.delete(name, freshId())).rejects.toMatchObject(WRONG_STATUS);
        if (scenario.has('renewal'))
          await expect(
            scenario.registry.renew(name, expiresAt, scenario.shortestRenewal, freshId()),
          ).rejects.toMatchObject(WRONG_STATUS);
      },
    );

    scenario.rule(
      ['advance'],
      'delete',
      'restore',
    )('restores a name before its expiry with its former expiry, and rejects a second restore', async () => {
      const name = await scenario.aNamePastAddGrace();
      const { expiresAt } = await scenario.infoOf(name);
      const { restore } = await restorePrices(scenario.registry, name);
      await scenario.registry.delete(name, freshId());

      const restored = await scenario.registry.restore(name, restore, freshId());

      expect(restored).toMatchObject({ phase: 'registered', sponsoredByUs: true });
      expect(sameDay(restored.expiresAt, expiresAt)).toBe(true);
      await expect(scenario.registry.restore(name, restore, freshId())).rejects.toMatchObject(WRONG_STATUS);
    });

    scenario.rule(['advance'], 'auto_renew')(
      'adds a year to an expired name, which is then in auto-renew grace',
      async () => {
        const name = await scenario.aName();
        const { expiresAt } = await scenario.infoOf(name);

        await scenario.advance(367);

        const expired = await scenario.infoOf(name);
        expect(expired).toMatchObject({ phase: 'auto_renew_grace', sponsoredByUs: true });
        expect(sameDay(expired.expiresAt, addYears(expiresAt, 1))).toBe(true);
      },
    );

    scenario.rule(['advance'], 'auto_renew')(
      'renews a name in auto-renew grace from its current expiry only, on top of the added year',
      async () => {
        const name = await scenario.anExpiredName();
        const { expiresAt } = await scenario.infoOf(name);

        await expect(
          scenario.registry.renew(name, addYears(expiresAt, -1), scenario.shortestRenewal, freshId()),
        ).rejects.toMatchObject({
          reason: 'expiry_differs',
        });
        const renewed = await scenario.registry.renew(name, expiresAt, scenario.shortestRenewal, freshId());

        expect(['registered', 'auto_renew_grace']).toContain(renewed.phase);
        expect(sameDay(renewed.expiresAt, addYears(expiresAt, scenario.shortestRenewal.years))).toBe(true);
        expect(await scenario.infoOf(name)).toMatchObject({ phase: renewed.phase, expiresAt: renewed.expiresAt });
      },
    );

    scenario.rule(
      ['advance'],
      'auto_renew',
      'delete',
      'restore',
    )(
      'takes the added year back if a name in auto-renew grace is deleted, and restores it with a renewal',
      async () => {
        const name = await scenario.anExpiredName();
        const { expiresAt } = await scenario.infoOf(name);
        const { restore, renewal } = await restorePrices(scenario.registry, name);

        await scenario.registry.delete(name, freshId());
        const deleted = await scenario.infoOf(name);
        const restored = await scenario.registry.restore(name, sum([restore, renewal], restore.currency), freshId());

        expect(deleted.phase).toBe('redemption');
        expect(sameDay(deleted.expiresAt, addYears(expiresAt, -1))).toBe(true);
        expect(restored.phase).toBe('registered');
        expect(sameDay(restored.expiresAt, expiresAt)).toBe(true);
      },
    );

    scenario.rule(
      ['advance'],
      'price_guard',
      'delete',
      'restore',
    )("rejects a restore at another price than the registry's, and leaves the name in redemption", async () => {
      const name = await scenario.aNamePastAddGrace();
      await scenario.registry.delete(name, freshId());
      const { restore } = await restorePrices(scenario.registry, name);

      await expect(scenario.registry.restore(name, { ...restore, minor: 1 }, freshId())).rejects.toMatchObject({
        reason: 'price_changed',
      });

      expect((await scenario.infoOf(name)).phase).toBe('redemption');
    });

    scenario.rule(
      ['advance'],
      'delete',
      'restore',
    )('rejects a restore in pending delete, and then makes the name available', async () => {
      const name = await scenario.aNamePastAddGrace();
      const { restore } = await restorePrices(scenario.registry, name);
      await scenario.registry.delete(name, freshId());

      await scenario.advance(scenario.periods.redemption + 1);
      const afterRedemption = await scenario.infoOf(name);
      await expect(scenario.registry.restore(name, restore, freshId())).rejects.toMatchObject(WRONG_STATUS);
      await scenario.advance(scenario.periods.pendingDelete + 1);

      expect(afterRedemption.phase).toBe('pending_delete');
      expect(await scenario.registry.info(name)).toBeUndefined();
      expect((await scenario.registry.check([name]))[0]?.available).toBe(true);
      expect(await register(scenario.registry, name)).toMatchObject({ sponsoredByUs: true, createdByUs: true });
    });
  });
}
