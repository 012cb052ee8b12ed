import { ALL_TYPES, INTERFACE_TYPES } from '../../../../../src/domain/dns/records/types/record-types';
import { readTemplate } from '../../../../../src/domain/domain-connect/templates/read-template';
import {
  resolveTemplate,
  type RecordMaking,
  type TemplateRequest,
} from '../../../../../src/domain/domain-connect/templates/resolve-template';
import { TemplateRejected } from '../../../../../src/domain/domain-connect/templates/template-errors';
import { recordMaking, templateJson } from '../../../../support/data/domain-connect-templates';

type Request = Partial<TemplateRequest> & { readonly making?: RecordMaking };

const A = { type: 'A', host: '@', pointsTo: '192.0.2.1', ttl: 3600 };
const CNAME = { type: 'CNAME', host: 'www', pointsTo: '%fqdn%', ttl: 3600 };
const MX = { type: 'MX', host: '@', pointsTo: 'mail.provider.example', priority: 10, ttl: 3600 };
const NS = { type: 'NS', host: 'sub', pointsTo: 'ns.provider.example', ttl: 3600 };
const TXT = { type: 'TXT', host: '@', data: 'text', ttl: 3600 };
const CAA = { type: 'CAA', host: '@', data: '0 issue "%ca%"', ttl: 3600 };
const SRV = {
  type: 'SRV',
  name: '@',
  service: '_sip',
  protocol: '_tls',
  priority: 1,
  weight: 2,
  port: 5061,
  target: 'sip.provider.example',
  ttl: 3600,
};

function resolve(record: Readonly<Record<string, unknown>>, { making = recordMaking(), ...request }: Request = {}) {
  const hostRequired = (request.host ?? '') !== '';
  const template = readTemplate(templateJson([record], { hostRequired }));
  return resolveTemplate(template, { zoneName: 'example.com', variables: {}, ...request }, making);
}

/** `www 3600 A 192.0.2.1` */
function linesOf(...args: Parameters<typeof resolve>): readonly string[] {
  return resolve(...args).records.map(({ record }) => `${record.name} ${record.ttl} ${record.type} ${record.rdata()}`);
}

function problemOf(...args: Parameters<typeof resolve>): string {
  try {
    return linesOf(...args).join();
  } catch (error) {
    if (!(error instanceof TemplateRejected)) throw error;
    return [error.problem, ...error.issues.map(({ path, message }) => `${path} ${message}`)].join(': ');
  }
}

it.each([
  ['@', '', '@'],
  ['@', 'shop', 'shop'],
  ['', 'shop', 'shop'],
  ['www', '', 'www'],
  ['www', 'shop', 'www.shop'],
  ['*', '', '*'],
  ['*', 'shop', '*.shop'],
  ['*.a', 'shop', '*.a.shop'],
  ['%domain%.', 'shop', '@'],
  ['a.%fqdn%.', 'shop', 'a.shop'],
  ['%fqdn%', 'shop', 'shop.example.com.shop'],
  ['WWW', 'Shop', 'www.shop'],
])('has the owner name of host %j, applied to host %j', (recordHost, host, expected) => {
  expect(linesOf({ ...A, host: recordHost }, { host })).toEqual([`${expected} 3600 A 192.0.2.1`]);
});

it.each([
  ['a name', 'sub', 'sub'],
  ['two labels', 'child.sub', 'child.sub'],
  ['nothing', '', '@'],
  ['an internationalized label', 'Bücher', 'xn--bcher-kva'],
])('puts %s into a host', (_what, value, expected) => {
  expect(linesOf({ ...A, host: '%v%' }, { variables: { v: value } })).toEqual([`${expected} 3600 A 192.0.2.1`]);
});

it.each([
  ['another name of the zone, as a full name', 'mail.example.com.'],
  ['a name outside the zone', 'provider.example.'],
  ['the full name without dot', 'mail.example.com'],
  ['the name of the zone', 'example.com'],
  ['an empty label', 'a..b'],
  ['a full stop of another script at its end', 'a\u3002'],
  ['a space', 'a b'],
  ['a quote', 'a"b'],
  ['a wildcard inside', 'a.*'],
  ['a label of 64 octets', 'a'.repeat(64)],
  ['a semicolon', 'a;b'],
  ['a label that starts with a hyphen', '-a'],
  ['a label that ends with a hyphen', 'a-.b'],
])('refuses a host with a value that is %s', (_what, value) => {
  expect(problemOf({ ...A, host: '%v%' }, { variables: { v: value } })).toMatch(
    /^INVALID_(VALUE|RECORD): records\[0\]\.host /,
  );
});

