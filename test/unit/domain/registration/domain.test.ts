import { addYears } from '../../../../src/domain/shared/calendar';
import type { DomainState, RegistryFacts } from '../../../../src/domain/registration/domain';
import { aDomain } from '../../../support/data/a-domain';

const NOW = new Date('2027-01-10T00:00:00.000Z');
const EXPIRED = new Date('2027-01-01T00:00:00.000Z');
const A_YEAR_LATER = new Date('2028-01-01T00:00:00.000Z');
const PHASE_END = new Date('2027-02-09T00:00:00.000Z');

function adopted(facts: Partial<RegistryFacts>, overrides: Partial<DomainState> = {}): DomainState {
  const domain = aDomain({ status: 'expired', expiresAt: EXPIRED, ...overrides });
  const { createdAt, nameservers, transferLocked, transferPending } = domain.toState();
  domain.adopt(
    { phase: 'registered', createdAt, expiresAt: A_YEAR_LATER, nameservers, transferLocked, transferPending, ...facts },
    NOW,
  );
  return domain.toState();
}

describe('what a domain adopts from its registry', () => {
  it('is not the year that the registry has added by itself at expiry', () => {
    expect(adopted({ phase: 'auto_renew_grace' })).toMatchObject({ status: 'expired', expiresAt: EXPIRED });
  });

  it('is not a year added after the end of the term, where the registry shows no autoRenewPeriod', () => {
    expect(adopted({ phase: 'registered' })).toMatchObject({ status: 'expired', expiresAt: EXPIRED });
  });

  it('is that year where the account has paid for it', () => {
    expect(adopted({ phase: 'auto_renew_grace' }, { status: 'active', expiresAt: A_YEAR_LATER })).toMatchObject({
      status: 'active',
      expiresAt: A_YEAR_LATER,
    });
  });

  it('is every year that was renewed on top of the added one, though the auto-renew grace period goes on', () => {
    expect(adopted({ phase: 'auto_renew_grace', expiresAt: addYears(EXPIRED, 2) })).toMatchObject({
      status: 'active',
      expiresAt: addYears(EXPIRED, 2),
    });
  });

  it('is not the year that the registry has added by itself where its clock is ahead of ours', () => {
    const justBefore = new Date(NOW.getTime() + 60_000);

    expect(
      adopted(
        { phase: 'auto_renew_grace', expiresAt: addYears(justBefore, 1) },
        { status: 'active', expiresAt: justBefore },
      ),
    ).toMatchObject({ expiresAt: justBefore });
  });

  it('is expired from the very moment at which its term ends', () => {
    expect(adopted({ expiresAt: NOW }).status).toBe('expired');
    expect(adopted({ expiresAt: new Date(NOW.getTime() + 1) }).status).toBe('active');
  });

  it.each([
    ['redemption', 'redemption', PHASE_END],
    ['pending_delete', 'pending_delete', PHASE_END],
    ['registered', 'active', null],
    ['auto_renew_grace', 'expired', null],
  ] as const)(
    'in the phase %s is the status %s, with the end of the phase where it is dying',
    (phase, status, phaseEndsAt) => {
      expect(
        adopted({ phase, phaseEndsAt: PHASE_END, ...(phase === 'registered' && { expiresAt: addYears(EXPIRED, 2) }) }),
      ).toMatchObject({ status, phaseEndsAt });
    },
  );
});

describe('Domain', () => {
  it.each([
    ['gone', 'markDeleted'],
    ['transferred_out', 'markTransferredOut'],
  ] as const)('clears pending lifecycle dates when its status becomes %s', (status, end) => {
    const domain = aDomain({ phaseEndsAt: PHASE_END, authCodeUntil: PHASE_END, dueAt: PHASE_END });

    domain[end](NOW);

    expect(domain.toState()).toMatchObject({
      status,
      phaseEndsAt: null,
      authCodeUntil: null,
      dueAt: null,
      updatedAt: NOW,
    });
  });
});
