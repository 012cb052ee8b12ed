import { assert, asyncProperty } from 'fast-check';
import { IssueApiKey, type IssuedKey } from '../../src/application/access/api-keys/issue-api-key';
import { UnitOfWork } from '../../src/application/ports/storage/unit-of-work';
import { OPERATOR } from '../../src/domain/access/actor';
import { ApiKey } from '../../src/domain/access/api-key';
import { parseKeyLimits, type GivenLimits } from '../../src/domain/access/key-limits';
import type { TsigKey } from '../../src/domain/dns/secondaries/tsig-key';
import { encodeUpdate } from '../campaign/dns/update-messages';
import {
  compatibilityCall,
  shownByCompatibilityCall,
  undoCompatibilityCall,
} from '../support/access/compatibility-calls';
import {
  DOMAINS,
  expectedResult,
  isCompatibilityCase,
  NAMES,
  TAGS,
  TYPES,
  wireCases,
  type Case,
} from '../support/access/key-limits-model';
import { sendTcp, signRequest } from '../support/nameservers/primary-client';
import { seeded } from '../support/seeded';
import { api, registered, REGISTRANT, startService, type Api, type TestService } from '../support/service/service';

const CONTENT: Readonly<Record<string, string>> = { A: '192.0.2.1', AAAA: '2001:db8::1', TXT: 'text' };
const OTHER: Readonly<Record<string, string>> = { A: '192.0.2.9', AAAA: '2001:db8::9', TXT: 'other' };
const RCODES: Readonly<Record<number, string>> = { 0: 'NOERROR', 5: 'REFUSED', 9: 'NOTAUTH' };

interface Domain {
  readonly id: string;
  readonly operationId: string;
  /** The version of the zone that has the records. */
  readonly version: number;
  /** By name and type. */
  readonly records: ReadonlyMap<string, string>;
}

interface Key {
  readonly id: string;
  readonly text: string;
}

/** A service with three domains that have the same records, and two keys whose limits change from case to case. */
class LimitedClient {
  private readonly domains = new Map<string, Domain>();
  /** Of a registration and of a transfer, in cents. */
  price = 0;
  /** By the key with limits, in cents. */
  spent = 0;
  private ordered = 0;
  private id = 0;

  private constructor(
    private readonly service: TestService,
    private readonly admin: Api,
    private readonly keys: { readonly api: Key; readonly tsig: Key; readonly unlimited: Key; readonly undo: Key },
  ) {}

  static async open(service: TestService): Promise<LimitedClient> {
    const accountId = await service.account();
    const admin = api(service, await service.key(accountId));
    const issue = service.container.get(IssueApiKey);
    const command = { accountId, actor: OPERATOR, name: 'limited' };
    const client = new LimitedClient(service, admin, {
      api: keyOf(await issue.execute({ ...command, scope: 'ADMIN' })),
      tsig: keyOf(await issue.executeTsig(command)),
      unlimited: keyOf(await issue.executeTsig(command)),
      undo: keyOf(await issue.execute({ ...command, scope: 'ADMIN' })),
    });
    client.price = await client.readPrice();
    for (const domain of DOMAINS) client.domains.set(domain, await client.openDomain(domain));
    return client;
  }

  /** The error code, or what the response shows. */
  async send(request: Case): Promise<unknown> {
    await this.limit(request.limits);
    if (request.kind === 'dynamic update') return this.update(request);
    const response = await this.call(request);
    if (isCompatibilityCase(request)) {
      await undoCompatibilityCall(this.service, this.keys.undo.text, request);
      return shownByCompatibilityCall(request, response);
    }
    const { status, body, text } = response;
    if (status >= 400) return (body as { error: { code: string } }).error.code;
    if (isOrder(request)) this.spent += this.price;
    return shown(request, { body, text });
  }

