import { parseDynDnsRequest } from '../../../../src/http/compat/dyndns/dyndns-request';
import { replyLine } from '../../../../src/http/compat/dyndns/dyndns-api';
import { publicCase } from '../../../support/data/public-cases';

const CLIENT = '198.51.100.7';
const [, REPORTED = ''] = /&(myip=\S+)/.exec(publicCase('22-dyndns-prefix-length.txt')) ?? [];
const parse = (query: string, client = CLIENT) =>
  parseDynDnsRequest(Object.fromEntries(new URLSearchParams(query)), client);
const updateOf = (query: string, client?: string) => {
  const request = parse(query, client);
  return request.kind === 'update' ? request.update : request.kind;
};

describe('parsing a DynDNS2 request', () => {
  it('reads several hosts in any case and script, and marks those that are not full names', () => {
    expect(parse('hostname=Home.Example.com.,bücher.example.com,*.example.com,home,a..b,-&myip=192.0.2.1')).toEqual({
      kind: 'update',
      hosts: ['home.example.com', 'xn--bcher-kva.example.com', '*.example.com', undefined, undefined, undefined],
      update: { ipv4: ['192.0.2.1'], ipv6: [], prefix: undefined },
    });
  });

  it.each([
    ['', 'notfqdn'],
    ['hostname=&myip=192.0.2.1', 'notfqdn'],
    [`hostname=${Array.from({ length: 21 }, (_, index) => `h${index}.example.com`).join(',')}`, 'numhost'],
  ])('replies to %j as a whole with %s', (query, kind) => {
    expect(parse(query)).toEqual({ kind });
  });

  it('reads both families from myip, from myipv6, and from a list', () => {
    const both = { ipv4: ['192.0.2.1'], ipv6: ['2001:db8::1'], prefix: undefined };

    expect(updateOf('hostname=a.example.com&myip=192.0.2.1,2001:DB8::1')).toEqual(both);
    expect(updateOf('hostname=a.example.com&myip=192.0.2.1&myipv6=2001:db8::1')).toEqual(both);
    expect(updateOf('hostname=a.example.com&myip=&myipv6=2001:db8::1')).toEqual({ ...both, ipv4: [] });
  });

  it('ignores addresses that no other host can reach, which routers send while they have none', () => {
    const unusable = '0.0.0.0,127.0.0.1,169.254.1.1,224.0.0.1,255.255.255.255,::,::1,fe80::1,ff02::1';

    expect(updateOf(`hostname=a.example.com&myip=192.0.2.1,${unusable}`)).toMatchObject({
      ipv4: ['192.0.2.1'],
      ipv6: [],
    });
    expect(updateOf('hostname=a.example.com&myip=10.0.0.1&myipv6=fd00::1')).toMatchObject({
      ipv4: ['10.0.0.1'],
      ipv6: ['fd00::1'],
    });
    expect(updateOf('hostname=a.example.com&myip=192.0.2.1&myipv6=fe80::/64')).toMatchObject({ prefix: undefined });
  });

  it.each(['', '&myip=', '&myip=auto&myipv6=', '&myip=0.0.0.0&myipv6=::'])(
    'takes the address of the client if the request ends with %j',
    (end) => {
      expect(updateOf(`hostname=a.example.com${end}`)).toMatchObject({ ipv4: [CLIENT], ipv6: [] });
      expect(updateOf(`hostname=a.example.com${end}`, '::ffff:198.51.100.7')).toMatchObject({
        ipv4: [CLIENT],
        ipv6: [],
      });
      expect(updateOf(`hostname=a.example.com${end}`, '2001:db8::7')).toMatchObject({
        ipv4: [],
        ipv6: ['2001:db8::7'],
      });
    },
  );

  it('publishes no loopback address of a client, which is a proxy’s', () => {
    expect(updateOf('hostname=a.example.com', '127.0.0.1')).toBe('no_address');
    expect(updateOf('hostname=a.example.com', '::1')).toBe('no_address');
    expect(updateOf('hostname=a.example.com', '')).toBe('no_address');
  });

  it('reads an IPv6 prefix, and never takes the router’s address for the hosts behind it', () => {
    const network = 0x20010db8000000010000000000000000n;

    expect(updateOf('hostname=a.example.com&ip6lanprefix=2001:db8:0:1::/64')).toEqual({
      ipv4: [],
      ipv6: [],
      prefix: { network, length: 64 },
    });
    expect(updateOf('hostname=a.example.com&myipv6=2001:db8:0:1::/64')).toMatchObject({ prefix: { network } });
    expect(updateOf('hostname=a.example.com&ip6lanprefix=')).toEqual({ ipv4: [], ipv6: [], prefix: undefined });
  });

  it.each([
    [REPORTED, { ipv6: ['2001:db8:1:2:3:4:5:6'], ipv4: [] }],
    ['myip=2001:db8:1:2:3:4:5:6/128', { ipv6: ['2001:db8:1:2:3:4:5:6'], ipv4: [] }],
    ['myipv6=2001:db8::/128', { ipv6: ['2001:db8::'], ipv4: [] }],
    ['myip=192.0.2.7/24,2001:db8::5/64', { ipv6: ['2001:db8::5'], ipv4: ['192.0.2.7'] }],
  ])('takes an address with a prefix length for the address: %s', (query, expected) => {
    expect(updateOf(`hostname=a.example.com&${query}`)).toEqual({ ...expected, prefix: undefined });
  });

  it('replies with one word for each outcome, and with the addresses', () => {
    const addresses = ['192.0.2.1', '2001:db8::1'];

    expect(replyLine({ kind: 'changed', addresses })).toBe('good 192.0.2.1,2001:db8::1');
    expect(replyLine({ kind: 'unchanged', addresses })).toBe('nochg 192.0.2.1,2001:db8::1');
    expect(['not_found', 'invalid_name', 'refused', 'failed'].map((kind) => replyLine({ kind } as never))).toEqual([
      'nohost',
      'notfqdn',
      'dnserr',
      '911',
    ]);
    expect(replyLine(undefined)).toBe('notfqdn');
  });
});
