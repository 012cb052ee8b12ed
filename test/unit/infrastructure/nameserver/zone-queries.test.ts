import { AUTHORITATIVE_ANSWER, decode, type Answer, type RecordType } from 'dns-packet';
import type { RecordDraft } from '../../../../src/domain/dns/records/dns-record';
import { ZoneQueries, type ZoneReaderRights } from '../../../../src/infrastructure/nameserver/zone-queries';
import { readQuery, type WireQuery } from '../../../../src/infrastructure/nameserver/wire/wire-query';
import { aRecord } from '../../../support/data/a-record';
import { requestFor } from '../../../support/nameservers/primary-client';
import { UseCaseContext } from '../../../support/use-cases/use-case-context';

const SETTINGS = {
  catalogZone: 'catalog.example',
  primaryName: 'ns1.ours.example',
  contact: 'hostmaster.ours.example',
  timers: { refresh: 3600, retry: 600, expire: 86_400, negative: 300 },
};
const LONG = ['a', 'b', 'c'].map((letter) => letter.repeat(60)).join('.');
const RECORDS: readonly Partial<RecordDraft>[] = [
  { name: '*' },
  { name: 'a.empty' },
  { name: '*.apps', type: 'CNAME', content: 'www.example.com' },
  { name: 'a.b.apps' },
  { name: 'apex', type: 'CNAME', content: 'example.com' },
  { name: 'away', type: 'CNAME', content: 'www.example.net' },
  { name: 'broken', type: 'CNAME', content: 'c.empty.example.com' },
  { name: 'one', type: 'CNAME', content: 'two.example.com' },
  { name: 'two', type: 'CNAME', content: 'one.example.com' },
  { name: 'to', type: 'CNAME', content: 'a.empty.example.com' },
  { name: 'old', type: 'DNAME', content: 'empty.example.com.' },
  { name: 'long', type: 'DNAME', content: `${LONG}.example.com.` },
  { name: 'child', type: 'NS', content: 'ns.example.net' },
  { name: 'child', type: 'DS', content: `1 13 2 ${'AB'.repeat(32)}` },
];

const brief = (records: readonly Answer[]) => records.map((record) => `${record.name} ${record.type}`);

