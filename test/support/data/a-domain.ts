import { Domain, type DomainState } from '../../../src/domain/registration/domain';
import type { DomainStatus } from '../../../src/domain/registration/domain-status';
import type { Registrant } from '../../../src/domain/registration/registrant';

export const A_REGISTRANT: Registrant = {
  firstName: 'Ada',
  lastName: 'Lovelace',
  email: 'ada@example.com',
  phone: '+44.2079460000',
  organization: 'Analytical Engines',
  address: { street: '12 St James Square', city: 'London', state: 'London', postalCode: 'SW1Y 4JH', country: 'GB' },
};

/** An active domain, registered on New Year 2026 for a year, but for what is overridden. */
export function aDomain(overrides: Partial<DomainState> = {}): Domain {
  return Domain.fromState({
    id: 'dom_1',
    accountId: 'acc_1',
    name: 'example.com',
    status: 'active',
    expiresAt: new Date('2027-01-01T00:00:00.000Z'),
    autoRenew: true,
    transferLocked: true,
    nameservers: ['ns1.example.net', 'ns2.example.net'],
    registrant: A_REGISTRANT,
    phaseEndsAt: null,
    renewalTriedAt: null,
    authCodeUntil: null,
    dueAt: new Date('2026-12-02T00:00:00.000Z'),
    transferPending: false,
    transferRequestedAt: null,
    transferEndsAt: null,
    registrarRenews: false,
    registeredAt: null,
    inBackup: null,
    keptZone: null,
    tags: [],
    createdAt: new Date('2026-01-01T00:00:00.000Z'),
    updatedAt: new Date('2026-01-01T00:00:00.000Z'),
    ...overrides,
  });
}

/** The same domain in another status, however it came there. */
export function inStatus(domain: Domain, status: DomainStatus): Domain {
  return Domain.fromState({ ...domain.toState(), status });
}
