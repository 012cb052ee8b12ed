import type { Issue } from '../../../../src/domain/shared/issue';
import {
  choice,
  flag,
  integer,
  list,
  nullable,
  object,
  optional,
  text,
  yes,
  type Shape,
} from '../../../../src/http/api/shape';

const description = 'x';
const ITEM = object(
  {
    name: text({ description }),
    size: nullable(integer({ description, minimum: 0, maximum: 9 })),
    on: optional(flag({ description })),
    kind: optional(choice(['a', 'b'], { description })),
  },
  { description },
);
const CHANGE = object(
  { tags: optional(list(text())), years: optional(integer({ minimum: 1 })), gone: optional(yes()) },
  { hasOne: true },
);
const SHAPE = object({ items: list(ITEM, { description, most: 3 }) }, { description });

function issuesOf(shape: Shape<unknown>, value: unknown): readonly string[] {
  const issues: Issue[] = [];
  const checking = shape.check(value, '', issues);
  while (!checking.next().done);
  return issues.map(({ path, message }) => `${path} ${message}`.trim());
}

describe('a description', () => {
  it('accepts what it describes', () => {
    expect(issuesOf(SHAPE, { items: [] })).toEqual([]);
    expect(issuesOf(SHAPE, { items: [{ name: '' }, { name: 'x', size: null, on: false, kind: 'b' }] })).toEqual([]);
    expect(issuesOf(SHAPE, { items: [{ name: 'x', size: 9 }] })).toEqual([]);
  });

  it.each<[unknown, string[]]>([
    [[], ['The body must be an object']],
    [null, ['The body must be an object']],
    [{}, ['items is required']],
    [{ items: {} }, ['items must be an array']],
    [{ items: [{}, {}, {}, {}] }, ['items must have at most 3 entries']],
    [
      { items: [{ name: 1, size: 10, on: null, kind: 'c' }] },
      [
        'items[0].name must be a string',
        'items[0].size must be an integer from 0 to 9',
        'items[0].on must be true or false',
        'items[0].kind must be one of a, b',
      ],
    ],
    [{ items: [null, 'x'] }, ['items[0] must be an object', 'items[1] must be an object']],
    [
      { items: [], other: 1, '': 1 },
      ['other is not a known member (known: items)', '"" is not a known member (known: items)'],
    ],
    [
      JSON.parse('{ "items": [], "__proto__": {}, "toString": 1 }'),
      ['__proto__ is not a known member (known: items)', 'toString is not a known member (known: items)'],
    ],
  ])('names every part of %j that is wrong', (value, issues) => {
    expect(issuesOf(SHAPE, value)).toEqual(issues);
  });

  it.each<[unknown, string[]]>([
    [{ tags: ['shop'] }, []],
    [{ gone: true }, []],
    [{}, ['must have exactly one of tags, years, gone']],
    [
      { years: 0, gone: false },
      ['years must be an integer of at least 1', 'gone must be true', 'must have exactly one of tags, years, gone'],
    ],
  ])('accepts %j if it has one member that is valid, where one is wanted', (value, issues) => {
    expect(issuesOf(CHANGE, value)).toEqual(issues);
  });

  it('stops at a hundred issues', () => {
    const many = list(ITEM, { description, most: 1_000 });

    expect(
      issuesOf(
        many,
        Array.from({ length: 1_000 }, () => ({})),
      ).length,
    ).toBeLessThanOrEqual(101);
  });
});
