import type { StatePlan } from '../../../../src/application/desired-state/state-plan';
import type { Actor } from '../../../../src/domain/access/actor';
import type { RecordDraft } from '../../../../src/domain/dns/records/dns-record';
import { aRecord } from '../../../support/data/a-record';
import { applyStateOf } from '../../../support/use-cases/state-use-cases';
import { OURS, STRANGER, UseCaseContext } from '../../../support/use-cases/use-case-context';

const A: RecordDraft = { type: 'A', name: 'www', content: '192.0.2.1' };

const commandOf = (records: readonly RecordDraft[], owner?: string) => ({
  ...OURS,
  name: 'example.com',
  state: { records: { owner, records } },
});
const lines = (found: Iterable<{ toState(): { name: string; type: string; content: string } }>) =>
  [...found].map((record) => record.toState()).map(({ name, type, content }) => `${name} ${type} ${content}`);

const told = ({ change }: StatePlan) => ({
  added: lines(change.added),
  changed: change.changed.map(({ before, after }) => [...lines([before]), ...lines([after])].join(' -> ')),
  removed: lines(change.removed),
});

describe('the records of a desired state', () => {
  let around: UseCaseContext;

  beforeEach(async () => {
    around = new UseCaseContext();
    await around.givenDomain({ id: 'dom_1', name: 'example.com' });
  });

  const plan = (records: readonly RecordDraft[], owner?: string) =>
    applyStateOf(around).plan(commandOf(records, owner));
  const apply = (records: readonly RecordDraft[], owner?: string) =>
    applyStateOf(around).execute(commandOf(records, owner));
  const stored = () =>
    [...(around.storage.tables.zones.get('dom_1')?.records.values() ?? [])]

      .map(({ name, type, content, managedBy = null }) => `${name} ${type} ${content} ${managedBy}`)
      .toSorted();

  it('are the whole zone if the state names no owner, and the plan writes nothing', async () => {
    await around.givenRecords('dom_1', [
      aRecord({ content: '192.0.2.9' }, 'rec_old'),
      aRecord({ name: 'gone' }, 'rec_gone'),
    ]);

    const planned = await plan([A, { type: 'MX', name: '@', content: 'mail.example.net', priority: 10 }]);

    expect(told(planned)).toEqual({
      added: ['@ MX mail.example.net'],
      changed: ['www A 192.0.2.9 -> www A 192.0.2.1'],
      removed: ['gone A 192.0.2.1'],
    });
    expect(stored()).toEqual(['gone A 192.0.2.1 null', 'www A 192.0.2.9 null']);
  });

  it('are written as planned, and the second apply is empty', async () => {
    await around.givenRecords('dom_1', [aRecord({ name: 'gone' }, 'rec_gone')]);
    const planned = await plan([A]);

    const applied = await apply([A]);

    expect(told(applied)).toEqual(told(planned));
    expect(stored()).toEqual(['www A 192.0.2.1 null']);
    expect(told(await apply([A]))).toEqual({ added: [], changed: [], removed: [] });
    expect((await apply([A])).versions).toEqual(applied.versions);
  });

  it('leave those of others alone if the state names an owner', async () => {
    await around.givenRecords('dom_1', [
      aRecord({ name: 'theirs', managedBy: 'external-dns' }, 'rec_1'),
      aRecord({ name: 'by-hand' }, 'rec_2'),
      aRecord({ name: 'gone', managedBy: 'git' }, 'rec_3'),
    ]);

    await apply([A], 'git');

    expect(stored()).toEqual(['by-hand A 192.0.2.1 null', 'theirs A 192.0.2.1 external-dns', 'www A 192.0.2.1 git']);
  });

  it('take over an identical record that no program manages', async () => {
    await around.givenRecords('dom_1', [aRecord({}, 'rec_1')]);

    const planned = await plan([A], 'git');
    await apply([A], 'git');

    expect(told(planned).changed).toHaveLength(1);
    expect(stored()).toEqual(['www A 192.0.2.1 git']);
  });

  it('must not be those of another program', async () => {
    await around.givenRecords('dom_1', [aRecord({ managedBy: 'external-dns' }, 'rec_1')]);

    await expect(plan([{ ...A, name: 'other' }, A], 'git')).rejects.toMatchObject({
      code: 'RECORD_CONFLICT',
      details: expect.stringMatching(/^records\[1\]: is managed by external-dns/),
    });
  });

  it('leave the PTR records alone that the service keeps', async () => {
    await around.givenRecords('dom_1', [
      aRecord({ type: 'TXT', name: 'kept', content: 'x', managedBy: 'ptr' }, 'rec_1'),
    ]);

    await apply([A]);

    expect(stored()).toEqual(['kept TXT x ptr', 'www A 192.0.2.1 null']);
  });

  it.each<[string, RecordDraft, RegExp]>([
    ['type', { ...A, type: 'NOPE' }, /^records\[1\]\.type: Supported types/],
    ['name', { ...A, name: '-bad..' }, /^records\[1\]\.name: /],
    ['content', { ...A, content: 'not an address' }, /^records\[1\]\.content: A content must be/],
    ['ttl', { ...A, ttl: 1 }, /^records\[1\]\.ttl: must be an integer from 60/],
    ['priority', { type: 'MX', name: '@', content: 'mail.example.net' }, /^records\[1\]\.priority: MX records/],
    ['managed_by', { ...A, managedBy: 'other' }, /^records\[1\]\.managed_by: must be git/],
    ['comment', { ...A, comment: 'two\nlines' }, /^records\[1\]\.comment: must be one line/],
    ['a repetition', { ...A, name: 'first' }, /^records\[1\]: repeats records\[0\]/],
    [
      'a conflict',
      { type: 'CNAME', name: 'first', content: 'www.example.com' },
      /^records\[1\]: A first \(records\[0\]\) conflicts/,
    ],
  ])('are refused with the place of what is wrong: %s', async (_what, draft, details) => {
    await expect(plan([{ ...A, name: 'first' }, draft], 'git')).rejects.toMatchObject({
      details: expect.stringMatching(details),
    });
  });

  it('are refused if the plan is older than the zone, with what has changed', async () => {
    const planned = await plan([A]);
    await apply([{ type: 'TXT', name: 'new', content: 'meanwhile' }]);

    const refused = applyStateOf(around).execute({ ...commandOf([A]), expected: planned.versions });

    await expect(refused).rejects.toMatchObject({
      code: 'PRECONDITION_FAILED',
      details: expect.stringMatching(/went from version 1 to 2: added new TXT "meanwhile"/),
    });
    expect(stored()).toEqual(['new TXT meanwhile null']);
  });

  it('need a key for the whole zone, unless the state names an owner', async () => {
    const actor: Actor = { kind: 'key', id: 'k', limits: { names: ['www'] } };
    await around.givenRecords('dom_1', [aRecord({ name: 'hidden', managedBy: 'git' }, 'rec_1')]);
    const limited = (owner?: string) => applyStateOf(around).plan({ ...commandOf([A], owner), actor });

    await expect(limited()).rejects.toMatchObject({ code: 'INSUFFICIENT_SCOPE' });
    expect(told(await limited('git'))).toEqual({ added: ['www A 192.0.2.1'], changed: [], removed: [] });
  });

  it('of another account are not found', async () => {
    const command = { ...commandOf([A]), ...STRANGER };

    await expect(applyStateOf(around).plan(command)).rejects.toMatchObject({ code: 'DOMAIN_NOT_FOUND' });
    await expect(applyStateOf(around).execute(command)).rejects.toMatchObject({ code: 'DOMAIN_NOT_FOUND' });
  });
});