it.each(['*', '*.a', 'a..b', 'a.', '-a', 'b.a-', 'shop.example.com', 'example.com', 'a b', 'a'.repeat(300)])(
  'refuses to apply a template to the host %j',
  (host) => {
    expect(problemOf(A, { host })).toMatch(/^INVALID_VALUE: host /);
  },
);

it('needs a host if the template does', () => {
  const template = readTemplate(templateJson([A], { hostRequired: true }));
  const request = { zoneName: 'example.com', host: '@', variables: {} };

  expect(() => resolveTemplate(template, request, recordMaking())).toThrow(
    expect.objectContaining({ problem: 'HOST_REQUIRED' }),
  );
});

it.each([
  [{ ...CNAME, pointsTo: '@' }, 'www 3600 CNAME example.com.'],
  [{ ...CNAME, pointsTo: '%v%.provider.example' }, 'www 3600 CNAME value.provider.example.'],
  [{ ...CNAME, pointsTo: 'provider.example.' }, 'www 3600 CNAME provider.example.'],
  [{ ...MX, priority: '20' }, '@ 3600 MX 20 mail.provider.example.'],
  [{ ...MX, priority: '%number%' }, '@ 3600 MX 7 mail.provider.example.'],
  [NS, 'sub 3600 NS ns.provider.example.'],
  [SRV, '_sip._tls 3600 SRV 1 2 5061 sip.provider.example.'],
  [{ ...SRV, name: 'a', service: 'sip', protocol: 'TCP' }, '_sip._tcp.a 3600 SRV 1 2 5061 sip.provider.example.'],
  [{ ...SRV, name: 'b.%domain%.', port: '%number%' }, '_sip._tls.b 3600 SRV 1 2 7 sip.provider.example.'],
  [{ ...TXT, data: '@' }, '@ 3600 TXT "@"'],
  [{ ...TXT, data: '' }, '@ 3600 TXT ""'],
  [{ ...TXT, data: '%v%=%fqdn%' }, '@ 3600 TXT "value=example.com"'],
  [{ ...TXT, data: '"one" "two"' }, '@ 3600 TXT "one" "two"'],
  [{ ...CAA, data: '0 issue "ca.example"' }, '@ 3600 CAA 0 issue "ca.example"'],
  [{ ...CAA, data: '0 issue "%v%.example"' }, '@ 3600 CAA 0 issue "value.example"'],
  [{ ...CAA, type: 'TYPE65534', data: '\\# 2 0aff' }, '@ 3600 TYPE65534 \\# 2 0aff'],
  [{ ...CAA, type: 'HTTPS', data: '1 provider.example alpn=h2' }, '@ 3600 HTTPS 1 provider.example. alpn="h2"'],
  [{ type: 'APEXCNAME', pointsTo: 'provider.example', ttl: 600 }, '@ 600 ALIAS provider.example.'],
])('makes a record of %j', (record, expected) => {
  const text = JSON.stringify(record);
  const used = Object.entries({ v: 'value', number: '7' }).filter(([name]) => text.includes(`%${name}%`));

  expect(linesOf(record, { variables: Object.fromEntries(used) })).toEqual([expected]);
});

it.each([
  [1, {}, 60],
  ['300', {}, 300],
  [9_999_999, {}, 604_800],
  ['%v%', { v: '900' }, 900],
  ['%v%', { v: 'soon' }, 3600],
  ['%v%', { v: '99999999999999999999' }, 604_800],
])('takes the nearest TTL for %j with %j, or the default: %i', (ttl, variables, expected) => {
  expect(linesOf({ ...A, ttl }, { variables })).toEqual([`@ ${expected} A 192.0.2.1`]);
});

