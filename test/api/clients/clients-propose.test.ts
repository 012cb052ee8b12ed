import { decode, type DecodedPacket } from 'dns-packet';
import request from 'supertest';
import { IssueApiKey } from '../../../src/application/access/api-keys/issue-api-key';
import { AuditReader } from '../../../src/application/ports/access/audit-and-events';
import { OPERATOR } from '../../../src/domain/access/actor';
import type { KeyLimits } from '../../../src/domain/access/key-limits';
import { encodeUpdate } from '../../campaign/dns/update-messages';
import { onBothDatabases } from '../../support/databases/databases';
import { sendTcp, signRequest } from '../../support/nameservers/primary-client';
import { api, registered, type Api } from '../../support/service/service';

const OTHER_APIS = {
  DNS_LISTEN: '127.0.0.1:0',
  COMPATIBILITY_APIS: 'powerdns,external-dns,dyndns,httpreq,acme-dns',
  DYNDNS_PLAIN_HTTP: 'on',
};

onBothDatabases(
  'writes of a key that may only propose',
  (service) => {
    let accountId: string;
    let admin: Api;
    let name: string;
    let domainId: string;
    let key: string;
    let before: unknown;
    const stored = async () => {
      const { body: records } = await admin.get(`/api/domains/${domainId}/dns/records`).expect(200);
      const { body: history } = await admin.get(`/api/domains/${domainId}/dns/history`).expect(200);
      return { records, history, proposals: (await admin.get('/api/proposals').expect(200)).body.length };
    };

    const update = async (limits: KeyLimits, { withEdns = true, name: owner = 'www', data = '192.0.2.1' } = {}) => {
      const issue = service().container.get(IssueApiKey);
      const issued = await issue.executeTsig({ accountId, actor: OPERATOR, name: 'agent', scope: 'WRITE', limits });
      const [, keyName = '', secret = ''] = issued.text.split(':');
      const changes = [{ kind: 'add', name: owner, type: 'A', data, ttl: 300 } as const];
      const message = encodeUpdate(1, name, { prerequisites: [], changes });
      const key = { name: keyName, algorithm: 'hmac-sha256', secret: Buffer.from(secret, 'base64') } as const;
      const signed = signRequest(withEdns ? withOpt(message) : message, key);
      const at = service().dns ?? { address: '', port: 0 };
      const [response = Buffer.alloc(12)] = await sendTcp(at, signed, (messages) => messages.length > 0);
      const { rcode, additionals = [] } = decode(response) as DecodedPacket & { readonly rcode: string };
      return { rcode, opt: additionals.find((each) => each.type === 'OPT') };
    };

    beforeAll(async () => {
      accountId = await service().account();
      admin = api(service(), await service().key(accountId));
      name = 'only-proposed.com';
      domainId = await registered(admin, name);
      const limits = { propose: true };
      const { body } = await admin.post('/api/keys', { name: 'k', scope: 'WRITE', limits }).expect(201);
      key = body.key as string;
      before = await stored();
    });

    it.each([
      ['PowerDNS', 403, 'the key may only propose changes'],
      ['external-dns', 500, "The key's limits do not allow this"],
      ['DynDNS2', 403, 'badauth'],
      ['httpreq', 403, 'the key may only propose changes'],
      ['acme-dns', 403, 'forbidden'],
    ] as const)(
      'are not made by the API of %s, which answers %i and changes nothing',
      async (product, status, text) => {
        const response = await writeByApiOf(product, { server: service().server, key, zone: name });

        expect([response.status, response.text]).toEqual([status, expect.stringContaining(text)]);
        expect(await stored()).toEqual(before);
      },
    );

    it('are not made by dynamic update, which is REFUSED with the limit as an extended error and in the activity', async () => {
      const { rcode, opt } = await update({ propose: true });

      expect([rcode, opt?.options]).toEqual(['REFUSED', [prohibited(/^limits\.propose: the key may only propose/)]]);
      expect(await stored()).toEqual(before);
      const audit = service().container.get<AuditReader>(AuditReader);
      const [entry] = await audit.page(accountId, { action: 'zone.update_refused' }, 1);
      expect(entry?.after['reason']).toContain('propose');
    });

    it('have no extended error if the key may write, and no OPT record without one in the request', async () => {
      expect(await update({ names: ['www'] }, { data: '192.0.2.9' })).toMatchObject({
        rcode: 'NOERROR',
        opt: { options: [] },
      });
      expect((await update({ propose: true }, { withEdns: false })).opt).toBeUndefined();
    });

    it.each([
      ['PowerDNS', 403, 'second person'],
      ['external-dns', 500, 'The change needs a second person'],
      ['DynDNS2', 200, 'dnserr'],
      ['httpreq', 403, 'second person'],
      ['acme-dns', 403, 'forbidden'],
      ['dynamic update', 0, 'approval rules: the change needs a second person'],
    ] as const)('that a rule gives to a second person are refused by %s', async (product, status, text) => {
      const rules = [{ changes: ['records'], types: ['A', 'AAAA', 'TXT'] }];
      await admin.put('/api/approval-rules', { rules }).expect(200);
      const proposals = (await admin.get('/api/proposals').expect(200)).body.length as number;
      const { body } = await admin.post('/api/keys', { name: 'k', scope: 'WRITE' }).expect(201);
      const content = await admin.get(`/api/domains/${domainId}/dns/records`).expect(200);

      if (product === 'dynamic update') {
        const { rcode, opt } = await update({}, { name: 'other' });
        expect([rcode, opt?.options]).toEqual(['REFUSED', [prohibited(new RegExp(text))]]);
      } else {
        const response = await writeByApiOf(product, { server: service().server, key: body.key, zone: name });
        expect([response.status, response.text]).toEqual([status, expect.stringContaining(text)]);
      }

      expect((await admin.get(`/api/domains/${domainId}/dns/records`)).body).toEqual(content.body);
      expect((await admin.get('/api/proposals')).body).toHaveLength(proposals);
    });
  },
  OTHER_APIS,
);

