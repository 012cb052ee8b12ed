import { apexNsOf, followDelegation, isServedApexNs } from '../../../../../src/domain/dns/delegation/apex-ns';
import { aRecord } from '../../../../support/data/a-record';

const NOW = new Date('2026-06-01T00:00:00.000Z');
const record = (content: string, ttl: number) =>
  aRecord({ type: 'NS', name: '@', content: `${content}.example.net`, ttl }, content);
const hosts = (names: string) => names.split('').map((name) => `${name}.example.net`);
const ns = (content: string, ttl: number) => ({ content, ttl });

describe('the NS RRset of the apex', () => {
  it.each([
    ['the delegation alone', ['a', 'b'], [], 3600, ['a', 'b']],
    ['no nameserver', [], [], 3600, []],
    ['another nameserver with a longer TTL', ['a'], [ns('c', 86_400)], 3600, ['a', 'c']],
    ['another nameserver with a shorter TTL', ['a'], [ns('c', 60)], 60, ['a', 'c']],
    ['one record that repeats the delegation with a longer TTL', ['a', 'b'], [ns('b', 86_400)], 3600, ['a', 'b']],
    ['records that all repeat it', ['a', 'b'], [ns('b', 86_400), ns('a', 7200)], 7200, ['a', 'b']],
  ])('has one TTL, and each nameserver once: %s', (_name, nameservers, records, ttl, hosts) => {
    expect(apexNsOf({ nameservers }, records)).toEqual({ ttl, hosts });
  });

  it.each([
    ['the same, with the TTL that is served for all', [ns('a', 60), ns('b', 60), ns('c', 60)], true],
    ['the records alone', [ns('c', 60)], true],
    ['another TTL', [ns('a', 300), ns('b', 300), ns('c', 300)], false],
    ['one with another TTL', [ns('a', 60), ns('b', 300), ns('c', 60)], false],
    ['one more', [ns('c', 60), ns('d', 60)], false],
    ['one less', [ns('a', 60), ns('b', 60)], false],
  ])('is served already or not: %s', (_name, wanted, isServed) => {
    expect(isServedApexNs(wanted, [ns('c', 60)], ['a', 'b'])).toBe(isServed);
  });
});

describe('NS records that repeat the delegation', () => {
  let ids = 0;
  /** The records afterwards, by id, and what became of each. */
  const follow = (before: string, after: string, ...records: ReturnType<typeof record>[]) => {
    ids = 0;
    const delegation = { before: hosts(before), after: hosts(after) };
    const { added, changed, removed } = followDelegation(records, delegation, () => `new_${(ids += 1)}`, NOW);
    const lineOf = (each: (typeof added)[number]) => `${each.id} ${each.ttl} ${each.toState().content[0] ?? ''}`;
    return [
      ...changed.map((each) => `${lineOf(each.before)} > ${lineOf(each.after)}`),
      ...added.map((each) => `+ ${lineOf(each)}`),
      ...removed.map((each) => `- ${lineOf(each)}`),
    ];
  };

  it.each([
    ['ab', 'cd', ['a 60 a > a 60 c', 'b 60 b > b 60 d']],
    ['ab', 'bc', ['a 60 a > a 60 c']],
    ['ab', 'cde', ['a 60 a > a 60 c', 'b 60 b > b 60 d', '+ new_1 60 e']],
    ['ab', 'abc', ['+ new_1 60 c']],
    ['ab', 'c', ['a 60 a > a 60 c', '- b 60 b']],
    ['ab', 'ba', []],
  ])('follow it with their TTL: %s becomes %s', (before, after, expected) => {
    expect(follow(before, after, record('a', 60), record('b', 60))).toEqual(expected);
  });

  it('are removed with their nameserver if they have the TTL of the delegation', () => {
    expect(follow('ab', 'cd', record('a', 3600), record('x', 7200))).toEqual(['- a 3600 a']);
  });

  it('leave other records of the apex as they are', () => {
    expect(follow('ab', 'cd', record('x', 60), aRecord({ name: '@' }))).toEqual([]);
    expect(follow('ab', 'xd', record('a', 60), record('b', 60), record('x', 300))).toEqual([
      'a 60 a > a 60 d',
      '- b 60 b',
    ]);
  });
});
