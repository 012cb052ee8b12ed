import { Sightings } from '../../../../src/infrastructure/nameserver/sightings';

const [FIRST, LATER, LAST] = [
  new Date('2026-01-01T00:00:00Z'),
  new Date('2026-01-02T00:00:00Z'),
  new Date('2026-01-03T00:00:00Z'),
];

describe('sightings', () => {
  it('tell since when a nameserver serves what it serves', () => {
    const sightings = new Sightings();
    sightings.record('ns1', 'example.com', { kind: 'serves', version: 1 }, FIRST);

    expect(sightings.record('ns1', 'example.com', { kind: 'serves', version: 1 }, LATER)).toEqual({
      kind: 'serves',
      version: 1,
      since: FIRST,
    });
    expect(sightings.record('ns1', 'example.com', { kind: 'serves', version: 2 }, LATER)).toEqual({
      kind: 'serves',
      version: 2,
      since: LATER,
    });
    expect(sightings.record('ns2', 'example.com', { kind: 'serves', version: 2 }, LAST)).toEqual({
      kind: 'serves',
      version: 2,
      since: LAST,
    });
  });

  it('are not broken off by silence', () => {
    const sightings = new Sightings();
    sightings.record('ns1', 'example.com', { kind: 'serves', version: 1 }, FIRST);

    expect(sightings.record('ns1', 'example.com', { kind: 'unreachable' }, LATER)).toEqual({ kind: 'unreachable' });
    expect(sightings.record('ns1', 'example.com', { kind: 'serves', version: 1 }, LAST)).toEqual({
      kind: 'serves',
      version: 1,
      since: FIRST,
    });
  });
});