  private call({ kind, domain, name, type }: Case) {
    const client = api(this.service, this.keys.api.text);
    const { id, operationId, records, version } = this.domains.get(domain) as Domain;
    const path = `/api/domains/${id}`;
    const record = `${path}/dns/records/${records.get(`${name} ${type}`)}`;
    switch (kind) {
      case 'list domains':
        return client.get('/api/domains');
      case 'read domain':
        return client.get(path);
      case 'list operations':
        return client.get(`${path}/operations`);
      case 'read operation':
        return client.get(`/api/operations/${operationId}`);
      case 'list records':
        return client.get(`${path}/dns/records`);
      case 'export zone':
        return client.get(`${path}/dns/zonefile`);
      case 'read history':
        return client.get(`${path}/dns/history/${version}`);
      case 'add record':
        return client.post(`${path}/dns/records?dry_run=true`, { name, type, content: OTHER[type] });
      case 'change record':
        return client.put(`${record}?dry_run=true`, { content: OTHER[type] });
      case 'move record':
        return client.put(`${record}?dry_run=true`, { name: 'moved' });
      case 'remove record':
        return client.delete(`${record}?dry_run=true`);
      case 'import zone':
        return client
          .put(`${path}/dns/zonefile?dry_run=true`, 'only 300 IN TXT only\n')
          .set('Content-Type', 'text/dns');
      case 'add zone text':
        return client
          .put(`${path}/dns/zonefile?dry_run=true&mode=add`, `${name} 300 IN ${type} ${CONTENT[type]}\n`)
          .set('Content-Type', 'text/dns');
      case 'roll back':
        return client.post(`${path}/dns/history/1/restore?dry_run=true`);
      case 'read auth code':
        return client.post(`${path}/auth-code`);
      case 'order domain':
        this.ordered += 1;
        return client.post('/api/domains', { name: `new-${this.ordered}.com`, contacts: { registrant: REGISTRANT } });
      case 'order transfer':
        return this.orderTransfer(client);
      case 'list zones by PowerDNS API':
      case 'read zone by PowerDNS API':
      case 'add record by PowerDNS API':
      case 'list records by external-dns':
      case 'set address by DynDNS2':
      case 'add challenge by httpreq':
      case 'add challenge by acme-dns':
        return compatibilityCall(this.service, this.keys.api.text, { kind, domain, name, type });
      case 'dynamic update':
      case 'update auto-renewal':
      default:
        return client.put(`${path}/autorenew`, { auto_renew: true });
    }
  }

  private async orderTransfer(client: Api) {
    this.ordered += 1;
    const name = `coming-${this.ordered}.com`;
    const { body } = await this.admin.post('/api/sandbox/other-registrar/domains', { name }).expect(200);
    const { auth_code } = body as { auth_code: string };
    return client.post('/api/transfers', { name, auth_code, years: 1, registrant: REGISTRANT });
  }

  private async readPrice(): Promise<number> {
    const order = { name: 'price.com', transfer: true };
    const { body } = await this.admin.post('/api/domains/quote', { domains: [order] }).expect(200);
    const { price } = (body as { quotes: [{ price: { total: number; transfer: number } }] }).quotes[0];
    expect(price.transfer).toBe(price.total);
    return Math.round(price.total * 100);
  }

  private async update({ domain, name, type }: Case): Promise<string> {
    const change = { name, type, data: OTHER[type] ?? '', ttl: 300 };
    const rcode = await this.sendUpdate(this.keys.tsig, domain, { ...change, kind: 'add' });
    expect(await this.sendUpdate(this.keys.unlimited, domain, { ...change, ttl: 0, kind: 'delete record' })).toBe(
      'NOERROR',
    );
    return rcode;
  }

  private async sendUpdate(
    { text }: Key,
    domain: string,
    change: Parameters<typeof encodeUpdate>[2]['changes'][number],
  ): Promise<string> {
    const [, name = '', secret = ''] = text.split(':');
    const key: TsigKey = { name, algorithm: 'hmac-sha256', secret: Buffer.from(secret, 'base64') };
    this.id += 1;
    const request = signRequest(encodeUpdate(this.id, domain, { prerequisites: [], changes: [change] }), key);
    // Over UDP, keys for some networks are refused.
    const at = this.service.dns ?? { address: '', port: 0 };
    const [response] = await sendTcp(at, request, (messages) => messages.length > 0);
    if (!response) throw new Error('no response to an UPDATE');
    return RCODES[response.readUInt8(3) & 15] ?? 'another response code';
  }

