import { parseApprovalRules, recordsNeedApproval } from '../../../../../src/domain/access/approvals/approval-rule';

const rules = parseApprovalRules([
  { changes: ['nameservers'] },
  { changes: ['records'], types: ['MX'] },
  { changes: ['records'], names: ['**.prod'], tags: ['production'] },
]);
const A = { type: 'A', name: 'www' };

/** How often the check can pause, and its result. */
function check(tags: readonly string[], records: readonly (typeof A)[]): readonly [pauses: number, isNeeded: boolean] {
  const task = recordsNeedApproval(rules, { tags, records });
  let pauses = 0;
  for (let step = task.next(); ; step = task.next(), pauses += 1) if (step.done) return [pauses, step.value];
}

describe('approval rules for records', () => {
  it('can pause after each record, because a change can have as many as a zone', () => {
    expect(
      check(
        [],
        Array.from({ length: 100 }, () => A),
      ),
    ).toEqual([100, false]);
  });

  it('ask for a second person as soon as one record is of a type or name, in domains with the tag', () => {
    const ofProd = { type: 'A', name: 'db.prod' };

    expect(check([], [A, { type: 'MX', name: '@' }, A])).toEqual([1, true]);
    expect(check(['production'], [ofProd])).toEqual([0, true]);
    expect(check(['other'], [ofProd])).toEqual([1, false]);
  });
});
