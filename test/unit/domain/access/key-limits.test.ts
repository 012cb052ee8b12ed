import type { Actor } from '../../../../src/domain/access/actor';
import {
  limitsBeyond,
  parseKeyLimits,
  type GivenLimits,
  type KeyLimits,
} from '../../../../src/domain/access/key-limits';
import {
  assertActionAllowed,
  assertAddressAllowed,
  assertEveryTagAllowed,
  assertMayDelegate,
  assertNameAllowed,
  assertRecordAllowed,
  assertWholeAccountAllowed,
  maySeeDomain,
  maySeeName,
  maySeeRecord,
} from '../../../../src/domain/access/key-permissions';
import { limitsOfUser, mayReleaseDomains } from '../../../../src/domain/access/people/role';
import { ValidationError } from '../../../../src/domain/shared/validation-error';

const usd = (minor: number) => ({ minor, currency: 'USD' });

describe('the limits of a key', () => {
  it('are stored in lower case with A-labels, types in upper case and networks with a prefix length, each once', () => {
    expect(
      parseKeyLimits({
        domains: ['Bücher.example'],
        tags: ['Big Shop', 'blog', 'big-shop'],
        names: ['WWW', 'www', '_ACME-challenge'],
        types: ['txt', 'A'],
        actions: ['read'],
        networks: ['192.0.2.1', '2001:DB8::/32'],
        unusedAfterDays: 30,
        spend: { perDay: usd(5_000) },
      }),
    ).toEqual({
      domains: ['xn--bcher-kva.example'],
      tags: ['big-shop', 'blog'],
      names: ['www', '_acme-challenge'],
      types: ['TXT', 'A'],
      actions: ['read'],
      networks: ['192.0.2.1/32', '2001:db8::/32'],
      unusedAfterDays: 30,
      spend: { perDay: usd(5_000) },
    });
  });

  it('are empty if nothing is limited', () => {
    expect(parseKeyLimits({})).toBeNull();
  });

  it.each<[GivenLimits]>([
    [{ domains: [] }],
    [{ domains: ['no domain'] }],
    [{ domains: ['*.example'] }],
    [{ tags: [] }],
    [{ tags: ['#'] }],
    [{ names: [''] }],
    [{ names: ['a..b'] }],
    [{ names: Array.from({ length: 100 }, (_none, index) => `**.a.b.c.d${index}`) }],
    [{ names: ['w*'] }],
    [{ names: [`a.${String.raw`\*`}`] }],
    [{ types: ['SOA'] }],
    [{ types: Array.from({ length: 101 }, () => 'A') }],
    [{ actions: ['everything'] }],
    [{ networks: ['192.0.2.0/33'] }],
    [{ networks: ['2001:db8::/129'] }],
    [{ networks: ['example.com'] }],
    [{ networks: ['fe80::1%eth0'] }],
    [{ unusedAfterDays: 0 }],
    [{ unusedAfterDays: 1.5 }],
    [{ spend: {} }],
    [{ spend: { perDay: usd(-1) } }],
    [{ spend: { perDay: usd(1), perMonth: { minor: 1, currency: 'EUR' } } }],
  ])('reject %j', (limits) => {
    expect(() => parseKeyLimits(limits)).toThrow(ValidationError);
  });
});

describe('a person who is limited to tags', () => {
  const actor: Actor = {
    kind: 'user',
    id: 'usr_1',
    limits: limitsOfUser({ role: 'manager', tags: ['blog', 'shop'] }),
  };

  it('sees the domains that have one of them, and no name without known tags', () => {
    expect(maySeeDomain(actor, { name: 'example.com', tags: ['old', 'shop'] })).toBe(true);
    expect(maySeeDomain(actor, { name: 'example.com', tags: ['old'] })).toBe(false);
    expect(maySeeDomain(actor, { name: 'example.com', tags: [] })).toBe(false);
    expect(maySeeName(actor, 'example.com')).toBe(false);
  });

  it.each([
    () => assertEveryTagAllowed(actor),
    () => assertWholeAccountAllowed(actor),
    () => assertNameAllowed(actor, 'example.com'),
    () => assertActionAllowed(actor, 'register'),
    () => assertActionAllowed(actor, 'transfer'),
  ])('gets no name, tag or setting of the account (%#)', (act) => {
    expect(act).toThrow(expect.objectContaining({ code: 'ROLE_FORBIDS' }) as Error);
  });

  it('deletes no domain, even for managers', () => {
    expect(mayReleaseDomains({ role: 'manager', tags: ['shop'] }, { membersMayTransfer: true })).toBe(false);
    expect(mayReleaseDomains({ role: 'manager', tags: null }, { membersMayTransfer: true })).toBe(true);
  });
});

