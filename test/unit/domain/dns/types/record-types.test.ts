import { DnsRecord, validateRecord } from '../../../../../src/domain/dns/records/dns-record';
import {
  ALL_TYPES,
  INTERFACE_TYPES,
  NAMED_TYPES,
  parseRecordType,
  typeDefinition,
  wireRdata,
  type RecordType,
} from '../../../../../src/domain/dns/records/types/record-types';
import { RdataReader } from '../../../../../src/domain/dns/records/types/rdata/rdata-reader';
import { ZONE } from '../../../../support/data/a-record';
import { thrownBy } from '../../../../support/thrown-by';

const SHA256 = 'ab'.repeat(32);
const SHA1 = 'CD'.repeat(20);

/** A name that the type allows. */
function nameFor(type: string): string {
  return type === 'DNSKEY' || type === 'TYPE48' ? '@' : 'www';
}

function stored(type: string, content: string, name = nameFor(type)) {
  return validateRecord({ type, name, content }, ZONE, ALL_TYPES);
}

/** Type, content as written, content as stored, RDATA in hexadecimal. */
const ACCEPTED: readonly (readonly [type: RecordType, written: string, stored: string, wire: string])[] = [
  ['HTTPS', '0 Svc.Example.NET', '0 svc.example.net.', '000003737663076578616d706c65036e657400'],
  ['HTTPS', '1 . alpn=h2,h3 port=8443', '1 . alpn="h2,h3" port="8443"', '0001000001000602683202683300030002 20fb'],
  [
    'HTTPS',
    '16 @ port=53 key667="hel\\210o"',
    '16 example.com. port="53" key667="hel\\210o"',
    '0010076578616d706c6503636f6d00000300020035029b000568656cd26f',
  ],
  [
    'SVCB',
    '1 . alpn="f\\\\\\\\oo\\\\,bar,h2"',
    '1 . alpn="f\\\\\\\\oo\\\\,bar,h2"',
    '0001000001000c08665c6f6f2c626172026832',
  ],
  [
    'SVCB',
    '1 . mandatory=ipv4hint,alpn alpn=h2 ipv4hint=192.0.2.1',
    '1 . mandatory="alpn,ipv4hint" alpn="h2" ipv4hint="192.0.2.1"',
    '00010000000004000100040001000302683200040004c0000201',
  ],
  [
    'SVCB',
    '1 . ipv6hint="2001:DB8::1,::ffff:192.0.2.1"',
    '1 . ipv6hint="2001:db8::1,::ffff:c000:201"',
    '000100000600202001 0db8000000000000000000000001 00000000000000000000ffffc0000201',
  ],
  [
    'SVCB',
    '1 . alpn=h2 no-default-alpn="" ech=AAAA',
    '1 . alpn="h2" no-default-alpn ech="AAAA"',
    '0001000001000302683200020000000500 03000000',
  ],
  [
    'SVCB',
    '1 dns.example.net. dohpath=/dns-query{?dns} ohttp',
    '1 dns.example.net. dohpath="/dns-query{?dns}" ohttp',
    '000103646e73076578616d706c65036e6574000007 00102f646e732d71756572797b3f646e737d00080000',
  ],
  ['TLSA', `3 1 1 ${SHA256.toUpperCase()}`, `3 1 1 ${SHA256}`, `030101${SHA256}`],
  ['SMIMEA', '3 0 0 ab cd  ef', '3 0 0 abcdef', '030000abcdef'],
  ['SSHFP', `04 1 ${SHA1}`, `4 1 ${SHA1.toLowerCase()}`, `0401${SHA1}`],
  ['DS', `2371 ECDSAP256SHA256 2 ${SHA256}`, `2371 13 2 ${SHA256}`, `09430d02${SHA256}`],
  ['CDS', '0 0 0 00', '0 0 0 00', '0000000000'],
  ['CDNSKEY', '0 3 0 AA==', '0 3 0 AA==', '0000030000'],
  ['DNSKEY', '257 3 13 AAEC Aw==', '257 3 13 AAECAw==', '0101030d00010203'],
  ['PTR', 'Host.example.com', 'host.example.com.', '04686f7374076578616d706c6503636f6d00'],
  ['DNAME', '@', 'example.com.', '076578616d706c6503636f6d00'],
  [
    'NAPTR',
    '100 50 s SIP+D2U "" _sip._udp.example.com',
    '100 50 "s" "SIP+D2U" "" _sip._udp.example.com.',
    '00640032017307534950 2b44325500 045f736970045f756470076578616d706c6503636f6d00',
  ],
  [
    'NAPTR',
    '1 2 "u" "E2U+sip" "!^.*$!sip:a\\\\1@b!" .',
    '1 2 "u" "E2U+sip" "!^.*$!sip:a\\\\1@b!" .',
    '000100020175074532552b736970 10 215e2e2a24217369703a615c31406221 00',
  ],
  [
    'URI',
    '10 1 "https://www.example.com/"',
    '10 1 "https://www.example.com/"',
    `000a0001${Buffer.from('https://www.example.com/').toString('hex')}`,
  ],
  ['HINFO', 'ARM64 "Debian 12"', '"ARM64" "Debian 12"', '0541524d3634 0944656269616e203132'],
  ['LOC', '52 22 23 N 4 53 32.5 e -2m', '52 22 23.000 N 4 53 32.500 E -2.00m', '00121613 8b3cf018 810cbed4 009895b8'],
  [
    'LOC',
    '0 S 0 W 0 30m 10000m 12m',
    '0 0 0.000 N 0 0 0.000 E 0.00m 30.00m 10000.00m 10.00m',
    '00331613 80000000 80000000 00989680',
  ],
  ['CERT', 'PGP 0 0 AAEC', '3 0 0 AAEC', '0003000000000102'],
  ['OPENPGPKEY', 'AAEC Aw==', 'AAECAw==', '00010203'],
  [
    'DHCID',
    'AAIBY2/AuCccgoJbsaxcQc9TUapptP69lOjxfNuVAA2kjEA=',
    'AAIBY2/AuCccgoJbsaxcQc9TUapptP69lOjxfNuVAA2kjEA=',
    '000201636fc0b8271c82825bb1ac5c41cf5351aa69b4febd94e8f17cdb95000da48c40',
  ],
  [
    'DSYNC',
    'cds notify 5359 Scanner.example.net',
    'CDS NOTIFY 5359 scanner.example.net.',
    '003b 01 14ef 077363616e6e6572076578616d706c65036e657400',
  ],
  ['DSYNC', 'TYPE62 128 0 a.test.', 'CSYNC 128 0 a.test.', '003e 80 0000 0161 0474657374 00'],
  ['DSYNC', 'TYPE6 1 53 a.test.', 'TYPE6 NOTIFY 53 a.test.', '0006 01 0035 0161 0474657374 00'],
  ['TYPE65280', '\\# 4 0A 000001', '\\# 4 0a000001', '0a000001'],
  // RP: the names are A.B and C.
  ['TYPE17', '\\# 8 01410142 00 014300', '\\# 8 0161016200016300', '0161016200016300'],
  // AFSDB: only the name after the number.
  ['TYPE18', '\\# 5 4142 014100', '\\# 5 4142016100', '4142016100'],
  // X25, an unassigned type, and TALINK and LP, whose names keep their case in canonical form (RFC 6840, section 5.1).
  ['TYPE19', '\\# 2 0141', '\\# 2 0141', '0141'],
  ['TYPE65281', '\\# 3 014100', '\\# 3 014100', '014100'],
  ['TYPE58', '\\# 4 014100 00', '\\# 4 01410000', '01410000'],
  ['TYPE107', '\\# 5 0001 014100', '\\# 5 0001014100', '0001014100'],
  ['TYPE731', '\\# 0', '\\# 0', ''],
];

