import { transferOutSteps } from '../../../../../src/domain/registration/transfers/transfer-out-steps';
import { aDomain } from '../../../../support/data/a-domain';

const NOW = new Date('2026-06-01T00:00:00.000Z');
const LATER = new Date('2026-06-08T00:00:00.000Z');

describe('the steps of a domain to another registrar', () => {
  const stepsOf = (
    overrides: Parameters<typeof aDomain>[0],
    policy: Parameters<typeof transferOutSteps>[1] = {},
    stopsWorking = false,
  ) =>
    transferOutSteps(aDomain(overrides).toState(), policy, { now: NOW, stopsWorking }).map(
      ({ kind, state }) => `${kind} ${state}`,
    );

  it.each([
    ['is locked', { transferLocked: true }, ['lock now', 'code later', 'transfer later']],
    ['is unlocked', { transferLocked: false }, ['lock done', 'code now', 'transfer later']],
    [
      'has an auth code',
      { transferLocked: false, authCodeUntil: LATER },
      ['lock done', 'code done', 'transfer waiting'],
    ],
    ['had an auth code', { transferLocked: false, authCodeUntil: NOW }, ['lock done', 'code now', 'transfer later']],
    ['is requested', { transferLocked: false, transferPending: true }, ['lock done', 'code done', 'transfer now']],
    ['has left', { status: 'transferred_out', transferLocked: true }, ['lock done', 'code done', 'transfer done']],
    [
      'has expired in redemption',
      { status: 'redemption', transferLocked: false },
      ['lock done', 'code later', 'transfer later'],
    ],
  ] as const)('tell what to do now when it %s', (_state, overrides, expected) => {
    expect(stepsOf(overrides)).toEqual(['dns done', ...expected]);
  });

  it('advise to keep the DNS working first', () => {
    expect(stepsOf({ transferLocked: true }, {}, true)[0]).toBe('dns advised');
  });

  it('leave out what the registrar does not offer', () => {
    const locked = { transferLocked: true };
    expect(stepsOf(locked, { unsupported: ['transfer_lock'] })).toEqual(['dns done', 'code now', 'transfer later']);
    expect(stepsOf({ transferLocked: false }, { unsupported: ['auth_code'] })).toEqual([
      'dns done',
      'lock done',
      'code elsewhere',
      'transfer waiting',
    ]);
    expect(stepsOf({}, { unsupported: ['auth_code', 'transfer_lock'], releases: true })).toEqual([
      'dns done',
      'release now',
      'transfer waiting',
    ]);
    expect(stepsOf({ transferLocked: false, transferPending: true }, { unsupported: ['decide_transfer'] })).toContain(
      'transfer waiting',
    );
  });
});
