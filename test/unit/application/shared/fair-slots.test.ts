import { FairSlots } from '../../../../src/application/shared/fair-slots';

describe('fair slots', () => {
  let slots: FairSlots;
  let started: string[];
  let finish: Map<string, () => void>;

  beforeEach(() => {
    slots = new FairSlots(3, 2);
    started = [];
    finish = new Map();
  });

  function begin(name: string, owner = name.slice(0, 1)): Promise<void> {
    return slots.run(owner, () => {
      started.push(name);
      return new Promise((resolve) => void finish.set(name, resolve));
    });
  }

  async function end(name: string): Promise<void> {
    finish.get(name)?.();
    await new Promise((resolve) => setImmediate(resolve));
  }

  it('limit one owner to its share', () => {
    for (const name of ['a1', 'a2', 'a3', 'b1']) void begin(name);

    expect(started).toEqual(['a1', 'a2', 'b1']);
  });

  it('give a free slot to the owner with the fewest, before those who came earlier', async () => {
    for (const name of ['a1', 'a2', 'b1', 'b2', 'c1']) void begin(name);

    await end('a1');
    await end('a2');

    expect(started).toEqual(['a1', 'a2', 'b1', 'c1', 'b2']);
  });

  it('give a free slot to the owner whose last turn is longest ago, if others have as many', async () => {
    slots = new FairSlots(1, 1);
    for (const name of ['a1', 'a2', 'a3', 'b1', 'b2', 'c1']) void begin(name);

    for (const name of ['a1', 'b1', 'c1', 'a2', 'b2']) await end(name);

    expect(started).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'a3']);
  });

  it('give the slots of one owner out in the order of arrival', async () => {
    for (const name of ['a1', 'a2', 'a3', 'a4']) void begin(name);

    await end('a2');
    await end('a1');

    expect(started).toEqual(['a1', 'a2', 'a3', 'a4']);
  });

  it('are released after work that failed', async () => {
    const failing = Array.from({ length: 6 }, () => slots.run('a', () => Promise.reject(new Error('on purpose'))));
    await Promise.allSettled(failing);

    for (const name of ['a1', 'a2', 'b1']) void begin(name);

    expect(started).toEqual(['a1', 'a2', 'b1']);
  });
});