describe('a public SOA or NS query', () => {
  let queries: ZoneQueries;

  beforeAll(async () => {
    const around = new UseCaseContext();
    const { id } = (await around.givenDomain()).toState();
    await around.givenRecords(
      id,
      RECORDS.map((draft, index) => aRecord(draft, `rec_${index}`)),
    );
    const { publishedZones: zones, zones: records, aliases } = around.storage;
    queries = new ZoneQueries({ zones, records, aliases, settings: SETTINGS });
  });

  async function ask(name: string, type: 'SOA' | 'NS' = 'SOA') {
    const query = readQuery(requestFor({ type, name })) as WireQuery;
    const { flags = 0, answers = [], authorities = [] } = decode(await queries.respond(query, 'tcp'));
    return {
      rcode: ['NOERROR', 'FORMERR', 'SERVFAIL', 'NXDOMAIN', 'NOTIMP', 'REFUSED', 'YXDOMAIN'][flags & 15],
      isAuthoritative: (flags & AUTHORITATIVE_ANSWER) !== 0,
      answers: brief(answers),
      authorities: brief(authorities),
    };
  }

  const NODATA = { rcode: 'NOERROR', answers: [], authorities: ['example.com SOA'], isAuthoritative: true };
  const NXDOMAIN = { ...NODATA, rcode: 'NXDOMAIN' };

  it.each([
    ['for a name that exists', 'a.empty.example.com', NODATA],
    ['for an empty non-terminal', 'empty.example.com', NODATA],
    ['for a name that a wildcard covers (RFC 4592)', '_acme-challenge.any.example.com', NODATA],
    ['for a wildcard', '*.example.com', NODATA],
    ['for a name that an empty non-terminal keeps from the wildcard', 'c.empty.example.com', NXDOMAIN],
    ['for a name that a record keeps from the wildcard', 'c.www.a.empty.example.com', NXDOMAIN],
    ['for a name that an empty non-terminal keeps from the nearer wildcard', 'c.b.apps.example.com', NXDOMAIN],
  ])('has the SOA in the authority section %s', async (_case, name, expected) => {
    expect(await ask(name)).toEqual(expected);
    expect(await ask(name, 'NS')).toEqual(expected);
  });

  it.each([
    ['a CNAME to the apex', 'apex', { answers: ['apex.example.com CNAME', 'example.com SOA'], authorities: [] }],
    ['a CNAME to another zone', 'away', { answers: ['away.example.com CNAME'], authorities: [] }],
    [
      'a CNAME to a name that does not exist',
      'broken',
      { answers: ['broken.example.com CNAME'], authorities: ['example.com SOA'], rcode: 'NXDOMAIN' },
    ],
    [
      'a CNAME of a wildcard',
      'x.y.apps',
      { answers: ['x.y.apps.example.com CNAME'], authorities: ['example.com SOA'] },
    ],
    [
      'a DNAME above the name (RFC 6672)',
      'a.old',
      { answers: ['old.example.com DNAME', 'a.old.example.com CNAME'], authorities: ['example.com SOA'] },
    ],
    ['no DNAME at the name', 'old', { answers: [], authorities: ['example.com SOA'] }],
    [
      'a DNAME with a target that is too long',
      `${LONG}.long`,
      { answers: ['long.example.com DNAME'], rcode: 'YXDOMAIN' },
    ],
  ])('answers with %s', async (_case, name, expected) => {
    expect(await ask(`${name}.example.com`)).toMatchObject({ rcode: 'NOERROR', isAuthoritative: true, ...expected });
  });

  it('ends a loop of CNAME records', async () => {
    const { rcode, answers } = await ask('one.example.com');

    expect(rcode).toBe('NOERROR');
    expect(new Set(answers)).toEqual(new Set(['one.example.com CNAME', 'two.example.com CNAME']));
  });

  it.each(['child.example.com', 'x.child.example.com'])(
    'refers to the nameservers of a delegation for %s',
    async (name) => {
      const referral = { rcode: 'NOERROR', isAuthoritative: false, answers: [], authorities: ['child.example.com NS'] };

      expect(await ask(name)).toEqual(referral);
      expect(await ask(name, 'NS')).toEqual(referral);
    },
  );

  describe('signed by the key of an account', () => {
    const ALL: ZoneReaderRights = { mayReadZone: async () => true, mayRead: () => true };
    const read = async (name: string, type: RecordType, reader = ALL) => {
      const query = readQuery(requestFor({ type, name })) as WireQuery;
      const { flags = 0, answers = [], authorities = [] } = decode(await queries.respond(query, 'tcp', 0, reader));
      return {
        rcode: flags & 15,
        answers: answers.map((answer) => `${answer.name} ${'ttl' in answer ? answer.ttl : ''} ${answer.type}`),
        authorities: brief(authorities),
      };
    };

    it.each([
      ['a.empty.example.com', 'A', { rcode: 0, answers: ['a.empty.example.com 3600 A'] }],
      ['any.example.com', 'A', { rcode: 0, answers: ['any.example.com 3600 A'] }],
      ['a.empty.example.com', 'TXT', { rcode: 0, answers: [], authorities: ['example.com SOA'] }],
      ['c.empty.example.com', 'A', { rcode: 3, answers: [], authorities: ['example.com SOA'] }],
      ['example.com', 'MX', { rcode: 0, answers: [], authorities: ['example.com SOA'] }],
      ['away.example.com', 'CNAME', { rcode: 0, answers: ['away.example.com 3600 CNAME'] }],
      [
        'to.example.com',
        'A',
        { rcode: 0, answers: ['to.example.com 3600 CNAME', 'a.empty.example.com 3600 A'], authorities: [] },
      ],
      ['child.example.com', 'A', { rcode: 0, answers: [], authorities: ['child.example.com NS'] }],
      ['child.example.com', 'DS', { rcode: 0, answers: ['child.example.com 3600 DS'] }],
      ['example.com', 'NS', { rcode: 0, answers: ['example.com 3600 NS', 'example.com 3600 NS'] }],
      ['host.example.net', 'A', { rcode: 5, answers: [], authorities: [] }],
    ] as const)('is answered from the zone: %s %s', async (name, type, expected) => {
      expect(await read(name, type)).toMatchObject(expected);
    });

    it.each(['RRSIG', 'NSEC', 'AXFR'] as const)('is refused for the type %s, which no record has', async (type) => {
      expect(await read('a.empty.example.com', type)).toMatchObject({ rcode: 5 });
    });

    it('is refused for what the key may not read, and follows no alias to it', async () => {
      const limited: ZoneReaderRights = { ...ALL, mayRead: (name, type) => name === 'to' && type === 'A' };

      expect(await read('a.empty.example.com', 'A', limited)).toMatchObject({ rcode: 5, answers: [] });
      expect(await read('to.example.com', 'TXT', limited)).toMatchObject({ rcode: 5, answers: [] });
      expect(await read('to.example.com', 'A', limited)).toMatchObject({
        rcode: 0,
        answers: ['to.example.com 3600 CNAME'],
      });
      expect(await read('to.example.com', 'A', { ...ALL, mayReadZone: async () => false })).toMatchObject({ rcode: 5 });
    });
  });
});
