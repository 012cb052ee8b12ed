import { ServedSerials } from '../../../../../src/infrastructure/nameserver/notify/served-serials';

const [FIRST, LATER, LAST] = [
  new Date('2026-01-01T00:00:00Z'),
  new Date('2026-01-02T00:00:00Z'),
  new Date('2026-01-03T00:00:00Z'),
];

describe('the served versions', () => {
  it('report since when a nameserver has served its current version', () => {
    const servedSerials = new ServedSerials();
    servedSerials.record('ns1', 'example.com', { kind: 'serves', serial: 1 }, FIRST);

    expect(servedSerials.record('ns1', 'example.com', { kind: 'serves', serial: 1 }, LATER)).toEqual({
      kind: 'serves',
      serial: 1,
      since: FIRST,
    });
    expect(servedSerials.record('ns1', 'example.com', { kind: 'serves', serial: 2 }, LATER)).toEqual({
      kind: 'serves',
      serial: 2,
      since: LATER,
    });
    expect(servedSerials.record('ns2', 'example.com', { kind: 'serves', serial: 2 }, LAST)).toEqual({
      kind: 'serves',
      serial: 2,
      since: LAST,
    });
  });

  it('keep the time across an outage of the nameserver', () => {
    const servedSerials = new ServedSerials();
    servedSerials.record('ns1', 'example.com', { kind: 'serves', serial: 1 }, FIRST);

    expect(servedSerials.record('ns1', 'example.com', { kind: 'unreachable' }, LATER)).toEqual({
      kind: 'unreachable',
    });
    expect(servedSerials.record('ns1', 'example.com', { kind: 'serves', serial: 1 }, LAST)).toEqual({
      kind: 'serves',
      serial: 1,
      since: FIRST,
    });
  });
});
