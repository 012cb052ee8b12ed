// cspell:ignore svcpriority svcparams targetname
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readOctodnsZone, type OctodnsZone } from '../../../../../src/http/api/states/octodns-zone';
import { YamlTexts } from '../../../../../src/http/api/states/state-request-body';
import { DnsRecord } from '../../../../../src/domain/dns/records/dns-record';
import { ALL_TYPES } from '../../../../../src/domain/dns/records/types/record-types';
import { thrownBy } from '../../../../support/thrown-by';

const yaml = new YamlTexts();
const FIXTURE = join(__dirname, '../../../../fixtures/octodns/example.com.yaml');

function read(body: object): OctodnsZone {
  const task = readOctodnsZone(body);
  for (;;) {
    const step = task.next();
    if (step.done) return step.value;
  }
}

describe('a zone of octoDNS', () => {
  it('has its records with names, numbers and contents of the API', async () => {
    const zone = read((await yaml.parse(readFileSync(FIXTURE, 'utf8'), 'acc_1')) as object);
    const records = zone.records.map((draft) =>
      DnsRecord.create(draft, 'example.com', 'rec_1', new Date(0), ALL_TYPES),
    );

    expect(records.map((record) => `${record.name} ${record.ttl} ${record.type} ${record.rdata()}`)).toEqual([
      '@ 300 A 192.0.2.1',
      '@ 300 A 192.0.2.2',
      '@ 3600 CAA 0 issue "letsencrypt.org"',
      '@ 3600 MX 10 mail.example.net.',
      '@ 3600 MX 20 backup.example.net.',
      '@ 3600 TXT "v=spf1 mx -all"',
      '@ 3600 TXT "with a ; semicolon"',
      'www 3600 CNAME target.example.net.',
      '_sip._tcp 600 SRV 10 20 5060 sip.example.net.',
      'ssh 3600 SSHFP 4 2 123456789abcdef67890123456789abcdef67890123456789abcdef123456789',
      'sub 3600 NS ns1.example.net.',
      'sub 3600 NS ns2.example.net.',
      '*.wild 3600 AAAA 2001:db8::1',
    ]);
    expect(zone.places.slice(0, 3)).toEqual(["''[0].values[0]", "''[0].values[1]", "''[1].values[0]"]);
  });

  it.each<[object, string]>([
    [{ www: 'x' }, 'www must be a record with type and value or values'],
    [{ www: { value: '192.0.2.1' } }, 'www.type must be a string'],
    [{ www: { type: 'A', ttl: 'x', value: '192.0.2.1' } }, 'www.ttl must be a number'],
    [{ www: { type: 'A', dynamic: {}, value: '192.0.2.1' } }, 'www.dynamic is not supported'],
    [{ www: { type: 'A', values: [] } }, 'www.values must not be empty'],
    [{ www: { type: 'A' } }, 'www.value must be a value of octoDNS for A records'],
    [
      { '': [{ type: 'MX', values: [{ exchange: 'x.' }] }] },
      "''[0].values[0] must be a value of octoDNS for MX records",
    ],
  ])('names the part of %j that is wrong', (body, details) => {
    expect(thrownBy(() => read(body))).toMatchObject({ code: 'VALIDATION_ERROR', details });
  });
});

const written = (body: object) =>
  read(body).records.map(({ name, ttl, type, content }) => `${name} ${ttl} ${type} ${content}`);

describe('records of octoDNS', () => {
  it.each([
    ['A', '192.0.2.1', '192.0.2.1'],
    ['TXT', 'v=DMARC1\\; p=none', 'v=DMARC1; p=none'],
    ['TXT', '"quoted" \\ text', String.raw`"\"quoted\" \\ text"`],
    ['CAA', { tag: 'issue', value: 'ca.test' }, '0 issue "ca.test"'],
    ['DS', { key_tag: 1, algorithm: 13, digest_type: 2, digest: 'AB' }, '1 13 2 AB'],
    ['TLSA', { certificate_usage: 3, selector: 1, matching_type: 1, certificate_association_data: 'ab' }, '3 1 1 ab'],
    [
      'NAPTR',
      { order: 1, preference: 2, flags: 'U', service: 'E2U+sip', regexp: '!^.*$!sip:a@b.test!', replacement: '.' },
      '1 2 "U" "E2U+sip" "!^.*$!sip:a@b.test!" .',
    ],
    ['NAPTR', { order: 1, preference: 2 }, '1 2 "" "" "" .'],
    ['URI', { priority: 1, weight: 2, target: 'https://a.test/' }, '1 2 "https://a.test/"'],
    [
      'HTTPS',
      { svcpriority: 1, targetname: '.', svcparams: { alpn: ['h2', 'h3'], port: 443 } },
      '1 . alpn="h2,h3" port="443"',
    ],
  ])('of type %s have the content of the API: %p', (type, value, content) => {
    expect(written({ www: { type, value } })).toEqual([`www 3600 ${type} ${content}`]);
  });

  it('have older names of the members of MX', () => {
    const { records } = read({ '': { type: 'MX', value: { priority: 10, value: 'mail.test.' } } });

    expect(records).toEqual([{ name: '@', type: 'MX', content: 'mail.test.', priority: 10, ttl: 3600 }]);
  });

  it('leave out what octoDNS ignores, and the nameservers of the domain', () => {
    const ignored = { type: 'A', value: '192.0.2.1', octodns: { ignored: true } };
    const body = {
      '': [
        { type: 'NS', values: ['ns1.test.'] },
        { type: 'A', value: '192.0.2.2', octodns: { ignored: false } },
      ],
      old: ignored,
      sub: { type: 'NS', ttl: 60, values: ['ns1.test.'] },
    };

    expect(written(body)).toEqual(['@ 3600 A 192.0.2.2', 'sub 60 NS ns1.test.']);
  });
});

const long = (text: string) => `${text}\n# ${'x'.repeat(10_000)}\n`;
const LETTERS = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];
/** Each list has the one before nine times. */
const bomb = LETTERS.map(
  (name, index) => `${name}: &${name} [${(index === 0 ? 'x,' : `*${LETTERS[index - 1] ?? ''},`).repeat(9)}]`,
).join('\n');

describe('YAML', () => {
  it.each([
    ['short', (text: string) => text],
    ['long', long],
  ])('is parsed, and refused if it is malformed or full of aliases: a %s text', async (_what, sized) => {
    expect(await yaml.parse(sized('a: [1, b]'), 'acc_1')).toEqual({ a: [1, 'b'] });
    expect(await yaml.parse(sized('a: &x [1]\nb: *x'), 'acc_1')).toEqual({ a: [1], b: [1] });
    await expect(yaml.parse(sized('a: [\nb: 1'), 'acc_1')).rejects.toMatchObject({
      details: expect.stringMatching(/well-formed YAML: line \d+/),
    });
    await expect(yaml.parse(sized(bomb), 'acc_1')).rejects.toMatchObject({
      details: expect.stringMatching(/too many aliases/),
    });
    await expect(yaml.parse(sized('a: *unknown'), 'acc_1')).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
  });
});
