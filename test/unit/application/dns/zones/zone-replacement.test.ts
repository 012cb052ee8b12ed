import { replacement } from '../../../../../src/application/dns/zones/zone-replacement';
import type { CooperativeTask } from '../../../../../src/application/shared/run-cooperatively';
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
