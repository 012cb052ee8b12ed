import type { RecordDraft } from '../../../../src/domain/dns/records/dns-record';
import { zoneWarnings } from '../../../../src/application/dns/zones/zone-plan';
import { aRecord, ZONE } from '../../../support/data/a-record';
import { runToCompletion } from '../../../support/run-to-completion';

const spf = (name: string, content: string) => ({ type: 'TXT', name, content });
const delegated = (nameservers: readonly string[], ...drafts: readonly Partial<RecordDraft>[]) =>
  runToCompletion(
    zoneWarnings(
      drafts.map((draft, index) => aRecord(draft, `rec_${index}`)),
      ZONE,
      nameservers,
    ),
  );
const zone = (...drafts: readonly Partial<RecordDraft>[]) =>
  runToCompletion(
    zoneWarnings(
      drafts.map((draft, index) => aRecord(draft, `rec_${index}`)),
      ZONE,
    ),
  );

const MX = { type: 'MX', name: '@', priority: 10 };
const ALIAS = { type: 'CNAME', name: 'alias', content: 'host.example.net' };
const DELEGATION = { type: 'NS', name: 'sub', content: 'ns.sub.example.com' };
const GLUE = { name: 'ns.sub' };

const ns = (content: string, ttl: number) => ({ type: 'NS', name: '@', content, ttl });
const lowest = (ttl: number) => `NS records at @ have different TTLs; the lowest, ${ttl}, is published for all`;

describe('an unusual zone', () => {
  it.each([
    [
      'with a target that is a CNAME',
      [{ ...MX, content: 'alias.example.com' }, ALIAS],
      'MX at @ points to alias.example.com, which is a CNAME; the target must have its own address records',
    ],
    [
      'with a target without address',
      [{ ...MX, content: 'mail.example.com' }],
      'MX at @ points to mail.example.com, which has no address in this zone',
    ],
    [
      'with a target that has other records only',
      [
        { ...MX, content: 'mail.example.com' },
        { type: 'TXT', name: 'mail', content: 'x' },
      ],
      'MX at @ points to mail.example.com, which has no address in this zone',
    ],
    [
      'with a name between that hides a wildcard',
      [{ ...MX, content: 'a.b.example.com' }, { name: '*' }, { name: 'c.b' }],
      'MX at @ points to a.b.example.com, which has no address in this zone',
    ],
    [
      'with a target at the root, which no wildcard covers',
      [{ ...MX, name: 'mail', content: 'example.com' }, { name: '*' }],
      'MX at mail points to example.com, which has no address in this zone',
    ],
    [
      'with an alias to nothing',
      [{ ...ALIAS, content: 'nothing.example.com' }],
      'CNAME at alias points to nothing.example.com, which has no records in this zone',
    ],
    [
      'with a service at a host without address',
      [{ type: 'SRV', name: '_sip._tcp', content: 'sip.example.com', priority: 0, port: 5060 }],
      'SRV at _sip._tcp points to sip.example.com, which has no address in this zone',
    ],
    [
      'with records below a delegation',
      [DELEGATION, GLUE, { name: 'www.sub' }],
      'A at www.sub is hidden: sub is delegated to other nameservers',
    ],
    [
      'with records beside a delegation',
      [DELEGATION, GLUE, { type: 'TXT', name: 'sub', content: 'x' }],
      'TXT at sub is hidden: sub is delegated to other nameservers',
    ],
    [
      'with a delegation that lacks its glue',
      [DELEGATION],
      'NS at sub points to ns.sub.example.com, which has no address in this zone',
    ],
    [
      'with two TTLs in one set',
      [{ ttl: 300 }, { content: '192.0.2.2', ttl: 60 }],
      'A records at www have different TTLs; the lowest, 60, is published for all',
    ],
  ])('%s', (_what, drafts, warning) => {
    expect(zone(...drafts)).toEqual([warning]);
  });

  it.each([
    ['with a target that has an address', [{ ...MX, content: 'www.example.com' }, {}]],
    ['with a target that a wildcard covers', [{ ...MX, content: 'a.b.example.com' }, { name: '*' }]],
    ['with a target elsewhere', [{ ...MX, content: 'mail.example.net' }, ALIAS]],
    ['without mail', [{ ...MX, content: '.', priority: 0 }]],
    ['with an alias to the root', [{ ...ALIAS, content: 'example.com' }]],
    ['with a delegation and its glue', [DELEGATION, GLUE, { ...GLUE, type: 'AAAA', content: '2001:db8::1' }]],
    [
      'with a secure delegation',
      [DELEGATION, GLUE, { type: 'DS', name: 'sub', content: `2371 13 2 ${'ab'.repeat(32)}` }],
    ],
    ['with a target that another zone answers for', [DELEGATION, GLUE, { ...MX, content: 'mail.sub.example.com' }]],
    [
      'with a target at the root beside a wildcard alias',
      [{ ...MX, name: 'mail', content: 'example.com' }, { name: '@' }, { ...ALIAS, name: '*' }],
    ],
    ['with a host called like the zone', [{ ...MX, content: 'notexample.com' }]],
  ])('is not odd %s', (_what, drafts) => {
    expect(zone(...drafts)).toEqual([]);
  });

  it('has no warning for a target with an ALIAS record, which stands for addresses', () => {
    const target = { type: 'ALIAS', name: 'mail', content: 'mail.example.net' };

    expect(zone({ ...MX, content: 'mail.example.com' }, target)).toEqual([]);
  });

  it('names two SPF records at one name, and no other TXT records', () => {
    expect(
      zone(spf('@', 'v=spf1 -all'), spf('@', 'V=SPF1 include:spf.example.net ~all'), spf('mail', 'v=spf1 -all')),
    ).toEqual(['TXT at @ has 2 SPF records; mail servers treat more than one as an error. Merge them into one record']);
    expect(zone(spf('@', 'v=spf1 -all'), spf('@', 'v=spf10'), spf('@', 'about v=spf1'))).toEqual([]);
  });

  it('names an SPF record with an error, also one of several strings', () => {
    expect(zone(spf('@', '"v=spf1 ip4:198.51.100.7" "include:_spf.example.net -all"'))).toEqual([
      expect.stringContaining('TXT at @ is an SPF record that mail servers do not use: "ip4:198.51.100.7include:'),
    ]);
  });

  it('names nameservers of the delegation that are in the zone without an address', () => {
    const [inside, outside] = [`ns1.${ZONE}`, 'ns2.elsewhere.example'];

    expect(delegated([inside, outside])).toEqual([
      `Nameserver ${inside} is in this zone but has no address record, so the registry gets no glue (or keeps its last) and resolvers may not reach it. Add an A or AAAA record`,
    ]);
    expect(delegated([inside, outside], { type: 'AAAA', name: 'ns1', content: '2001:db8::1' })).toEqual([]);
  });

  it('names the TTL of the NS set at the apex if a record has a longer one', () => {
    const hosts = ['ns1.example.net', 'ns2.example.net'];

    expect(delegated(hosts, ns('ns1.example.net', 7200))).toEqual([
      `${lowest(3600)}; nameservers of the domain have it unless an NS record at @ repeats them: ns2.example.net`,
    ]);
    expect(delegated(hosts, ns('ns1.example.net', 7200), ns('ns2.example.net', 60))).toEqual([lowest(60)]);
    expect(delegated(hosts, ns('ns1.example.net', 7200), ns('ns2.example.net', 7200))).toEqual([]);
    expect(delegated(hosts, ns('ns1.example.net', 60))).toEqual([]);
  });
});