it.each([
  ['a quote', 'a"b', '"a\\"b"'],
  ['quoted strings', '"a" "b"', '"\\"a\\" \\"b\\""'],
  ['a backslash', 'a\\065', '"a\\\\065"'],
  ['a line of a zone file', '@ 300 IN TXT "other"', '"@ 300 IN TXT \\"other\\""'],
  ['another variable', '%fqdn%', '"%fqdn%"'],
  ['letters of other scripts', 'ü', '"\\195\\188"'],
])('writes %s in a value for TXT as it is', (_what, value, expected) => {
  expect(linesOf({ ...TXT, data: '%v%' }, { variables: { v: value } })).toEqual([`@ 3600 TXT ${expected}`]);
});

it('does not let a value end the quotes of a TXT record or add a property to a CAA record', () => {
  expect(linesOf({ ...TXT, data: '"a=%v%"' }, { variables: { v: 'b" "c' } })).toEqual(['@ 3600 TXT "a=b\\" \\"c"']);
  expect(problemOf(CAA, { variables: { ca: 'ca.example" "x' } })).toMatch(/^INVALID_RECORD: records\[0\]\.data /);
  expect(problemOf({ ...CAA, data: '0 %ca% "x"' }, { variables: { ca: 'issue "evil.example" ;' } })).toMatch(
    /^INVALID_VALUE: records\[0\]\.data gets a value/,
  );
});

it.each(['a\nb', 'a\rb', 'a\u0000b', 'a\tb', 'a\u2028b', '\ud800', 'x'.repeat(100_000)])(
  'refuses a value that no record can have: case %#',
  (v) => {
    expect(problemOf({ ...TXT, data: '%v%' }, { variables: { v } })).toMatch(/^INVALID_VALUE: variables\.v must have/);
  },
);

it('names all variables that are missing, and those that the template does not use', () => {
  const record = { ...A, host: '%a%', pointsTo: '%b%' };

  expect(problemOf(record)).toBe('MISSING_VARIABLE: variables.a is required: variables.b is required');
  expect(problemOf(record, { variables: { a: 'x', b: '192.0.2.1', c: '' } })).toBe(
    'UNKNOWN_VARIABLE: variables.c is not a variable of the template',
  );
});

it.each(['__proto__', 'constructor', 'toString'])('does not take %s of all objects for a value', (name) => {
  expect(problemOf({ ...A, host: `%${name}%` })).toBe(`MISSING_VARIABLE: variables.${name} is required`);
});

it('needs the variables of the chosen groups only, and knows those of all', () => {
  const records = [
    { ...A, groupId: 'web', pointsTo: '%ip%' },
    { ...MX, groupId: 'mail', pointsTo: '%mx%' },
    { ...TXT, data: 'always' },
  ];
  const template = readTemplate(templateJson(records));
  const request = { zoneName: 'example.com', variables: { ip: '192.0.2.9', mx: 'mx.example.net' }, groups: ['web'] };
  const places = (groups: readonly string[]) =>
    resolveTemplate(template, { ...request, groups }, recordMaking()).records.map(({ place }) => place);

  expect(places(['web'])).toEqual(['records[0]', 'records[2]']);
  expect(places(['mail', 'web'])).toEqual(['records[0]', 'records[1]', 'records[2]']);
  expect(places([])).toEqual(['records[0]', 'records[1]', 'records[2]']);
  expect(places(['other'])).toEqual(['records[2]']);
});

it.each([
  [
    { type: 'REDIR301', host: '@', target: 'https://provider.example' },
    'type is REDIR301: this service has no redirects',
  ],
  [{ type: 'REDIR302', target: 'https://provider.example' }, 'type is REDIR302: this service has no redirects'],
  [{ ...CAA, type: 'DS', data: '1 13 2 00' }, 'type is DS, which a template cannot add here'],
  [{ ...CAA, type: 'DNSKEY', data: '257 3 13 AAAA' }, 'type is DNSKEY, which a template cannot add here'],
  [{ ...CAA, type: 'CDS', data: '0 0 0 00' }, 'type is CDS, which a template cannot add here'],
  [{ ...CAA, type: 'SOA', data: 'x' }, 'type is SOA, which a template cannot add here'],
  [{ ...CAA, type: 'RRSIG', data: 'x' }, 'type is RRSIG, which a template cannot add here'],
  [{ ...CAA, type: 'TYPE43', data: '\\# 1 00' }, 'type is TYPE43, which a template cannot add here'],
  [{ ...NS, host: '%domain%.' }, 'host is the domain itself, whose nameservers a template cannot change'],
])('does not support %j', (record, expected) => {
  expect(problemOf(record)).toBe(`NOT_SUPPORTED: records[0].${expected}`);
});

