import { setImmediate as nextIteration } from 'node:timers/promises';
import { packed, sendStatements } from '../../../../../src/infrastructure/persistence/database/table';

describe('the statements of a large write', () => {
  it('are sent in their order, without waiting for the result of the first ones', async () => {
    const sent: number[] = [];
    let respond: () => void = () => sent.push(-1);
    const responded = new Promise<void>((resolve) => {
      respond = resolve;
    });

    const sending = sendStatements(
      Array.from({ length: 10 }, (_, index) => () => {
        sent.push(index);
        return responded;
      }),
    );
    while (sent.length < 10) await nextIteration();
    respond();
    await sending;

    expect(sent).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
  });

  it('fail with the error of the first that fails, after all of them have ended', async () => {
    let ended = 0;
    const statement = (failure?: string) => async () => {
      await nextIteration();
      ended += 1;
      if (failure) throw new Error(failure);
    };

    const sending = sendStatements([statement(), statement('first'), statement('second'), statement()]);

    await expect(sending).rejects.toThrow('first');
    expect(ended).toBe(4);
  });
});

function pack(texts: readonly string[]) {
  return [...packed(texts, { count: 3, length: 10 }, ({ length }) => ({ count: 1, length }))];
}

describe('packing', () => {
  it('makes lists with a limited count and a limited length', () => {
    expect(pack(['a', 'b', 'c', 'd', 'eeeee', 'ffffff'])).toEqual([['a', 'b', 'c'], ['d', 'eeeee'], ['ffffff']]);
  });

  it('gives an item that is too long a separate list', () => {
    expect(pack(['a', 'x'.repeat(11), 'b'])).toEqual([['a'], ['x'.repeat(11)], ['b']]);
  });

  it('makes no list of nothing', () => {
    expect(pack([])).toEqual([]);
  });
});
