import { describe, expect } from '@jest/globals';
import { addYears, sameDay } from '../domain/shared/time/calendar';
import { isWithin } from '../domain/shared/money';
import type { LifecycleScenario } from './lifecycle-scenario';
import { freshHosts, freshId, freshName, REGISTRANT, WRONG_STATUS } from './registry-fixtures';

const rejectedAs = (reason: string) => ({ code: 'REGISTRY_REJECTED', reason });

/** Transfers from another registrar to us. Some registries complete them at once, others after days. */
export function transferInContract(scenario: LifecycleScenario): void {
  describe('transfers from another registrar', () => {
    scenario.rule(['nameElsewhere'], 'transfer_in')(
      'shows a requested transfer to us as pending, or as completed at once',
      async () => {
        const { name, authCode } = await scenario.aNameElsewhere();

        const requested = await scenario.requestTransferIn(name, authCode);

        expect(requested).toMatchObject({ direction: 'in', status: expect.stringMatching(/^(?:pending|completed)$/) });
        expect(requested.name.value).toBe(name.value);
        const { charged: _charged, ...facts } = requested;
        expect(await scenario.registry.transferStatus(name)).toMatchObject(facts);
        expect(await scenario.infoOf(name)).toMatchObject({
          sponsoredByUs: requested.status === 'completed',
          transferPending: requested.status === 'pending',
        });
      },
    );

    scenario.rule(['nameElsewhere'], 'transfer_in')(
      'rejects a wrong auth code as auth_code, and requests nothing',
      async () => {
        const { name } = await scenario.aNameElsewhere();

        await expect(scenario.requestTransferIn(name, 'a-Wrong-auth-code-1')).rejects.toMatchObject(
          rejectedAs('auth_code'),
        );

        expect(await scenario.registry.transferStatus(name)).toBeUndefined();
        expect(await scenario.infoOf(name)).toMatchObject({ sponsoredByUs: false });
      },
    );

    scenario.rule(
      ['nameElsewhere'],
      'transfer_in',
      'transfer_lock',
    )('rejects the transfer of a locked name as status', async () => {
      const { name, authCode } = await scenario.aNameElsewhere({ locked: true });

      await expect(scenario.requestTransferIn(name, authCode)).rejects.toMatchObject(WRONG_STATUS);

      expect(await scenario.registry.transferStatus(name)).toBeUndefined();
    });

    scenario.rule([], 'transfer_in')(
      'rejects the transfer of an unregistered name as not_held, and of our own as policy',
      async () => {
        const own = await scenario.aName();
        await scenario.unlock(own);
        const code = 'any-Auth-code-1';

        await expect(scenario.requestTransferIn(freshName(scenario.tld), code)).rejects.toMatchObject(
          rejectedAs('not_held'),
        );
        await expect(scenario.requestTransferIn(own, code)).rejects.toMatchObject(rejectedAs('policy'));
      },
    );

    scenario.rule(
      ['nameElsewhere'],
      'transfer_in',
      'price_guard',
    )("rejects a transfer at another price than the registry's, and requests nothing", async () => {
      const { name, authCode } = await scenario.aNameElsewhere();
      const price = await scenario.registry.transferPrice(name);

      await expect(scenario.requestTransferIn(name, authCode, { price: { ...price, minor: 1 } })).rejects.toMatchObject(
        rejectedAs('price_changed'),
      );

      expect(await scenario.registry.transferStatus(name)).toBeUndefined();
    });

    scenario.rule(['nameElsewhere', 'decideElsewhere'], 'transfer_in')(
      'rejects the repetition of a pending request as status, and completes and charges one transfer',
      async () => {
        const { name, authCode } = await scenario.aNameElsewhere();
        const { expiresAt } = await scenario.registeredElsewhere(name);
        const price = await scenario.registry.transferPrice(name);
        const { status } = await scenario.requestTransferIn(name, authCode);

        await expect(scenario.requestTransferIn(name, authCode)).rejects.toMatchObject(
          status === 'pending' ? WRONG_STATUS : rejectedAs('policy'),
        );
        await scenario.completeTransferIn(name);

        const transferred = await scenario.infoOf(name);
        expect(transferred).toMatchObject({ sponsoredByUs: true, createdByUs: false, transferPending: false });
        if (expiresAt)
          expect(sameDay(transferred.expiresAt, addYears(expiresAt, scenario.transferTerm.years))).toBe(true);
        const completed = await scenario.registry.transferStatus(name);
        expect(completed).toMatchObject({ direction: 'in', status: 'completed' });
        expect(isWithin(completed?.charged ?? price, price)).toBe(true);
        expect(await scenario.transferCharges(name)).toBe(1);
      },
    );

    scenario.rule(['nameElsewhere', 'decideElsewhere'], 'transfer_in')(
      'lets us lock, delegate and set the registrant of a name that was transferred to us',
      async () => {
        const { name, authCode } = await scenario.aNameElsewhere();
        await scenario.requestTransferIn(name, authCode);
        await scenario.completeTransferIn(name);
        const hosts = freshHosts(2);

        if (scenario.has('registrant_change')) await scenario.registry.setRegistrant(name, REGISTRANT, freshId());
        await scenario.registry.setNameservers(name, hosts, [], freshId());
        if (scenario.has('transfer_lock')) await scenario.registry.setTransferLock(name, true, freshId());

        const held = await scenario.infoOf(name);
        expect(held?.sponsoredByUs).toBe(true);
        if (scenario.has('transfer_lock')) expect(held?.transferLocked).toBe(true);
        expect(held.nameservers.toSorted()).toEqual(hosts.hosts.toSorted());
        const shown = await scenario.registry.registrant(name);
        expect(shown ?? REGISTRANT).toEqual(REGISTRANT);
      },
    );

    scenario.rule(['nameElsewhere', 'decideElsewhere'], 'transfer_in')(
      'leaves a name with the other registrar that rejects the transfer, and charges nothing',
      async () => {
        const { name, authCode } = await scenario.aNameElsewhere();
        if ((await scenario.requestTransferIn(name, authCode)).status !== 'pending') return;

        await scenario.decideElsewhere(name, 'reject');

        expect(await scenario.registry.transferStatus(name)).toMatchObject({ direction: 'in', status: 'rejected' });
        expect(await scenario.infoOf(name)).toMatchObject({ sponsoredByUs: false, transferPending: false });
        expect(await scenario.transferCharges(name)).toBe(0);
      },
    );

    scenario.rule(
      ['nameElsewhere'],
      'transfer_in',
      'cancel_transfer',
    )('cancels a pending request once, charges nothing, and allows another request', async () => {
      const { name, authCode } = await scenario.aNameElsewhere();
      if ((await scenario.requestTransferIn(name, authCode)).status !== 'pending') return;

      const cancelled = await scenario.registry.cancelTransfer(name, freshId());

      expect(cancelled).toMatchObject({ direction: 'in', status: 'cancelled' });
      await expect(scenario.registry.cancelTransfer(name, freshId())).rejects.toMatchObject(WRONG_STATUS);
      expect(await scenario.registry.transferStatus(name)).toMatchObject({ status: 'cancelled' });
      expect(await scenario.transferCharges(name)).toBe(0);
      expect(await scenario.requestTransferIn(name, authCode)).toMatchObject({ status: 'pending' });
    });

    scenario.rule(['nameElsewhere', 'advance'], 'transfer_in')(
      'completes a transfer at the end of the transfer period without a decision',
      async () => {
        const { name, authCode } = await scenario.aNameElsewhere();
        await scenario.requestTransferIn(name, authCode);

        await scenario.advance(scenario.periods.transfer + 1);

        expect(await scenario.infoOf(name)).toMatchObject({ sponsoredByUs: true });
        expect(await scenario.registry.transferStatus(name)).toMatchObject({ direction: 'in', status: 'completed' });
        expect(await scenario.transferCharges(name)).toBe(1);
      },
    );

    scenario.rule(['nameElsewhere', 'loseNextResponse'], 'transfer_in')(
      'shows a request whose response was lost as ours, and charges no second one',
      async () => {
        const { name, authCode } = await scenario.aNameElsewhere();

        await scenario.loseResponse(name, 'requestTransfer', () => scenario.requestTransferIn(name, authCode));

        const shown = await scenario.registry.transferStatus(name);
        expect(shown).toMatchObject({ direction: 'in' });
        await expect(scenario.requestTransferIn(name, authCode)).rejects.toMatchObject(
          shown?.status === 'pending' ? WRONG_STATUS : rejectedAs('policy'),
        );
        expect(await scenario.transferCharges(name)).toBeLessThanOrEqual(1);
      },
    );

    scenario.rule(
      ['nameElsewhere', 'loseNextResponse'],
      'transfer_in',
      'cancel_transfer',
    )('has cancelled a request if the response is lost, and charges nothing', async () => {
      const { name, authCode } = await scenario.aNameElsewhere();
      if ((await scenario.requestTransferIn(name, authCode)).status !== 'pending') return;

      await scenario.loseResponse(name, 'cancelTransfer', () => scenario.registry.cancelTransfer(name, freshId()));

      expect(await scenario.registry.transferStatus(name)).toMatchObject({ direction: 'in', status: 'cancelled' });
      await expect(scenario.registry.cancelTransfer(name, freshId())).rejects.toMatchObject(WRONG_STATUS);
      expect(await scenario.transferCharges(name)).toBe(0);
    });
  });
}
