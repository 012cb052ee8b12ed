import request from 'supertest';
import type { TestService } from '../service/service';
import { DOMAINS, TYPES, type CompatibilityCase } from './key-limits-model';

type Call = Omit<CompatibilityCase, 'limits'>;

const ZONES = '/compat/powerdns/api/v1/servers/localhost/zones';
const CHALLENGE = 'x'.repeat(43);
const HELD_ADDRESS = '192.0.2.1';
const ADDED: Readonly<Record<string, string>> = { A: '192.0.2.8', AAAA: '2001:db8::8', TXT: '"eight"' };

/** Sends a case of the reference model as a program would. The address that DynDNS2 reports is the present one. */
export function compatibilityCall({ server }: TestService, key: string, { kind, domain, name, type }: Call) {
  const [id, secret] = credentialsOf(key);
  switch (kind) {
    case 'list zones by PowerDNS API':
      return request(server).get(ZONES).set('X-API-Key', key);
    case 'read zone by PowerDNS API':
      return request(server).get(`${ZONES}/${domain}.`).set('X-API-Key', key);
    case 'add record by PowerDNS API':
      return request(server)
        .patch(`${ZONES}/${domain}.`)
        .set('X-API-Key', key)
        .send({ rrsets: [rrset('EXTEND', { domain, name, type })] });
    case 'list records by external-dns':
      return request(server).get('/compat/external-dns/records').set('Authorization', `Bearer ${key}`);
    case 'add challenge by httpreq':
      return request(server).post('/compat/httpreq/present').auth(id, secret).send(challengeOf(domain));
    case 'add challenge by acme-dns':
      return request(server)
        .post('/compat/acme-dns/update')
        .set({ 'X-Api-User': id, 'X-Api-Key': secret })
        .send({ subdomain: domain, txt: CHALLENGE });
    case 'set address by DynDNS2':
      return request(server)
        .get('/nic/update')
        .query({ hostname: fullName(name, domain), myip: HELD_ADDRESS })
        .auth(id, secret);
    default:
      return kind satisfies never;
  }
}

/** Removes what the call may have added, so that all cases meet the same zones. @param key has no limits */
export async function undoCompatibilityCall({ server }: TestService, key: string, call: Call): Promise<void> {
  const { kind, domain } = call;
  if (kind === 'add record by PowerDNS API')
    await request(server)
      .patch(`${ZONES}/${domain}.`)
      .set('X-API-Key', key)
      .send({ rrsets: [rrset('PRUNE', call)] })
      .expect(204);
  if (kind === 'add challenge by httpreq' || kind === 'add challenge by acme-dns')
    await request(server)
      .post('/compat/httpreq/cleanup')
      .auth(...credentialsOf(key))
      .send(challengeOf(domain))
      .expect(200);
}

/** The error code that the REST API has for the status, or what the response shows, in the words of the model. */
export function shownByCompatibilityCall({ kind, domain }: Call, response: request.Response): unknown {
  const { status, body, text } = response;
  // The document of external-dns has 500 for every refusal.
  const isLimited = status === 403 || (status === 500 && text.startsWith("The key's limits do not allow this"));
  if (isLimited) return 'INSUFFICIENT_SCOPE';
  if (status === 404) return 'DOMAIN_NOT_FOUND';
  if (status >= 400) return `${status} ${text}`;
  if (kind === 'set address by DynDNS2') return text.trim().split(' ')[0];
  if (kind === 'list zones by PowerDNS API')
    return (body as { name: string }[])
      .map(({ name }) => name.slice(0, -1))
      .filter((name) => DOMAINS.some((each) => each === name))
      .toSorted();
  if (kind === 'read zone by PowerDNS API')
    return placesOf(
      (body as { rrsets: { name: string; type: string }[] }).rrsets.map(({ name, type }) => [name.slice(0, -1), type]),
      domain,
    );
  if (kind === 'list records by external-dns')
    return placesOf(
      (JSON.parse(text) as { dnsName: string; recordType: string }[]).map((each) => [each.dnsName, each.recordType]),
      domain,
    );
  return 'done';
}

/** What the model calls a record: its relative name and its type. */
function placesOf(records: readonly (readonly [name: string, type: string])[], domain: string): readonly string[] {
  return records
    .filter(([name, type]) => TYPES.some((each) => each === type) && (name === domain || name.endsWith(`.${domain}`)))
    .map(([name, type]) => `${name === domain ? '@' : name.slice(0, -domain.length - 1)} ${type}`)
    .toSorted();
}

function rrset(changetype: 'EXTEND' | 'PRUNE', { domain, name, type }: Omit<Call, 'kind'>): object {
  const records = [{ content: ADDED[type], disabled: false }];
  return { name: `${fullName(name, domain)}.`, type, ttl: 300, changetype, records };
}

function challengeOf(domain: string): object {
  return { fqdn: `_acme-challenge.${domain}.`, value: CHALLENGE };
}

function fullName(name: string, domain: string): string {
  return name === '@' ? domain : `${name}.${domain}`;
}

/** `nw_test_ID.SECRET`; both are base64url. */
function credentialsOf(key: string): [id: string, secret: string] {
  const [id = '', secret = ''] = key.replace(/^nw_[a-z]+_/, '').split('.');
  return [id, secret];
}
