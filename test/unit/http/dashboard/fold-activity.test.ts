import type { AuditAction, AuditEntry } from '../../../../src/domain/access/audit-entry';
import type { Actor } from '../../../../src/domain/access/actor';
import { foldActivity } from '../../../../src/http/dashboard/activity/fold-activity';

const ADA: Actor = { kind: 'user', id: 'usr_ada' };
const BOT: Actor = { kind: 'key', id: 'bot' };
let serial = 0;
const entry = (action: AuditAction, actor: Actor): AuditEntry => ({
  id: `evt_${(serial += 1)}`,
  accountId: 'acc_1',
  at: new Date(0),
  actor,
  action,
  domain: null,
  subject: null,
  before: {},
  after: {},
});

describe('folded activity', () => {
  it('has one item for changes of a kind in a row by the same actor, with the latest first', () => {
    const entries = [
      entry('records.added', BOT),
      entry('records.added', BOT),
      entry('records.added', ADA),
      entry('records.removed', ADA),
      entry('records.added', BOT),
    ];

    const folds = foldActivity(entries);

    expect(folds.map(({ others }) => others.length)).toEqual([1, 0, 0, 0]);
    expect(folds.flatMap(({ latest, others }) => [latest, ...others])).toEqual(entries);
  });
});
