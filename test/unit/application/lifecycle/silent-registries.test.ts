import type { DomainState } from '../../../../src/domain/registration/domain';
import { addDays } from '../../../../src/domain/shared/time/calendar';
import {
  closeScenarios,
  openScenario,
  pass,
  type RegistrationScenario,
} from '../../../support/use-cases/registration-scenario';
import { OURS, type UseCaseContext } from '../../../support/use-cases/use-case-context';

const at = (day: string) => new Date(`${day}T00:00:00.000Z`);

describe('a domain at a registry that reports only some facts', () => {
  let around: UseCaseContext;
  let scenario: RegistrationScenario;
  const domain = () => around.storage.tables.domains.get('dom_1');
  const kinds = () => [...around.storage.tables.operations.values()].map(({ request }) => request.kind);
  const onTime = async (time: Date) => {
    around.lifecycleClock.advance({ ms: time.getTime() - around.lifecycleClock.now().getTime() });
    await scenario.lifecycle.runDue();
  };
  const on = (day: string) => onTime(at(day));
  const given = async (overrides: Partial<DomainState> = {}) =>
    around.givenDomain({ id: 'dom_1', expiresAt: at('2027-01-01'), ...overrides });
  const deleted = async (estimateOf?: (end: Date) => Date) => {
    await given({ autoRenew: false, status: 'expired', dueAt: at('2027-02-01') });
    around.registry.hold('example.com', { phase: 'auto_renew_grace', expiresAt: at('2028-01-01') });
    around.registry.hidePhaseEnds(estimateOf);
    await on('2027-02-01');
  };
  const inRedemption = (overrides: Partial<DomainState> = {}) =>
    given({ status: 'redemption', phaseEndsAt: at('2027-02-01'), ...overrides });
  const checkAt = (day: string) =>
    around.storage.run(async ({ domains }) => {
      const held = await domains.lockAny('dom_1');
      held?.schedule(at(day));
      if (held) await domains.save(held);
    });
  const renewsByItself = () => around.registry.hold('example.com', { expiresAt: at('2028-01-01') });

  beforeEach(() => {
    ({ around, scenario } = openScenario());
  });
  afterEach(() => closeScenarios(around, scenario));

  describe('about the year that it adds at expiry', () => {
    it('expires and is deleted after the renewal grace period if auto-renewal is off', async () => {
      await given({ autoRenew: false, dueAt: at('2027-01-02') });
      renewsByItself();

      await on('2027-01-02');
      const expired = domain();
      await on('2027-01-31');

      expect(expired).toMatchObject({ status: 'expired', expiresAt: at('2027-01-01') });
      expect(kinds()).toEqual(['delete']);
      expect(domain()).toMatchObject({ status: 'redemption' });
    });

    it('expires and is deleted, too, if the registry’s clock is ahead, so that the year is seen before the expiry', async () => {
      const secondsBefore = new Date(at('2027-01-01').getTime() - 15_000);
      await given({ autoRenew: false, dueAt: secondsBefore });
      renewsByItself();

      await onTime(secondsBefore);
      const before = domain();
      await on('2027-01-01');
      const expired = domain();
      await on('2027-01-31');

      expect(before).toMatchObject({ status: 'active', expiresAt: at('2027-01-01') });
      expect(expired).toMatchObject({ status: 'expired', expiresAt: at('2027-01-01') });
      expect(kinds()).toEqual(['delete']);
      expect(domain()).toMatchObject({ status: 'redemption' });
    });

    it.each([1, 2])(
      'is renewed for %d years from the end of the term that was paid for, and keeps them',
      async (years) => {
        await given({ autoRenew: false, dueAt: at('2027-01-02') });
        renewsByItself();
        await on('2027-01-02');

        const renewing = scenario.renewDomain.execute({ ...OURS, domainId: 'dom_1', years });
        await pass(around, 2_000);
        await renewing;
        await checkAt('2027-01-03');
        await on('2027-01-03');

        expect(domain()).toMatchObject({ status: 'active', expiresAt: at(`${2027 + years}-01-01`) });
        expect(around.registry.charges).toHaveLength(years - 1);
      },
    );

    it('has a longer term at once if the registry extends it before its expiry', async () => {
      await given({ autoRenew: false });
      await checkAt('2026-12-01');
      renewsByItself();

      await on('2026-12-01');

      expect(domain()).toMatchObject({ status: 'active', expiresAt: at('2028-01-01') });
    });
  });

  describe('when redemption ends', () => {
    it('is in redemption for its period from the deletion that the service sent', async () => {
      await deleted();

      expect(domain()).toMatchObject({ status: 'redemption', phaseEndsAt: addDays(at('2027-02-01'), 30) });
    });

    it('is in redemption from that deletion also if the estimate is six hours early, because of a change on the same day', async () => {
      await deleted((end) => addDays(end, -6 / 24));

      expect(domain()).toMatchObject({ status: 'redemption', phaseEndsAt: addDays(at('2027-02-01'), 30) });
    });

    it('is in redemption from the deletion that arrived, as the estimate says, if earlier ones were lost', async () => {
      around.registry.next('delete').isUnreachable();

      const deleting = deleted((end) => end);
      await pass(around, 60_000);
      await deleting;

      const sentAgain = domain()?.phaseEndsAt?.getTime() ?? 0;
      expect(domain()).toMatchObject({ status: 'redemption' });
      expect(sentAgain - addDays(at('2027-02-01'), 30).getTime()).toBeGreaterThan(500);
    });

    it('keeps that end when it is checked again, and expects the end of pending deletion from it', async () => {
      await deleted();
      await checkAt('2027-02-10');
      await on('2027-02-10');
      const redemption = domain();
      around.registry.hold('example.com', { phase: 'pending_delete', phaseEndsAt: at('2027-03-09') });
      await on('2027-03-04');

      expect(redemption).toMatchObject({ status: 'redemption', phaseEndsAt: addDays(at('2027-02-01'), 30) });
      expect(domain()).toMatchObject({ status: 'pending_delete', phaseEndsAt: addDays(at('2027-02-01'), 35) });
    });
  });

  describe('about the lock that a restore removes', () => {
    const restoredUnlocked = { phase: 'registered', transferLocked: false } as const;

    it.each([[true], [false]])('is restored with the transfer lock that it had: %s', async (transferLocked) => {
      await inRedemption({ transferLocked });
      around.registry.hold('example.com', { ...restoredUnlocked, phase: 'redemption', expiresAt: at('2027-01-01') });

      await scenario.restoreDomain.execute({ ...OURS, domainId: 'dom_1' });

      expect(domain()).toMatchObject({ status: 'active', transferLocked });
      expect(around.registry.callsOf('setTransferLock')).toHaveLength(transferLocked ? 1 : 0);
    });

    it('is locked by an operation of the service if the restore ends later', async () => {
      await inRedemption({ dueAt: at('2026-03-02') });
      around.registry.hold('example.com', { ...restoredUnlocked, expiresAt: at('2027-01-01') });

      await on('2026-03-02');
      await pass(around, 1_000);

      expect(kinds()).toEqual(['set_transfer_lock']);
      expect(domain()).toMatchObject({ status: 'active', transferLocked: true });
    });
  });
});
