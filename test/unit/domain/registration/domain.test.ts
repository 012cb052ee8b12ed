import { addYears } from '../../../../src/domain/shared/time/calendar';
import { Domain, type DomainState } from '../../../../src/domain/registration/domain';
import type { RegistryFacts } from '../../../../src/domain/registration/registry-facts';
import { DomainName } from '../../../../src/domain/shared/domain-name';
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

describe('the data that a domain adopts from its registry', () => {
  it('does not include the year that the registry has added automatically at expiry', () => {
    expect(adopted({ phase: 'auto_renew_grace' })).toMatchObject({ status: 'expired', expiresAt: EXPIRED });
  });

  it('is the end of an auth code that the service has issued, if the registry shows one', () => {
    const [ours, reported] = [new Date('2027-01-20T00:00:00Z'), new Date('2027-01-15T00:00:00Z')];

    expect(adopted({ authCodeUntil: reported }, { authCodeUntil: ours }).authCodeUntil).toEqual(reported);
    expect(adopted({}, { authCodeUntil: ours }).authCodeUntil).toEqual(ours);
    expect(adopted({ authCodeUntil: reported }).authCodeUntil).toBeNull();
  });

  it('has the nameservers in the order of the account, unless they are other ones', () => {
    const nameservers = ['ns2.example.net', 'ns1.example.net'];

    expect(adopted({ nameservers: nameservers.toSorted() }, { nameservers }).nameservers).toEqual(nameservers);
    expect(adopted({ nameservers: ['ns3.example.net', 'ns1.example.net'] }, { nameservers }).nameservers).toEqual([
      'ns3.example.net',
      'ns1.example.net',
    ]);
  });

  it('is not a year added after the end of the term, if the registry shows no autoRenewPeriod', () => {
    expect(adopted({ phase: 'registered' })).toMatchObject({ status: 'expired', expiresAt: EXPIRED });
  });

  it('is that year if the account has paid for it', () => {
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

  it('does not include the year that the registry has added automatically if its clock is ahead of ours', () => {
    const justBefore = new Date(NOW.getTime() + 60_000);

    expect(
      adopted(
        { phase: 'auto_renew_grace', expiresAt: addYears(justBefore, 1) },
        { status: 'active', expiresAt: justBefore },
      ),
    ).toMatchObject({ expiresAt: justBefore });
  });

  it('is expired from the moment at which its term ends', () => {
    expect(adopted({ expiresAt: NOW }).status).toBe('expired');
    expect(adopted({ expiresAt: new Date(NOW.getTime() + 1) }).status).toBe('active');
  });

  it.each([
    ['redemption', 'redemption', PHASE_END],
    ['pending_delete', 'pending_delete', PHASE_END],
    ['registered', 'active', null],
    ['auto_renew_grace', 'expired', null],
  ] as const)(
    'is, in the phase %s, the status %s, with the end of the phase where it is dying',
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
  ] as const)(
    'clears pending lifecycle dates when its status becomes %s, and makes the clean-up of its zone due',
    (status, end) => {
      const domain = aDomain({ phaseEndsAt: PHASE_END, authCodeUntil: PHASE_END, dueAt: PHASE_END });

      domain[end](NOW);

      expect(domain.toState()).toMatchObject({
        status,
        phaseEndsAt: null,
        authCodeUntil: null,
        dueAt: NOW,
        updatedAt: NOW,
      });
    },
  );

  it.each(['markDeleted', 'markTransferredOut'] as const)('keeps the zone if %s tells of its end twice', (end) => {
    const domain = aDomain({ keptZone: { status: 'hosted', nameservers: null } });

    domain[end](NOW);
    const after = domain.toState();
    domain[end](NOW);

    expect(after).toMatchObject({ status: 'hosted', keptZone: null });
    expect(domain.toState()).toEqual(after);
  });

  it('removes the zone of a name without a registration, and no other', () => {
    const hosted = aDomain({ status: 'hosted' });

    hosted.removeZone(NOW);

    expect(hosted.status).toBe('gone');
    expect(() => aDomain({ status: 'expired' }).removeZone(NOW)).toThrow(TypeError);
  });
});

describe('a name that our account at the registry already holds', () => {
  const FACTS: RegistryFacts = {
    phase: 'registered',
    createdAt: new Date('2020-01-01T00:00:00.000Z'),
    expiresAt: A_YEAR_LATER,
    nameservers: ['ns1.elsewhere.example', 'ns2.elsewhere.example'],
    transferLocked: true,
    transferPending: false,
  };
  const fromRegistry = (facts: Partial<RegistryFacts> = {}, autoRenew?: boolean): DomainState =>
    Domain.fromRegistry(
      {
        id: 'dom_1',
        accountId: 'acc_1',
        name: DomainName.parse('example.com'),
        registrant: null,
        ...(autoRenew !== undefined && { autoRenew }),
      },
      { ...FACTS, ...facts },
      NOW,
    ).toState();

  it('is adopted with status, expiry, lock, nameservers and creation date as the registry has them', () => {
    expect(fromRegistry()).toMatchObject({
      status: 'active',
      expiresAt: A_YEAR_LATER,
      nameservers: FACTS.nameservers,
      transferLocked: true,
      registeredAt: FACTS.createdAt,
      createdAt: NOW,
      registrant: null,
    });
  });

  it('keeps the expiry of the registry in the auto-renew grace period, so that the import deletes nothing', () => {
    const adoptedNow = fromRegistry({ phase: 'auto_renew_grace' }, false);

    expect(adoptedNow).toMatchObject({ status: 'active', expiresAt: A_YEAR_LATER });
    const domain = Domain.fromState(adoptedNow);
    domain.adopt({ ...FACTS, phase: 'auto_renew_grace' }, NOW);
    expect(domain.toState()).toMatchObject({ status: 'active', expiresAt: A_YEAR_LATER });
  });

  it.each<[string, Partial<RegistryFacts>, Partial<DomainState>]>([
    [
      'on, by the registrar, if the registrar renews it',
      { registrarRenews: true },
      { autoRenew: true, registrarRenews: true },
    ],
    [
      'off if the registrar could renew it and does not',
      { registrarRenews: false },
      { autoRenew: false, registrarRenews: false },
    ],
    ['on, by the service, if the registrar never renews', {}, { autoRenew: true, registrarRenews: false }],
  ])('has auto-renewal %s', (_who, facts, expected) => {
    expect(fromRegistry(facts)).toMatchObject(expected);
  });

  it('has the end of its phase if it is being deleted', () => {
    expect(fromRegistry({ phase: 'redemption', expiresAt: EXPIRED, phaseEndsAt: PHASE_END })).toMatchObject({
      status: 'redemption',
      phaseEndsAt: PHASE_END,
    });
  });

  it('is renewed by the registrar from its registration on, if the registry says so then', () => {
    const domain = aDomain({ status: 'pending', autoRenew: false });

    domain.confirm({ ...FACTS, registrarRenews: true }, NOW);

    expect(domain.toState()).toMatchObject({ status: 'active', registrarRenews: true, autoRenew: true });
  });

  it('is renewed by the registrar from the check that shows it, and a year that the registrar added is paid', () => {
    expect(adopted({ registrarRenews: true }, { autoRenew: false })).toMatchObject({
      status: 'active',
      expiresAt: A_YEAR_LATER,
      autoRenew: true,
      registrarRenews: true,
    });
  });
});