it('does not support types that the installation has switched off', () => {
  const making = { ...recordMaking(), types: INTERFACE_TYPES };

  expect(problemOf({ ...CAA, type: 'HTTPS', data: '0 a.example' }, { making })).toBe(
    'NOT_SUPPORTED: records[0].type is HTTPS, which a template cannot add here',
  );
  expect(problemOf({ type: 'APEXCNAME', pointsTo: 'a.example', ttl: 60 }, { making })).toBe(
    'NOT_SUPPORTED: records[0].type is APEXCNAME, which needs ALIAS records; they are switched off here',
  );
  expect(ALL_TYPES).toContain('ALIAS');
});

it.each([
  [{ ...A, pointsTo: '@' }, 'INVALID_RECORD: records[0].pointsTo is invalid: A content must be an IPv4 address'],
  [{ ...A, pointsTo: '2001:db8::1' }, 'INVALID_RECORD: records[0].pointsTo is invalid: A content'],
  [{ ...A, type: 'AAAA' }, 'INVALID_RECORD: records[0].pointsTo is invalid: AAAA content'],
  [{ ...CNAME, host: '%domain%.' }, 'INVALID_RECORD: records[0].host is invalid: CNAME cannot be created at the root'],
  [{ ...CNAME, pointsTo: '' }, 'INVALID_VALUE: records[0].pointsTo must be a name'],
  [
    { ...CNAME, pointsTo: 'a b' },
    'INVALID_RECORD: records[0].pointsTo is invalid: CNAME content is invalid: "a b." has white space',
  ],
  [{ ...MX, pointsTo: '' }, 'INVALID_VALUE: records[0].pointsTo must be a name'],
  [{ ...MX, priority: '65536' }, 'INVALID_RECORD: records[0].priority must be an integer from 0 to 65535'],
  [{ ...NS, pointsTo: '@' }, 'INVALID_RECORD: records[0].pointsTo is @, but a name cannot be delegated to itself'],
  [{ ...SRV, service: 'a.b' }, 'INVALID_VALUE: records[0].service must be one label, such as _sip'],
  [{ ...SRV, service: 'a b' }, 'INVALID_RECORD: records[0].name is invalid: The label "_a b" is invalid'],
  [{ ...SRV, protocol: 'icmp' }, 'INVALID_VALUE: records[0].protocol must be one of _tcp'],
  [{ ...SRV, target: '192.0.2.1' }, 'INVALID_RECORD: records[0].target is invalid: SRV content'],
  [{ ...CAA, data: '@' }, 'INVALID_RECORD: records[0].data is @, which is no CAA data'],
  [{ ...CAA, data: '' }, 'INVALID_RECORD: records[0].data is invalid: the CAA record has no data'],
  [{ ...CAA, data: '(0 issue' }, 'INVALID_RECORD: records[0].data is not in the presentation format of its type'],
  [{ type: 'SPFM', host: '@', spfRules: '-all' }, 'INVALID_VALUE: records[0].spfRules must have a rule besides all'],
])('names the part of the record that is invalid: %j', (record, expected) => {
  expect(problemOf(record).startsWith(expected)).toBe(true);
});

it('limits the text of all records with their values', () => {
  const template = readTemplate(templateJson(Array.from({ length: 100 }, () => ({ ...TXT, data: '%v%' }))));
  const resolveWith = (v: string): unknown =>
    resolveTemplate(template, { zoneName: 'example.com', variables: { v } }, recordMaking());

  expect(resolveWith('x'.repeat(300))).toBeDefined();
  expect(() => resolveWith('x'.repeat(2000))).toThrow(
    expect.objectContaining({ details: 'records must have at most 32000 octets with the values' }),
  );
});