describe('a key with limits', () => {
  const actor: Actor = {
    kind: 'key',
    id: 'k1',
    limits: { domains: ['example.com'], names: ['www'], types: ['A'], actions: ['read', 'write'] },
  };

  it('sees its domains and records, and no others', () => {
    expect(maySeeName(actor, 'example.com')).toBe(true);
    expect(maySeeName(actor, 'example.net')).toBe(false);
    expect(maySeeRecord(actor, { name: 'www', type: 'A' })).toBe(true);
    expect(maySeeRecord(actor, { name: 'www', type: 'TXT' })).toBe(false);
  });

  it.each([
    ['limits.actions: the key may read, write, not renew', () => assertActionAllowed(actor, 'renew')],
    ['limits.domains: the key is for example.com', () => assertNameAllowed(actor, 'example.net')],
    ['limits.types: the key is for A records', () => assertRecordAllowed(actor, { name: 'www', type: 'TXT' })],
    ['limits.names: the key is for records named www', () => assertRecordAllowed(actor, { name: '@', type: 'A' })],
  ])('is refused with %s', (details, act) => {
    expect(act).toThrow(expect.objectContaining({ code: 'INSUFFICIENT_SCOPE', details }) as Error);
  });

  it.each<[KeyLimits]>([[{ names: ['_acme-challenge'] }], [{ types: ['TXT'] }]])(
    'may only read and write with a limit of records, %j, unless its actions say more',
    (limits) => {
      const key = (more: KeyLimits): Actor => ({ kind: 'key', id: 'k3', limits: { ...limits, ...more } });

      for (const action of ['register', 'renew', 'transfer', 'settings'] as const) {
        const details = `limits.actions: the key may read, write, not ${action}`;
        expect(() => assertActionAllowed(key({}), action)).toThrow(expect.objectContaining({ details }) as Error);
        expect(() => assertActionAllowed(key({ actions: [action] }), action)).not.toThrow();
      }
      for (const action of ['read', 'write'] as const) expect(() => assertActionAllowed(key({}), action)).not.toThrow();
    },
  );

  it.each([
    [['lan'], 'lan', 'NS', false],
    [['lan', '*.lan'], 'lan', 'DNAME', false],
    [['lan', '**.lan'], 'lan', 'NS', true],
    [['**'], 'a.lan', 'DNAME', true],
    [['@'], '@', 'NS', false],
    [['@', '**'], '@', 'NS', true],
    [['lan'], 'lan', 'A', true],
  ])('may, limited to %j, give the names below %s away by %s records: %s', (names, name, type, isAllowed) => {
    const assert = () => assertMayDelegate({ kind: 'key', id: 'k4', limits: { names } }, { name, type });

    if (isAllowed) assert();
    else expect(assert).toThrow(expect.objectContaining({ code: 'INSUFFICIENT_SCOPE' }) as Error);
  });

  it.each<[Actor]>([[{ kind: 'key', id: 'k2' }], [{ kind: 'user', id: 'usr_1' }], [{ kind: 'operator' }]])(
    'is not %j, which has no limits',
    (unlimited) => {
      assertActionAllowed(unlimited, 'renew');
      assertNameAllowed(unlimited, 'example.net');
      assertRecordAllowed(unlimited, { name: '@', type: 'MX' });

      expect(maySeeName(unlimited, 'example.net')).toBe(true);
    },
  );

  it.each([
    ['192.0.2.9', true],
    ['::ffff:192.0.2.9', true],
    ['192.0.3.1', false],
    ['2001:db8::1', true],
    ['2001:DB8:0::2', true],
    ['2001:db9::1', false],
    ['', false],
    ['::ffff:c000:0201', true],
    ['0:0:0:0:0:ffff:192.0.2.1', true],
    ['192.0.2.1:443', false],
    ['192.0.2.1 10.0.0.0/8', false],
  ])('may be used from %s: %s', (address, isAllowed) => {
    const assert = () => assertAddressAllowed({ networks: ['192.0.2.0/24', '2001:db8::/32'] }, address);

    if (isAllowed) assert();
    else expect(assert).toThrow(expect.objectContaining({ code: 'INSUFFICIENT_SCOPE' }) as Error);
  });

  it.each([
    ['::/0', '192.0.2.1', false],
    ['::/0', '2001:db8::1', true],
    ['0.0.0.0/0', '2001:db8::1', false],
    ['::ffff:192.0.2.0/120', '192.0.2.1', true],
  ])('may be used in %s from %s: %s', (network, address, isAllowed) => {
    const assert = () => assertAddressAllowed({ networks: [network] }, address);

    if (isAllowed) assert();
    else expect(assert).toThrow(expect.objectContaining({ code: 'INSUFFICIENT_SCOPE' }) as Error);
  });
});

describe('limits that a key may give', () => {
  it.each<[string, GivenLimits, GivenLimits, readonly string[]]>([
    ['fewer domains', { domains: ['a.com'] }, { domains: ['a.com', 'b.com'] }, []],
    ['all domains', {}, { domains: ['a.com'] }, ['domains']],
    ['more names', { names: ['**'] }, { names: ['*'] }, ['names']],
    ['a narrower network', { networks: ['192.0.2.128/25'] }, { networks: ['192.0.2.0/24'] }, []],
    ['a wider network', { networks: ['192.0.0.0/16'] }, { networks: ['192.0.2.0/24'] }, ['networks']],
    ['IPv4 addresses as IPv6 ones', { networks: ['::ffff:192.0.2.0/120'] }, { networks: ['::/0'] }, ['networks']],
    ['another family', { networks: ['::/0'] }, { networks: ['0.0.0.0/0'] }, ['networks']],
    ['a longer time without use', { unusedAfterDays: 31 }, { unusedAfterDays: 30 }, ['unusedAfterDays']],
    ['purchases', { actions: ['renew'], spend: { perDay: usd(1) } }, { spend: { perDay: usd(2) } }, ['spend']],
    ['no purchases', { actions: ['read', 'write'] }, { spend: { perDay: usd(2) } }, []],
    ['anything', {}, {}, []],
  ])('%s', (_title, limits, wider, beyond) => {
    expect(limitsBeyond(parseKeyLimits(limits) ?? {}, parseKeyLimits(wider) ?? {})).toEqual(beyond);
  });
});
