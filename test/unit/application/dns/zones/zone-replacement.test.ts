import { replacement } from '../../../../../src/application/dns/zones/zone-replacement';
import { runCooperatively, type CooperativeTask } from '../../../../../src/application/shared/run-cooperatively';
import type { DnsRecord } from '../../../../../src/domain/dns/records/dns-record';
import { supersede } from '../../../../../src/domain/dns/templates/supersede';
import { aRecord } from '../../../../support/data/a-record';

const COUNT = 20;
const texts = (prefix: string) =>
  Array.from({ length: COUNT }, (_, index) =>
    aRecord({ type: 'TXT', name: 'www', content: `"${prefix}" "${index}"` }, `rec_${prefix}${index}`),
  );

/** A record can take a tenth of a millisecond each time that its text is read. */
function mostReadAtOnce(task: CooperativeTask<unknown>, records: ReturnType<typeof texts>): number {
  let [most, read] = [0, 0];
  for (const record of records) {
    const toState = record.toState.bind(record);
    jest.spyOn(record, 'toState').mockImplementation(() => {
      read += 1;
      return toState();
    });
  }
  for (let step = task.next(); ; step = task.next()) {
    most = Math.max(most, read);
    read = 0;
    if (step.done) return most;
  }
}

describe('a change of a whole zone', () => {
  it('pauses between the records that it compares and those that it replaces', () => {
    let steps = 0;
    for (const _ of replacement(
      texts('old').map((record) => record.toState()),
      texts('new'),
      [],
      new Date(0),
    ))
      steps += 1;

    // Each record that is there is compared and placed, and so is each new one.
    expect(steps).toBe(4 * COUNT);
  });

  it('reads the text of one record at a time to find those that a template replaces', () => {
    const [present, added] = [texts('old'), texts('new')];

    expect(mostReadAtOnce(supersede(present, added), present)).toBeLessThanOrEqual(1);
  });
});

const NOW = new Date('2026-06-01T00:00:00.000Z');
const FORM = String.raw`"\097"`;
const text = (content: string, ttl = 3600, id = 'rec_1') => aRecord({ type: 'TXT', content, ttl }, id);

async function changesOf(stored: DnsRecord, wanted: DnsRecord) {
  const { added, changed, removed } = await runCooperatively(replacement([stored.toState()], [wanted], [], NOW));
  expect([...added, ...removed]).toEqual([]);
  return changed.map(({ after }) => `${after.id} ${after.ttl} ${after.writtenRdata()}`);
}

describe('the written form of records in a change of a whole zone', () => {
  it.each<[string, DnsRecord, DnsRecord, readonly string[]]>([
    ['leaves a record in its written form if none is told', text('a').writtenAs(FORM), text('a', 3600, 'new'), []],
    ['keeps the written form while the TTL changes', text('a').writtenAs(FORM), text('a', 60), [`rec_1 60 ${FORM}`]],
    ['changes a record that is written in another form', text('a'), text('a').writtenAs(FORM), [`rec_1 3600 ${FORM}`]],
    [
      'changes a record that is written in its canonical form',
      text('a').writtenAs(FORM),
      text('a').writtenAs('"a"'),
      ['rec_1 3600 "a"'],
    ],
    ['leaves a record that is written in the same form', text('a').writtenAs(FORM), text('a').writtenAs(FORM), []],
    ['drops the written form with the data', text('a').writtenAs(FORM), text('b'), ['rec_1 3600 "b"']],
  ])('%s', async (_rule, stored, wanted, changes) => {
    expect(await changesOf(stored, wanted)).toEqual(changes);
  });
});

const COMMENTED = aRecord({ comment: 'web', managedBy: 'ci' }, 'rec_1');

async function notesOf(stored: DnsRecord, wanted: DnsRecord) {
  const { changed } = await runCooperatively(replacement([stored.toState()], [wanted], [], NOW));
  return changed.map(({ after }) => [after.toState().comment, after.toState().managedBy]);
}

describe('the comments of records in a change of a whole zone', () => {
  it.each<[string, DnsRecord, readonly unknown[]]>([
    ['stay with a record that stays', aRecord(), []],
    ['stay with a record that gets another TTL', aRecord({ ttl: 60 }), [['web', 'ci']]],
    ['stay with a record that gets other data', aRecord({ content: '192.0.2.9' }), [['web', 'ci']]],
    ['change if others are told', aRecord({ comment: 'mail' }), [['mail', 'ci']]],
    ['are removed if none is told to be there', aRecord({ comment: null, managedBy: '' }), [[null, null]]],
  ])('%s', async (_rule, wanted, notes) => {
    expect(await notesOf(COMMENTED, wanted)).toEqual(notes);
  });

  it('stay with a new record that replaces one of several, whichever of them has a comment', async () => {
    const plain = aRecord({ content: '192.0.2.2' }, 'rec_2');
    const wanted = aRecord({ content: '192.0.2.3' }, 'rec_3');
    const current = [plain, COMMENTED].map((record) => record.toState());

    const { changed, removed } = await runCooperatively(replacement(current, [wanted], [], NOW));

    expect(changed.map(({ after }) => [after.id, after.toState().comment])).toEqual([['rec_1', 'web']]);
    expect(removed.map(({ id }) => id)).toEqual(['rec_2']);
  });
});
