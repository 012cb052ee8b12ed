import {
  assertAllowed,
  assertTransition,
  assertPath,
  DOMAIN_STATUSES,
  type DomainAction,
  type DomainStatus,
} from '../../../../src/domain/registration/domain-status';

const SETTINGS: readonly DomainAction[] = [
  'change nameservers',
  'change contacts',
  'change auto-renewal',
  'change the transfer lock',
  'issue an auth code',
  'renew',
];
const ACTIONS: readonly DomainAction[] = [
  ...SETTINGS,
  'restore',
  'delete',
  'change DNS records',
  'approve or reject a transfer',
  'release to another registrar',
];

const accepts = (attempt: () => void): boolean => {
  try {
    attempt();
    return true;
  } catch {
    return false;
  }
};
const allowed = (status: DomainStatus) => ACTIONS.filter((action) => accepts(() => assertAllowed(status, action)));
const movesFrom = (from: DomainStatus) =>
  DOMAIN_STATUSES.filter((to) => to !== from && accepts(() => assertTransition(from, to)));

describe('the status of a domain', () => {
  it.each<[DomainStatus, readonly DomainAction[]]>([
    ['unverified', ['change DNS records']],
    ['hosted', ['change DNS records']],
    ['pending', [...SETTINGS, 'change DNS records']],
    [
      'active',
      [...SETTINGS, 'delete', 'change DNS records', 'approve or reject a transfer', 'release to another registrar'],
    ],
    ['expired', [...SETTINGS, 'change DNS records', 'approve or reject a transfer', 'release to another registrar']],
    ['redemption', ['restore', 'change DNS records']],
    ['pending_delete', ['change DNS records']],
    ['transferred_out', []],
    ['gone', []],
  ])('%s allows just what it should', (status, actions) => {
    expect(allowed(status)).toEqual(actions);
  });

  it.each<[DomainStatus, DomainAction, string]>([
    [
      'pending',
      'restore',
      'change nameservers, change contacts, change auto-renewal, change the transfer lock, issue an auth code, renew, change DNS records',
    ],
    [
      'active',
      'restore',
      'change nameservers, change contacts, change auto-renewal, change the transfer lock, issue an auth code, renew, delete, change DNS records, approve or reject a transfer, release to another registrar, keep the zone',
    ],
    [
      'expired',
      'delete',
      'change nameservers, change contacts, change auto-renewal, change the transfer lock, issue an auth code, renew, change DNS records, approve or reject a transfer, release to another registrar, keep the zone',
    ],
    ['redemption', 'renew', 'restore, change DNS records, keep the zone'],
    ['pending_delete', 'restore', 'change DNS records, keep the zone'],
    ['transferred_out', 'change DNS records', 'nothing'],
  ])('%s that forbids something says what is possible', (status, action, possible) => {
    expect(() => assertAllowed(status, action)).toThrow(
      expect.objectContaining({
        code: 'DOMAIN_STATUS_CONFLICT',
        details: `It is not possible to ${action} in status ${status}. Allowed: ${possible}`,
      }),
    );
  });

  it.each<[DomainStatus, readonly DomainStatus[]]>([
    ['unverified', ['hosted', 'pending', 'active', 'gone']],
    ['hosted', ['unverified', 'pending', 'active', 'gone']],
    ['pending', ['unverified', 'hosted', 'active', 'gone']],
    ['active', ['hosted', 'expired', 'redemption', 'transferred_out', 'gone']],
    ['expired', ['hosted', 'active', 'redemption', 'transferred_out']],
    ['redemption', ['active', 'pending_delete']],
    ['pending_delete', ['hosted', 'active', 'redemption', 'gone']],
    ['transferred_out', ['gone']],
    ['gone', []],
  ])('%s moves on to nothing but what follows in a life', (from, to) => {
    expect(movesFrom(from)).toEqual(to);
  });

  it('may have advanced by several transitions since the last check, and never leaves a final status', () => {
    expect(() => assertPath('active', 'pending_delete')).not.toThrow();
    expect(() => assertPath('redemption', 'expired')).not.toThrow();
    expect(() => assertPath('gone', 'active')).toThrow('cannot go from gone to active');
    expect(() => assertPath('transferred_out', 'active')).toThrow('cannot go from transferred_out to active');
    expect(() => assertPath('active', 'pending')).toThrow('cannot go from active to pending');
    expect(() => assertPath('pending_delete', 'hosted')).not.toThrow();
  });

  it('has not moved if it stays as it is', () => {
    for (const status of DOMAIN_STATUSES) expect(() => assertTransition(status, status)).not.toThrow();
  });
});
