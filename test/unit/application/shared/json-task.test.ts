import * as fc from 'fast-check';
import { jsonTask } from '../../../../src/application/shared/json-task';
import { LongList } from '../../../../src/http/shared/long-list';
import { seeded } from '../../../support/seeded';

/** The text, and how many steps it took. */
function written(value: unknown): { text: string; steps: number } {
  const writing = jsonTask(value);
  for (let steps = 0; ; steps += 1) {
    const step = writing.next();
    if (step.done) return { text: step.value, steps };
  }
}

describe('JSON in steps', () => {
  it('equals the output of JSON.stringify', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(written(value).text).toBe(JSON.stringify(value));
      }),
      seeded(),
    );
  });

  it.each([
    ['a member that is not there', { here: 1, there: undefined }],
    ['an entry that is not there', [1, undefined]],
    ['an instant', { at: new Date(0), all: [new Date(1)] }],
    ['a member with a strange name', { '"\n': { '\u2028': [] } }],
    [
      'a list that presents its entries',
      { created: new LongList([1, 2], (id) => ({ id })), none: new LongList([], () => ({})) },
    ],
  ])('has for %s what JSON.stringify has', (_what, value) => {
    expect(written(value).text).toBe(JSON.stringify(value));
  });

  it('yields after every entry of a list at any depth, and presents each entry when it is due', () => {
    const presented: number[] = [];
    const items = Array.from({ length: 1_000 }, (_each, index) => index);
    const writing = jsonTask({
      status: 200,
      body: { created: new LongList(items, (id) => ({ id: presented.push(id) })) },
    });

    for (let step = 0; step < 100; step += 1) writing.next();

    expect(presented.length).toBeLessThan(100);
    expect(written(items).steps).toBe(1_001);
  });
});
