import type { SeededRandom } from '../../crash/random';
import type { Api } from '../service/service';

interface ListedRecord {
  readonly id: string;
  readonly name: string;
  readonly type: string;
}

const DELEGATIONS: readonly [readonly string[], ...(readonly string[])[]] = [
  ['ns1.namewright.example', 'ns2.namewright.example'],
  ['a.example.org', 'b.example.org'],
  ['a.example.org', 'b.example.org', 'ns1.namewright.example'],
];

/** Changes a zone at random by the API: records, nameservers, an import or a roll back. */
export async function randomZoneChange(client: Api, domainId: string, random: SeededRandom): Promise<void> {
  const dns = `/api/domains/${domainId}/dns`;
  const kind = random.between(1, 10);
  if (kind <= 4) {
    const create = Array.from({ length: random.between(1, 4) }, () => draft(random));
    await client
      .post(`${dns}/records/batch`, { create: unique(create) })
      .expect(({ status }) => assertOneOf(status, 200, 422, 409));
  } else if (kind <= 7) {
    const { body } = await client.get(`${dns}/records?limit=100`).expect(200);
    const records = (body as readonly ListedRecord[]).filter(() => random.between(1, 20) === 1);
    if (records.length > 0)
      await client.post(`${dns}/records/batch`, { delete: records.map(({ id }) => id) }).expect(200);
  } else if (kind === 8) {
    const nameservers = random.oneOf(DELEGATIONS);
    await client.put(`/api/domains/${domainId}/nameservers`, { nameservers }).expect(200);
  } else if (kind === 9) {
    const { text } = await client.get(`${dns}/zonefile`).expect(200);
    const lines = text.split('\n').filter((line) => !/\sA\s/.test(line) || random.between(1, 15) > 1);
    await client
      .put(`${dns}/zonefile`, `${lines.join('\n')}\nimported-${random.between(1, 9)} 300 IN TXT "imported"\n`)
      .set('Content-Type', 'text/dns')
      .expect(200);
  } else {
    const { body } = await client.get(`${dns}/history?limit=5`).expect(200);
    const versions = (body as readonly { readonly version: number }[]).map(({ version }) => version);
    const version = versions[random.between(0, versions.length - 1)] ?? 1;
    await client.post(`${dns}/history/${version}/restore`).expect(({ status }) => assertOneOf(status, 200, 404));
  }
}

function draft(random: SeededRandom): object {
  const name = random.oneOf(['@', 'www', '*.wild', 'a.b.c', '_sip._tcp', `host-${random.between(1, 20)}`]);
  const ttl = random.oneOf([60, 300, 3600]);
  const number = random.between(1, 250);
  return random.oneOf([
    { type: 'A', name, ttl, content: `192.0.2.${number}` },
    { type: 'AAAA', name, ttl, content: `2001:db8::${number}` },
    { type: 'TXT', name, ttl, content: `"text ${number}" "\\\\000\\"more"` },
    { type: 'MX', name: '@', ttl, content: `mail-${number}.example.net`, priority: number },
    { type: 'NS', name: '@', ttl, content: `ns${number}.example.net` },
    { type: 'CAA', name, ttl, content: '0 issue "ca.example.net"' },
    { type: 'SRV', name: '_sip._tcp', ttl, content: 'sip.example.net', priority: 1, weight: 2, port: number },
  ]);
}

function unique(drafts: readonly object[]): readonly object[] {
  return [...new Map(drafts.map((each) => [JSON.stringify({ ...each, ttl: 0 }), each])).values()];
}

function assertOneOf(status: number, ...expected: readonly number[]): void {
  if (!expected.includes(status)) throw new Error(`expected ${expected.join(' or ')}, got ${status}`);
}
