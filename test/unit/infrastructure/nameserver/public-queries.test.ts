import { AUTHORITATIVE_ANSWER, decode, type Answer } from 'dns-packet';
import type { RecordDraft } from '../../../../src/domain/dns/records/dns-record';
import { PublicQueries } from '../../../../src/infrastructure/nameserver/public-queries';
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
  { name: 'old', type: 'DNAME', content: 'empty.example.com.' },
  { name: 'long', type: 'DNAME', content: `${LONG}.example.com.` },
  { name: 'child', type: 'NS', content: 'ns.example.net' },
  { name: 'child', type: 'DS', content: `1 13 2 ${'AB'.repeat(32)}` },
];

const brief = (records: readonly Answer[]) => records.map((record) => `${record.name} ${record.type}`);

describe('a public SOA or NS query', () => {
  let queries: PublicQueries;

  beforeAll(async () => {
    const around = new UseCaseContext();
    const { id } = (await around.givenDomain()).toState();
    await around.givenRecords(
      id,
      RECORDS.map((draft, index) => aRecord(draft, `rec_${index}`)),
    );
    queries = new PublicQueries(around.storage.publishedZones, around.storage.zones, SETTINGS);
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
});
