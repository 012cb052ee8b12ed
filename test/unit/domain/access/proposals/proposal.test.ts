import type { Actor } from '../../../../../src/domain/access/actor';
import { hasSameEffect } from '../../../../../src/domain/access/proposals/plan-effect';
import { Proposal, statusAt } from '../../../../../src/domain/access/proposals/proposal';

const HOUR_MS = 3_600_000;
const CREATED = new Date('2026-11-28T12:00:00Z');
const ACCEPTED = new Date('2026-11-29T12:00:00Z');
const after = (hours: number) => new Date(ACCEPTED.getTime() + hours * HOUR_MS);

const key = (id: string, limits?: Extract<Actor, { kind: 'key' }>['limits']): Actor => ({
  kind: 'key',
  id,
  ...(limits && { limits }),
});

const planOf = (id: string, name: string, warnings: readonly string[]) => ({
  changes: [{ action: 'template.created', subject: id, after: { name } }],
  warnings,
  version: id.length,
});

function accepting(by: Actor): Proposal {
  const write = { method: 'POST', path: '/api/domains/dom_1/renew' };
  const proposal = Proposal.propose(
    { id: 'prop_1', accountId: 'acc_1', proposer: key('agent'), write, sealedBody: null, reason: 'r', plan: {} },
    CREATED,
  );
  proposal.accept({ actor: by, comment: null, at: ACCEPTED });
  return proposal;
}

describe('a proposal whose write may have been done', () => {
  it('is accepted again by who accepted it, and by someone without limits', () => {
    const proposal = accepting(key('limited', { actions: ['read', 'renew'] }));

    expect(proposal.isAcceptedAgain(key('limited', { actions: ['read', 'renew'] }), after(1))).toBe(true);
    expect(proposal.isAcceptedAgain(key('unlimited'), after(1))).toBe(true);
    expect(() => proposal.isAcceptedAgain(key('other', { actions: ['read'] }), after(1))).toThrow(
      expect.objectContaining({ code: 'PROPOSAL_CLOSED' }),
    );
  });

  it('is not accepted again when a repeated write is no longer recognized', () => {
    const proposal = accepting(key('admin'));

    expect(proposal.isAcceptedAgain(key('admin'), after(23))).toBe(true);
    expect(() => proposal.isAcceptedAgain(key('admin'), after(24))).toThrow(
      expect.objectContaining({ details: 'Its state is expired' }),
    );
    expect(statusAt(proposal.toState(), after(24))).toBe('expired');
  });
});

describe('two plans', () => {
  it('have the same effect if only ids, times, versions and warnings differ', () => {
    expect(hasSameEffect(planOf('tpl_1', 'a', []), planOf('tpl_22', 'a', ['a warning']))).toBe(true);
    expect(hasSameEffect(planOf('tpl_1', 'a', []), planOf('tpl_1', 'b', []))).toBe(false);
  });
});