function serviceKeys(count: number): string {
  return Array.from({ length: count }, (_, index) => `key${1_000 + index}`).join(' ');
}

describe('a record type that can be switched on', () => {
  it.each(ACCEPTED)('%s %s is stored in canonical form and written to the wire', (type, written, canonical, wire) => {
    const values = stored(type, written);
    const record = DnsRecord.fromState({ ...values, id: 'rec_1', createdAt: new Date(0), updatedAt: new Date(0) });
    const octets = Buffer.from(wire.replaceAll(' ', ''), 'hex');

    expect(values).toEqual({
      type,
      name: nameFor(type),
      content: canonical,
      ttl: 3600,
      priority: null,
      weight: null,
      port: null,
    });
    expect(record.wireRdata().toString('hex')).toBe(octets.toString('hex'));
    expect(wireRdata(type, record.rdata())).toEqual(octets);
    expect(typeDefinition(type).decode(new RdataReader(octets))).toEqual({ content: canonical });
    expect(stored(type, canonical).content).toBe(canonical);
  });

  // RFC 4034, section 6.2: MD, MF, MB, MG, MR, MINFO, RP, AFSDB, RT, PX, KX.
  it.each([
    [3, '014100'],
    [4, '014100'],
    [7, '014100'],
    [8, '014100'],
    [9, '014100'],
    [14, '014100015a00'],
    [17, '014100015a00'],
    [18, '4142014100'],
    [21, '4142014100'],
    [26, '4142014100015a00'],
    [36, '4142014100'],
  ])(
    'TYPE%d that was stored with upper-case letters in its names has them in lower case on the wire',
    (number, hex) => {
      const type = `TYPE${number}` as const;
      const values = { ...stored(type, `\\# ${hex.length / 2} ${hex}`), content: `\\# ${hex.length / 2} ${hex}` };
      const record = DnsRecord.fromState({ ...values, id: 'rec_1', createdAt: new Date(0), updatedAt: new Date(0) });

      expect(record.wireRdata().toString('hex')).toBe(hex.replace('0141', '0161').replace('015a', '017a'));
    },
  );

  it('is, by its number, the same record as one that differs only in the case of a name', () => {
    const [upper, lower] = ['\\# 4 014100 00', '\\# 4 016100 00'].map((content) =>
      DnsRecord.create({ type: 'TYPE17', name: 'www', content }, ZONE, 'rec_1', new Date(0), ALL_TYPES),
    );

    expect(upper?.identity()).toBe(lower?.identity());
  });

  it.each(ACCEPTED)('%s %s may have its octets as RFC 3597 writes them', (type, _written, canonical, wire) => {
    const { number } = typeDefinition(type);
    const octets = Buffer.from(wire.replaceAll(' ', ''), 'hex');
    const generic = `\\# ${octets.length} ${octets.toString('hex')}`.trim();

    expect(stored(`TYPE${number}`, generic)).toMatchObject({ type, content: canonical });
  });

  it('SVCB and HTTPS take 64 parameters', () => {
    expect(stored('SVCB', `1 . ${serviceKeys(64)}`)?.content).toHaveLength(`1 . ${serviceKeys(64)}`.length);
  });

  it.each([
    ['HTTPS', '1'],
    ['HTTPS', '0 . alpn=h2'],
    ['HTTPS', '1 . alpn'],
    ['HTTPS', '1 . alpn='],
    ['HTTPS', '1 . alpn=h2 alpn=h3'],
    ['HTTPS', '1 . no-default-alpn'],
    ['HTTPS', '1 . mandatory=port'],
    ['HTTPS', '1 . mandatory=mandatory'],
    ['HTTPS', '1 . mandatory=alpn,alpn alpn=h2'],
    ['HTTPS', '1 . port=65536'],
    ['HTTPS', '1 . ipv4hint=192.0.2.256'],
    ['HTTPS', '1 . ipv6hint=::1%eth0'],
    ['HTTPS', '1 . ech=*'],
    ['HTTPS', '1 . key65535=x'],
    ['HTTPS', '1 . key007=x'],
    ['HTTPS', '1 . unknown=x'],
    ['HTTPS', '1 . key1=x'],
    ['HTTPS', '1 localhost'],
    ['SVCB', `1 . ${serviceKeys(65)}`],
    ['SVCB', '1 . port="80'],
    ['TLSA', '3 1 1 abcd'],
    ['TLSA', '3 1 1'],
    ['TLSA', '256 1 0 abcd'],
    ['TLSA', '3 1 0 abc'],
    ['TLSA', '3 1 0 "abcd"'],
    ['SSHFP', `4 2 ${SHA1}`],
    ['DS', `2371 13 2 ${SHA1}`],
    ['DS', '0 0 0 00'],
    ['DS', `2371 13 0 ${SHA1}`],
    ['DNSKEY', '257 2 13 AAEC'],
    ['DNSKEY', '257 3 13 AAE'],
    ['PTR', 'host'],
    ['PTR', '.'],
    ['PTR', '192.0.2.1'],
    ['PTR', 'a.example.com b.example.com'],
    ['DNAME', 'a..example.com'],
    ['NAPTR', '1 2 u e "" '],
    ['NAPTR', `1 2 u e "${'x'.repeat(256)}" .`],
    ['URI', '10 1 https://www.example.com/'],
    ['URI', '10 1 ""'],
    ['HINFO', 'ARM64'],
    ['LOC', '91 N 4 E 0'],
    ['LOC', '52 60 N 4 E 0'],
    ['LOC', '52 N 4 E'],
    ['LOC', '52 N 4 E 0 1 1 1 1'],
    ['CERT', 'FOO 0 0 AAEC'],
    ['OPENPGPKEY', ''],
    ['DSYNC', '59 NOTIFY 53 a.test.'],
    ['DSYNC', 'CDS NOTIFY 65536 a.test.'],
    ['DSYNC', 'CDS NOTIFY 53 .'],
    ['DSYNC', 'CDS 256 53 a.test.'],
    ['DSYNC', 'CDS NOTIFY a.test.'],
    ['OPENPGPKEY', Buffer.alloc(8193).toString('base64')],
    ['TYPE65280', '0a000001'],
    ['TYPE65280', '\\# 3 0a000001'],
    ['TYPE65280', '\\# 4 0a00001'],
    ['TYPE17', '\\# 1 00'],
    ['TYPE17', '\\# 3 00c000'],
    ['TYPE45', '\\# 1 00'],
    ['TYPE1', '\\# 3 c00002'],
    ['TYPE1', '\\# 5 c000020100'],
    ['TYPE65', '\\# 2 0001'],
    ['HINFO', '"a" "b" ; comment'],
    ['HINFO', '("a" "b")'],
  ])('%s refuses %s', (type, content) => {
    expect(thrownBy(() => stored(type, content))).toMatchObject({ code: 'INVALID_RECORD_CONTENT' });
  });

  it('DNSKEY is refused below the apex (RFC 4034, section 2), CDS and CDNSKEY are not (RFC 9615)', () => {
    expect(thrownBy(() => stored('DNSKEY', '257 3 13 AAEC', 'www'))).toMatchObject({
      code: 'INVALID_RECORD_NAME',
      details: 'DNSKEY records are allowed at the root of the domain only',
    });
    expect(stored('CDNSKEY', '257 3 13 AAEC', '_dsboot.example.net._signal')).toMatchObject({ type: 'CDNSKEY' });
  });

  it.each([
    ['mandatory=dohpath,port dohpath=/q{?dns} port=53 ohttp', 'mandatory=port,key7 port=53 key7="/q{?dns}" key8=""'],
    ['alpn=h2 tls-supported-groups=29,23', 'alpn="h2" key9="\\000\\029\\000\\023"'],
    ['alpn=h2 no-default-alpn ipv4hint=192.0.2.1', 'alpn="h2" no-default-alpn ipv4hint="192.0.2.1"'],
  ])('HTTPS with %s is exported as %s, which older tools read and an import reads back', (written, exported) => {
    const values = stored('HTTPS', `1 . ${written}`);
    const record = DnsRecord.fromState({ ...values, id: 'rec_1', createdAt: new Date(0), updatedAt: new Date(0) });

    expect(record.portableRdata()).toBe(`1 . ${exported}`);
    expect(stored('HTTPS', record.portableRdata())).toEqual(values);
  });

  it.each([
    ['TYPE1', '192.0.2.1', { type: 'A', content: '192.0.2.1' }],
    ['TYPE1', '\\# 4 c0000201', { type: 'A', content: '192.0.2.1' }],
    ['TYPE15', '\\# 11 000a 046d61696c 02646500', { type: 'MX', priority: 10, content: 'mail.de' }],
    ['TYPE16', '\\# 3 026869', { type: 'TXT', content: 'hi' }],
    ['TYPE52', '3 0 0 ab', { type: 'TLSA', content: '3 0 0 ab' }],
    ['TYPE17', '\\# 2 0000', { type: 'TYPE17', content: '\\# 2 0000' }],
  ])('%s %s becomes the known type', (type, content, expected) => {
    expect(stored(type, content)).toMatchObject(expected);
  });

  it.each(['RRSIG', 'NSEC', 'NSEC3', 'NSEC3PARAM', 'SOA', 'SPF', 'ANY', 'AXFR', 'ZONEMD', 'TYPE###', 'tlsa'])(
    'is not %s',
    (type) => {
      expect(thrownBy(() => parseRecordType(type, ALL_TYPES))).toMatchObject({
        code: 'INVALID_RECORD_TYPE',
        details: `Supported types: ${ALL_TYPES.join(', ')}`,
      });
    },
  );

  it.each([0, 6, 41, 46, 47, 50, 51, 99, 128, 249, 250, 251, 252, 255, 65_535, 65_536])('is not TYPE%d', (number) => {
    expect(thrownBy(() => parseRecordType(`TYPE${number}`, ALL_TYPES))).toMatchObject({ code: 'INVALID_RECORD_TYPE' });
  });

  it.each(['TYPE01', 'TYPE', 'TYPE1x', 'type1'])('is not %s', (type) => {
    expect(thrownBy(() => parseRecordType(type, ALL_TYPES))).toMatchObject({ code: 'INVALID_RECORD_TYPE' });
  });

  it('is refused, also by its number, unless it is switched on', () => {
    for (const type of [
      ...NAMED_TYPES.filter((each) => !INTERFACE_TYPES.some((one) => one === each)),
      'TYPE1',
      'TYPE65280',
    ])
      expect(thrownBy(() => parseRecordType(type))).toMatchObject({
        code: 'INVALID_RECORD_TYPE',
        details: 'Supported types: A, AAAA, CNAME, MX, TXT, NS, SRV, CAA',
      });
    expect(parseRecordType('TLSA', [...INTERFACE_TYPES, 'TLSA'])).toBe('TLSA');
    expect(thrownBy(() => parseRecordType('TYPE52', [...INTERFACE_TYPES, 'TLSA']))).toMatchObject({
      code: 'INVALID_RECORD_TYPE',
    });
  });
});