/** An OPT record without options (RFC 6891) at the end. */
function withOpt(message: Buffer): Buffer {
  const counted = Buffer.from(message);
  counted.writeUInt16BE(counted.readUInt16BE(10) + 1, 10);
  return Buffer.concat([counted, Buffer.from([0, 0, 41, 4, 208, 0, 0, 0, 0, 0, 0])]);
}

/** An extended DNS error (RFC 8914) with the code for what is prohibited. */
function prohibited(text: RegExp): unknown {
  return expect.objectContaining({
    code: 15,
    data: {
      $$typeof: Symbol.for('jest.asymmetricMatcher'),
      asymmetricMatch: (octets: Buffer) => octets.readUInt16BE(0) === 18 && text.test(String(octets.subarray(2))),
    },
  });
}

interface CompatibilityWrite {
  readonly server: Parameters<typeof request>[0];
  readonly key: string;
  readonly zone: string;
}

/** Adds a record as a client of the product does. */
function writeByApiOf(
  product: 'PowerDNS' | 'external-dns' | 'DynDNS2' | 'httpreq' | 'acme-dns',
  { server, key, zone }: CompatibilityWrite,
) {
  const [id = '', secret = ''] = key.replace(/^nw_[a-z]+_/, '').split('.');
  const host = `www.${zone}`;
  const challenge = 'x'.repeat(43);
  switch (product) {
    case 'PowerDNS':
      return request(server)
        .patch(`/compat/powerdns/api/v1/servers/localhost/zones/${zone}.`)
        .set('X-API-Key', key)
        .send({
          rrsets: [
            { name: `${host}.`, type: 'A', ttl: 60, changetype: 'REPLACE', records: [{ content: '192.0.2.1' }] },
          ],
        });
    case 'external-dns':
      return request(server)
        .post('/compat/external-dns/records')
        .set('Authorization', `Bearer ${key}`)
        .type('application/external.dns.webhook+json;version=1')
        .send(JSON.stringify({ create: [{ dnsName: host, targets: ['192.0.2.1'], recordType: 'A' }] }));
    case 'DynDNS2':
      return request(server).get('/nic/update').query({ hostname: host, myip: '192.0.2.1' }).auth(id, secret);
    case 'httpreq':
      return request(server)
        .post('/compat/httpreq/present')
        .auth(id, secret)
        .send({ fqdn: `_acme-challenge.${zone}.`, value: challenge });
    case 'acme-dns':
      return request(server)
        .post('/compat/acme-dns/update')
        .set({ 'X-Api-User': id, 'X-Api-Key': secret })
        .send({ subdomain: zone, txt: challenge });
    default:
      return product satisfies never;
  }
}
