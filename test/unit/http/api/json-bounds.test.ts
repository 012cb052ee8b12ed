import * as fc from 'fast-check';
import { JsonBounds } from '../../../../src/http/api/request-body';
import { seeded } from '../../../support/seeded';
import { thrownBy } from '../../../support/thrown-by';

const MAX_VALUES = 8_000;
const TOO_MANY = { code: 'VALIDATION_ERROR', details: 'The body must not have more than 8000 values' };
const TOO_DEEP = { code: 'VALIDATION_ERROR', details: 'The body must not be nested deeper than 16 levels' };

/** Members and array entries, counted on the parsed value. */
function valuesIn(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  const inner: unknown[] = Object.values(value);
  return inner.reduce<number>((sum, each) => sum + valuesIn(each), inner.length);
}

function judged(text: string) {
  return thrownBy(() => new JsonBounds().read(Buffer.from(text)));
}

/** An even number of levels. */
function nested(levels: number): string {
  return '{"a":['.repeat(levels / 2) + ']}'.repeat(levels / 2);
}

/** Reads the text in pieces of these lengths, then the rest. */
function readInPieces(text: Buffer, lengths: readonly number[]): void {
  const bounds = new JsonBounds();
  let at = 0;
  for (const length of lengths) bounds.read(text.subarray(at, (at += length)));
  bounds.read(text.subarray(at));
}

describe('the bounds of a JSON body', () => {
  it.each([
    ['numbers in an array', (count: number) => `[${Array.from({ length: count }, () => '1').join(' ,\n')}]`],
    ['members', (count: number) => `{${Array.from({ length: count }, (_, index) => `"m${index}" : "x"`).join(', ')}}`],
    ['empty objects', (count: number) => `[ ${Array.from({ length: count }, () => '{ }').join(',')} ]`],
    ['repetitions of one member', (count: number) => `{${Array.from({ length: count }, () => '"m":1').join(',')}}`],
  ])('admit 8,000 values and no more: %s', (_what, text) => {
    expect(judged(text(MAX_VALUES))).toBeUndefined();
    expect(judged(text(MAX_VALUES + 1))).toMatchObject(TOO_MANY);
  });

  it('admit 16 levels within the body and no more', () => {
    expect(judged(nested(16))).toBeUndefined();
    expect(judged(nested(18))).toMatchObject(TOO_DEEP);
    expect(judged('['.repeat(5_000) + ']'.repeat(5_000))).toMatchObject(TOO_DEEP);
  });

  it('do not count what stands in strings', () => {
    expect(judged(JSON.stringify({ a: '[[{,"\\'.repeat(10_000) }))).toBeUndefined();
  });

  it('are reached before the rest of the text is read', () => {
    const text = Buffer.from('[],'.repeat(1_000_000));
    let furthest = 0;
    const watched = new Proxy(text, {
      get: (target, name) => {
        if (typeof name === 'string' && /^\d+$/.test(name)) furthest = Math.max(furthest, Number(name));
        return Reflect.get(target, name, target) as unknown;
      },
    });

    expect(thrownBy(() => new JsonBounds().read(watched))).toMatchObject(TOO_MANY);
    expect(furthest).toBeLessThanOrEqual(3 * (MAX_VALUES + 1));
  });

  it('count as many values as the parsed body has', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 6 }), fc.integer({ min: MAX_VALUES - 40, max: MAX_VALUES }), (json, fill) => {
        const body = `[${[...Array.from({ length: fill }, () => '0'), json].join(',')}]`;

        expect(judged(body) === undefined).toBe(valuesIn(JSON.parse(body)) <= MAX_VALUES);
      }),
      seeded(50),
    );
  });

  it('are the same for a text in pieces of any length', () => {
    const strings = fc.string({ unit: fc.constantFrom('"', '\\', ',', '[', '}', 'ü', 'a') });
    fc.assert(
      fc.property(
        fc.array(strings, { maxLength: 5 }),
        fc.array(fc.integer({ min: 0, max: 9 }), { maxLength: 30 }),
        fc.integer({ min: MAX_VALUES - 8, max: MAX_VALUES }),
        (texts, lengths, fill) => {
          const body = Buffer.from(
            `[${[JSON.stringify(texts), ...Array.from({ length: fill }, () => '0')].join(',')}]`,
          );

          expect(thrownBy(() => readInPieces(body, lengths))?.details).toBe(judged(body.toString())?.details);
        },
      ),
      seeded(50),
    );
  });

  it('reject text that is not well-formed, and always terminate', () => {
    for (const text of ['', '"', '"\\', ']]]]', ',', '{"a"', '[,']) expect(judged(text)).toBeUndefined();
  });
});
