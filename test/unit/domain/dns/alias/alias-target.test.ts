import { addressesAfter, addressRecords, isSameAddresses } from '../../../../../src/domain/dns/alias/alias-addresses';
import {
  afterLookups,
  isPublishedOtherwise,
  newTarget,
  type AliasTarget,
  type TargetLookup,
} from '../../../../../src/domain/dns/alias/alias-target';
import { aRecord } from '../../../../support/data/a-record';

const START = new Date('2026-01-01T00:00:00.000Z');
const NONE: TargetLookup = { kind: 'answered', addresses: [], ttl: 300 };
const FAILED: TargetLookup = { kind: 'failed', reason: 'the resolver did not respond' };

function found(address: string, ttl = 300): TargetLookup {
  return { kind: 'answered', addresses: [address], ttl };
}

function at(seconds: number): Date {
  return new Date(START.getTime() + seconds * 1_000);
}

function lookUp(before: AliasTarget, ipv4: TargetLookup, ipv6: TargetLookup, seconds: number): AliasTarget {
  return afterLookups(before, { A: ipv4, AAAA: ipv6 }, at(seconds));
}

const NEW = newTarget('lb.test', START);

describe('the target of ALIAS records', () => {
  it.each([
    [10, 60],
    [300, 300],
    [86_400, 3_600],
  ])('is looked up again, with a TTL of %i seconds, after %i', (ttl, seconds) => {
    const target = lookUp(NEW, found('198.51.100.1', ttl), { ...NONE, ttl: 90_000 }, 0);

    expect(target).toMatchObject({ error: null, failingSince: null, failures: 0, dueAt: at(seconds) });
  });

  it('keeps the last good answer for 24 hours while the resolver fails, and then has no addresses', () => {
    const good = lookUp(NEW, found('198.51.100.1'), NONE, 0);

    const failing = lookUp(good, FAILED, FAILED, 86_399);
    const ended = lookUp(failing, FAILED, FAILED, 86_400);

    expect(failing).toMatchObject({
      answers: good.answers,
      error: 'the resolver did not respond',
      failingSince: at(86_399),
      failures: 1,
    });
    expect(isPublishedOtherwise(good.answers, failing.answers)).toBe(false);
    expect(ended.answers).toMatchObject({ A: { addresses: [] } });
    expect(isPublishedOtherwise(failing.answers, ended.answers)).toBe(true);
  });

  it('is not known until the resolver answers, and has no addresses if it does not for 24 hours', () => {
    const first = lookUp(NEW, FAILED, FAILED, 0);
    const last = lookUp(first, FAILED, FAILED, 86_400);

    expect(first.answers).toEqual({});
    expect(last.answers).toMatchObject({ A: { addresses: [] }, AAAA: { addresses: [] } });
  });

  it('loses its addresses at once if the resolver answers that it has none', () => {
    const good = lookUp(NEW, found('198.51.100.1'), found('2001:db8::1'), 0);

    expect(lookUp(good, NONE, NONE, 300).answers).toMatchObject({ A: { addresses: [] }, AAAA: { addresses: [] } });
  });

  it('has the answer of one type while the other type fails', () => {
    const target = lookUp(NEW, found('198.51.100.1'), FAILED, 0);

    expect(target.answers).toMatchObject({ A: { addresses: ['198.51.100.1'] } });
    expect(target.answers.AAAA).toBeUndefined();
    expect(target.error).toBe('AAAA: the resolver did not respond');
  });

  it('is looked up again when the answer of one type expires, however long the other type has failed', () => {
    let target = NEW;
    for (let look = 0; look < 7; look += 1) target = lookUp(target, found('198.51.100.1', 120), FAILED, 0);

    expect(target).toMatchObject({ failures: 7, dueAt: at(120) });
  });

  it.each([
    [
      'follows a lower TTL that three look-ups have shown, and a higher one',
      [300, 60, 60, 60, 60, 300, 300, 300],
      '300 300 300 60 60 300 300 300',
    ],
    ['does not follow what remains of a TTL in a cache', [300, 299, 20, 298, 40, 300], '300 300 300 300 300 300'],
    [
      'does not follow TTLs of more than an hour',
      [86_400, 82_800, 7_200, 3_600, 86_400],
      '86400 86400 86400 86400 86400',
    ],
    ['starts with the TTL of new addresses', [300, -30, -30], '300 30 30'],
  ])('%s', (_, ttls, expected) => {
    let target = NEW;
    const published = ttls.map((ttl) => {
      const before = target.answers;
      target = lookUp(target, found(ttl < 0 ? '198.51.100.2' : '198.51.100.1', Math.abs(ttl)), NONE, 0);
      const { published: after } = target.answers.A ?? {};
      expect(isPublishedOtherwise(before, target.answers)).toBe(
        before.A?.addresses.join() !== target.answers.A?.addresses.join() || before.A?.published?.ttl !== after?.ttl,
      );
      return after?.ttl;
    });

    expect(published.join(' ')).toBe(expected);
  });

  it('is retried after 30 seconds, and then less and less often', () => {
    let target = NEW;

    const intervals = Array.from({ length: 7 }, () => {
      target = lookUp(target, FAILED, FAILED, 0);
      return target.dueAt.getTime() - START.getTime();
    });

    expect(intervals).toEqual([30_000, 60_000, 120_000, 240_000, 480_000, 960_000, 960_000]);
  });
});

describe('the addresses in place of an ALIAS record', () => {
  const present = { A: { addresses: ['198.51.100.1'], ttl: 300 } };

  it('have the TTL of the answer, and keep theirs while the target is only known from an older release', () => {
    const target = lookUp(NEW, found('198.51.100.1', 77), NONE, 0);
    const { published: _published, ...older } = target.answers.A ?? { addresses: [], ttl: 0, answeredAt: START };

    expect(addressesAfter(present, target)).toEqual({ A: { addresses: ['198.51.100.1'], ttl: 77 } });
    expect(addressesAfter(present, { answers: { A: older } })).toEqual(present);
  });

  it('change with the target, with a TTL of at least 60 seconds', () => {
    const after = addressesAfter(present, lookUp(NEW, found('198.51.100.2', 5), found('2001:db8::1'), 0));

    expect(after).toEqual({
      A: { addresses: ['198.51.100.2'], ttl: 60 },
      AAAA: { addresses: ['2001:db8::1'], ttl: 300 },
    });
    expect(isSameAddresses(present, after)).toBe(false);
  });

  it('stay as they are until the target is known', () => {
    expect(addressesAfter(present, lookUp(NEW, FAILED, NONE, 0))).toEqual(present);
  });

  it('are A and AAAA records whose TTL is at most that of the ALIAS record', () => {
    const record = aRecord({ name: '@', ttl: 120 }).toState();

    const records = addressRecords(record, { ...present, AAAA: { addresses: ['2001:db8::1'], ttl: 60 } });

    expect(records.map(({ name, type, content, ttl }) => ({ name, type, content, ttl }))).toEqual([
      { name: '@', type: 'A', content: '198.51.100.1', ttl: 120 },
      { name: '@', type: 'AAAA', content: '2001:db8::1', ttl: 60 },
    ]);
  });
});
