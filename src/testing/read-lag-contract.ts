import { describe, expect } from '@jest/globals';
import type { DomainName } from '../domain/shared/domain-name';
import { addYears, sameDay } from '../domain/shared/time/calendar';
import type { LifecycleScenario } from './lifecycle-scenario';
import { freshId, freshName, register, REGISTRANT, restorePrices } from './registry-fixtures';
import type { ChangingCommand, ChargedKind } from './test-controls';

const CONTROLS = ['loseNextResponse', 'lagReads', 'charges'] as const;
const REPETITIONS = [1, 2];

/**
 * A command that took effect, whose response was lost before the process was killed, at a vendor whose reads do not show it yet.
 * A repetition may return the first result, reject, or leave the outcome unknown; it is never charged.
 */
export function readLagContract(scenario: LifecycleScenario): void {
  const loseAndRepeat = async (
    name: DomainName,
    [command, kind]: readonly [ChangingCommand, ChargedKind],
    send: (idempotencyKey: string) => Promise<unknown>,
  ) => {
    const idempotencyKey = freshId();
    await scenario.whileReadsLag(name, async () => {
      await scenario.loseResponse(name, command, () => send(idempotencyKey));
      await scenario.reopen();
      for (const _ of REPETITIONS) await send(idempotencyKey).catch(assertPortError);
      expect(await scenario.charges(name, kind)).toBe(1);
    });
    await send(idempotencyKey).catch(assertPortError);
    expect(await scenario.charges(name, kind)).toBe(1);
  };

  describe('after a lost response and a killed process, while reads lag', () => {
    scenario.rule(CONTROLS)('charges a registration once, and shows it as ours afterwards', async () => {
      const name = freshName(scenario.tld);

      await loseAndRepeat(name, ['register', 'registration'], (key) => register(scenario.registry, name, 1, key));

      expect(await scenario.registry.info(name)).toMatchObject({ sponsoredByUs: true, createdByUs: true });
    });

    scenario.rule(CONTROLS, 'renewal')('charges a renewal once, and shows the new expiry afterwards', async () => {
      const name = await scenario.aName();
      const { expiresAt } = await scenario.infoOf(name);
      const term = scenario.shortestRenewal;

      await loseAndRepeat(name, ['renew', 'renewal'], (key) =>
        scenario.registry.renew(name, expiresAt, term, freshId(), undefined, key),
      );

      expect(sameDay((await scenario.infoOf(name)).expiresAt, addYears(expiresAt, term.years))).toBe(true);
    });

    scenario.rule(
      [...CONTROLS, 'advance'],
      'delete',
      'restore',
    )('charges a restore once', async () => {
      const name = await scenario.aNamePastAddGrace();
      const { restore } = await restorePrices(scenario.registry, name);
      await scenario.registry.delete(name, freshId());

      await loseAndRepeat(name, ['restore', 'restore'], (key) =>
        scenario.registry.restore(name, restore, freshId(), key),
      );

      expect((await scenario.infoOf(name)).phase).not.toBe('redemption');
    });

    scenario.rule([...CONTROLS, 'nameElsewhere'], 'transfer_in')('charges a transfer at most once', async () => {
      const { name, authCode } = await scenario.aNameElsewhere();
      const idempotencyKey = freshId();
      const request = () => scenario.requestTransferIn(name, authCode, { idempotencyKey });

      await scenario.whileReadsLag(name, async () => {
        await scenario.loseResponse(name, 'requestTransfer', request);
        await scenario.reopen();
        for (const _ of REPETITIONS) await request().catch(assertPortError);
        expect(await scenario.charges(name, 'transfer')).toBeLessThanOrEqual(1);
      });

      expect(await scenario.registry.transferStatus(name)).toMatchObject({ direction: 'in' });
    });
  });

  describe('a registration whose response was lost', () => {
    scenario.rule(['loseNextResponse'], 'registrant_change')(
      'gets the ordered registrant when the service sets it again',
      async () => {
        const name = freshName(scenario.tld);
        await scenario.loseResponse(name, 'register', () => register(scenario.registry, name));

        await scenario.registry.setRegistrant(name, REGISTRANT, freshId());

        expect((await scenario.registry.registrant(name)) ?? REGISTRANT).toEqual(REGISTRANT);
      },
    );
  });
}

/** The service understands no other errors. */
function assertPortError(error: unknown): void {
  expect(error).toMatchObject({ code: expect.stringMatching(/^REGISTRY_(?:REJECTED|UNAVAILABLE)$/) });
}
