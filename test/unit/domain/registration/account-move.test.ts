import { AccountMove, assertMovable, moveStatusAt } from '../../../../src/domain/registration/account-move';
import { Operation } from '../../../../src/domain/registration/operations/operation';
import { aDomain } from '../../../support/data/a-domain';

const NOW = new Date('2026-02-01T12:00:00.000Z');
const WEEK = new Date('2026-02-08T12:00:00.000Z');
const ACTOR = { kind: 'key', id: 'k1' } as const;
const DECISION = { actor: ACTOR, comment: null, at: NOW };

function aMove(toAccountId = 'acc_2') {
  const given = { id: 'move_1', accountId: 'acc_1', toAccountId, domainId: 'dom_1', name: 'example.com', zones: [] };
  return AccountMove.propose({ ...given, effects: { ends: [], comes: [] }, proposer: ACTOR, reason: ' Sold ' }, NOW);
}

describe('a move to another account', () => {
  it('is refused to the account that has the name', () => {
    expect(() => aMove('acc_1')).toThrow(expect.objectContaining({ code: 'VALIDATION_ERROR' }));
  });

  it('is decided by the other account, and withdrawn by the one that offers it', () => {
    expect(() => aMove().accept('acc_1', DECISION)).toThrow(expect.objectContaining({ code: 'INSUFFICIENT_SCOPE' }));
    expect(() => aMove().reject('acc_1', DECISION)).toThrow(expect.objectContaining({ code: 'INSUFFICIENT_SCOPE' }));
    expect(() => aMove().withdraw('acc_2', DECISION)).toThrow(expect.objectContaining({ code: 'INSUFFICIENT_SCOPE' }));
    const accepted = aMove();
    accepted.accept('acc_2', DECISION);
    expect(accepted.toState()).toMatchObject({ status: 'accepted', reason: 'Sold', decision: DECISION });
  });

  it('cannot be decided twice, or after seven days', () => {
    const rejected = aMove();
    rejected.reject('acc_2', DECISION);
    expect(() => rejected.accept('acc_2', DECISION)).toThrow(expect.objectContaining({ code: 'PROPOSAL_CLOSED' }));
    expect(() => aMove().accept('acc_2', { ...DECISION, at: WEEK })).toThrow(
      expect.objectContaining({ code: 'PROPOSAL_CLOSED' }),
    );
    expect(moveStatusAt(aMove().toState(), WEEK)).toBe('expired');
  });
});

describe('a name can move to another account', () => {
  const movable = (state: Parameters<typeof aDomain>[0], unfinished: readonly Operation[] = []) =>
    assertMovable(aDomain(state).toState(), unfinished, NOW);
  const operation = Operation.queue(
    { id: 'op_1', accountId: 'acc_1', actor: ACTOR, domainId: 'dom_1', request: { kind: 'issue_auth_code' } },
    NOW,
  );

  it.each(['active', 'expired', 'hosted'] as const)('if it is %s', (status) => {
    expect(() => movable({ status })).not.toThrow();
  });

  it.each(['unverified', 'pending', 'redemption', 'pending_delete', 'transferred_out'] as const)(
    'but not if it is %s',
    (status) => {
      expect(() => movable({ status })).toThrow(expect.objectContaining({ code: 'DOMAIN_STATUS_CONFLICT' }));
    },
  );

  it('but not during an operation, a transfer to another registrar, or while an auth code is valid', () => {
    const active = { status: 'active' } as const;

    expect(() => movable(active, [operation])).toThrow(expect.objectContaining({ code: 'OPERATION_IN_PROGRESS' }));
    for (const state of [{ transferPending: true }, { authCodeUntil: WEEK }])
      expect(() => movable({ ...active, ...state })).toThrow(
        expect.objectContaining({ code: 'DOMAIN_STATUS_CONFLICT' }),
      );
    expect(() => movable({ ...active, authCodeUntil: NOW })).not.toThrow();
  });
});