  private async limit(given: GivenLimits): Promise<void> {
    const limits = parseKeyLimits(given);
    const unitOfWork = this.service.container.get(UnitOfWork);
    await unitOfWork.run(async ({ apiKeys }) => {
      for (const { id } of [this.keys.api, this.keys.tsig]) {
        const key = await apiKeys.lock(id);
        if (key) await apiKeys.save(ApiKey.fromState({ ...key.toState(), limits }));
      }
    });
  }

  private async openDomain(name: string): Promise<Domain> {
    const id = await registered(this.admin, name);
    await this.admin.put(`/api/domains/${id}/transfer-lock`, { transfer_locked: false }).expect(200);
    await this.admin.put(`/api/domains/${id}/tags`, { tags: TAGS[name] ?? [] }).expect(200);
    const drafts = NAMES.flatMap((owner) => TYPES.map((type) => ({ name: owner, type, content: CONTENT[type] ?? '' })));
    await this.admin.post(`/api/domains/${id}/dns/records/batch`, { create: drafts }).expect(200);
    const { body: records } = await this.admin.get(`/api/domains/${id}/dns/records`).expect(200);
    const { body: operations } = await this.admin.get(`/api/domains/${id}/operations`).expect(200);
    const { body: versions } = await this.admin.get(`/api/domains/${id}/dns/history`).expect(200);
    return {
      id,
      version: (versions as { version: number }[])[0]?.version ?? 0,
      operationId: (operations as { id: string }[])[0]?.id ?? '',
      records: new Map((records as Shown[]).map((each) => [placeOf(each), each.id])),
    };
  }
}

interface Shown {
  readonly id: string;
  readonly name: string;
  readonly type: string;
}

const isOrder = ({ kind }: Case): boolean => kind === 'order domain' || kind === 'order transfer';
const keyOf = ({ key, text }: IssuedKey): Key => ({ id: key.toState().keyId, text });
const placeOf = ({ name, type }: Pick<Shown, 'name' | 'type'>): string => `${name} ${type}`;

function shown({ kind, domain }: Case, { body, text }: { readonly body: unknown; readonly text: string }): unknown {
  if (kind === 'list domains')
    return (body as Shown[])
      .map(({ name }) => name)
      .filter((name) => DOMAINS.some((each) => each === name))
      .toSorted();
  if (kind === 'list records') return (body as Shown[]).map(placeOf).toSorted();
  if (kind === 'read history') return (body as { records: Shown[] }).records.map(placeOf).toSorted();
  return kind === 'export zone' ? exported(text, domain) : 'done';
}

function exported(text: string, domain: string): string[] {
  const places = text.split('\n').flatMap((line) => {
    const [owner = '', , , type = ''] = line.split(/\s+/);
    if (!TYPES.some((each) => each === type)) return [];
    return [placeOf({ name: owner === `${domain}.` ? '@' : owner.replace(`.${domain}.`, ''), type })];
  });
  return places.toSorted();
}

describe('the limits of a key, over HTTP, by compatibility APIs and by dynamic update', () => {
  let service: TestService;

  beforeAll(async () => {
    service = await startService({
      DNS_LISTEN: '127.0.0.1:0',
      COMPATIBILITY_APIS: 'powerdns,external-dns,dyndns,httpreq,acme-dns',
      DYNDNS_PLAIN_HTTP: 'on',
    });
  });
  afterAll(() => service.stop());

  it('allow and show what the reference model allows and shows, for 350 keys and requests', async () => {
    const client = await LimitedClient.open(service);

    await assert(
      asyncProperty(wireCases, async (request) => {
        const expected = expectedResult(request, client.price, client.spent);
        expect(await client.send(request)).toEqual(expected);
      }),
      seeded(350),
    );
  });
});
