import { ServedVersions } from '../../../../src/infrastructure/nameserver/served-versions';

const [FIRST, LATER, LAST] = [
  new Date('2026-01-01T00:00:00Z'),
  new Date('2026-01-02T00:00:00Z'),
  new Date('2026-01-03T00:00:00Z'),
];

describe('the served versions', () => {
  it('report since when a nameserver has served its current version', () => {
    const servedVersions = new ServedVersions();
    servedVersions.record('ns1', 'example.com', { kind: 'serves', version: 1 }, FIRST);

    expect(servedVersions.record('ns1', 'example.com', { kind: 'serves', version: 1 }, LATER)).toEqual({
      kind: 'serves',
      version: 1,
      since: FIRST,
    });
    expect(servedVersions.record('ns1', 'example.com', { kind: 'serves', version: 2 }, LATER)).toEqual({
      kind: 'serves',
      version: 2,
      since: LATER,
    });
    expect(servedVersions.record('ns2', 'example.com', { kind: 'serves', version: 2 }, LAST)).toEqual({
      kind: 'serves',
      version: 2,
      since: LAST,
    });
  });

  it('keep the time across an outage of the nameserver', () => {
    const servedVersions = new ServedVersions();
    servedVersions.record('ns1', 'example.com', { kind: 'serves', version: 1 }, FIRST);

    expect(servedVersions.record('ns1', 'example.com', { kind: 'unreachable' }, LATER)).toEqual({
      kind: 'unreachable',
    });
    expect(servedVersions.record('ns1', 'example.com', { kind: 'serves', version: 1 }, LAST)).toEqual({
      kind: 'serves',
      version: 1,
      since: FIRST,
    });
  });
});
