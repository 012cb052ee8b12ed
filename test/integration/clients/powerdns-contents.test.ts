import request from 'supertest';
import { IssueApiKey } from '../../../src/application/access/api-keys/issue-api-key';
import { OPERATOR } from '../../../src/domain/access/actor';
import { POWERDNS_CONTENTS, setsOf } from '../../support/data/powerdns-contents';
import { describeOrSkip } from '../../support/describe-or-skip';
import { freePort } from '../../support/free-port';
import { Nameserver } from '../../support/nameservers/nameserver';
import { POWERDNS_MISSING } from '../../support/nameservers/powerdns';
import { startPowerDnsApi, type PowerDnsServer } from '../../support/nameservers/powerdns-api';
import { api, registered, startService, type TestService } from '../../support/service/service';

const ZONE = 'differential.com';

interface Rrset {
  readonly name: string;
  readonly type: string;
  readonly records: readonly { readonly content: string }[];
  readonly comments: readonly { readonly modified_at?: number }[];
}

describeOrSkip(POWERDNS_MISSING)('the PowerDNS API beside a real PowerDNS', () => {
  let powerdns: PowerDnsServer;
  let service: TestService;
  let accountId: string;
  let key: string;

  beforeAll(async () => {
    powerdns = await startPowerDnsApi(ZONE);
    service = await startService({
      COMPATIBILITY_APIS: 'powerdns',
      RECORD_TYPES: 'all',
      ALIAS_RESOLVER: '127.0.0.1:9',
      DNS_LISTEN: `127.0.0.1:${await freePort()}`,
    });
    accountId = await service.account();
    key = await service.key(accountId);
    await registered(api(service, key), ZONE);
  });

  afterAll(async () => {
    await service.stop();
    await powerdns.nameserver.stop();
  });

  const ours = (method: 'get' | 'patch') =>
    request(service.server)[method](`/compat/powerdns/api/v1/servers/localhost/zones/${ZONE}.`).set('X-API-Key', key);

  it('gives back and serves what PowerDNS gives back and serves, which is what the fixture has', async () => {
    const names = [];
    for (const [index, each] of POWERDNS_CONTENTS.entries()) {
      const rrsets = setsOf(each, index, ZONE);
      const { status } = await powerdns.zone(ZONE, { rrsets });
      const expected = { ...each, status: each.read === null ? 422 : 204 };
      expect({ ...each, status }).toEqual(expected);
      const isAccepted = each.read !== null && each.refusedHere === undefined;
      const here = await ours('patch').send({ rrsets });
      expect({ ...each, status: here.status }).toEqual({ ...each, status: isAccepted ? 204 : 422 });
      if (isAccepted && each.type === 'TXT') names.push({ ...each, name: `n${index}.${ZONE}` });
      if (each.refusedHere !== undefined)
        await powerdns.zone(ZONE, { rrsets: rrsets.map(({ name, type }) => ({ name, type, changetype: 'DELETE' })) });
    }

    const theirs = contentsOf((await (await powerdns.zone(ZONE)).json()) as { rrsets: Rrset[] });
    expect(contentsOf((await ours('get').expect(200)).body)).toEqual(theirs);
    const { text: tsig } = await service.container
      .get(IssueApiKey)
      .executeTsig({ accountId, actor: OPERATOR, name: 'reader', scope: 'READ' });
    const primary = new Nameserver({ name: 'ours', port: service.dns?.port ?? 0, folder: '' }, ['']);
    const served = new Map(names.map(({ name, served: strings }) => [`${name} TXT`, [strings]]));
    expect(await powerdns.nameserver.queryRrsets(names, '+tcp')).toEqual(served);
    expect(await primary.queryRrsets(names, '+tcp', '-y', tsig)).toEqual(served);
  });

  it('gives back the comments that PowerDNS gives back after the same changes', async () => {
    const name = `commented.${ZONE}.`;
    const commented = ({ rrsets }: { readonly rrsets: readonly Rrset[] }) =>
      rrsets
        .filter((set) => set.name === name)
        .map(({ comments }) => comments.map((each) => ({ ...each, modified_at: typeof each.modified_at })));
    const found = [];
    for (const [members, status] of COMMENT_CHANGES) {
      const rrsets = [{ name, type: 'A', changetype: 'REPLACE', ...members }];
      const theirs = (await powerdns.zone(ZONE, { rrsets })).status;
      const here = (await ours('patch').send({ rrsets })).status;
      found.push([
        { ...members, theirs, here },
        commented((await (await powerdns.zone(ZONE)).json()) as { rrsets: Rrset[] }),
        commented((await ours('get').expect(200)).body),
      ]);
      expect(found.at(-1)).toEqual([
        { ...members, theirs: status, here: status },
        found.at(-1)?.[1],
        found.at(-1)?.[1],
      ]);
    }
    expect(found.at(-1)?.[1]).toEqual([]);
  });
});

const RECORDS = { ttl: 300, records: [{ content: '192.0.2.1', disabled: false }] };
const OTHER_RECORDS = { ttl: 300, records: [{ content: '192.0.2.2', disabled: false }] };
const COMMENT = { account: 'ci', content: 'web' };

/** Members of a REPLACE, and the status of the response. */
const COMMENT_CHANGES: readonly (readonly [object, number])[] = [
  [RECORDS, 204],
  [{ ...RECORDS, comments: [COMMENT] }, 204],
  [{ ...RECORDS, ttl: 600 }, 204],
  [{ ...RECORDS, comments: null }, 204],
  [{ ...RECORDS, comments: {} }, 204],
  [OTHER_RECORDS, 204],
  [{ comments: [{ account: '', content: 'another', modified_at: 1 }] }, 204],
  [{ comments: [{ account: '' }] }, 422],
  [{ comments: [{ content: 'without an account' }] }, 422],
  [{ comments: ['text'] }, 422],
  [{}, 422],
  [{ comments: [] }, 204],
  [{ ...RECORDS, comments: [COMMENT] }, 204],
  [{ ttl: 300, records: [] }, 204],
];

/** The contents as they are read back, by name and type; without those that a server adds. */
function contentsOf({ rrsets }: { readonly rrsets: readonly Rrset[] }): ReadonlyMap<string, readonly string[]> {
  return new Map(
    rrsets
      .filter(({ type, name }) => type !== 'SOA' && (type !== 'NS' || name !== `${ZONE}.`))
      .map(({ name, type, records }) => [`${name} ${type}`, records.map(({ content }) => content)]),
  );
}
