import {
  type RecordDraft,
  DnsRecord,
  type RecordPatch,
  validateRecord,
} from '../../../../src/domain/dns/records/dns-record';
import { aRecord, CREATED, ZONE } from '../../../support/data/a-record';
import { thrownBy } from '../../../support/thrown-by';

const LATER = new Date('2026-02-01T00:00:00.000Z');
const MX = { type: 'MX', name: '@', content: 'mail.example.com', priority: 10 };
const SRV = { type: 'SRV', name: '_sip._tcp', content: 'sip.example.com', priority: 1, weight: 2, port: 5060 };

function changed(record: DnsRecord, patch: RecordPatch): DnsRecord {
  record.change(patch, ZONE, LATER);
  return record;
}

describe('a new record', () => {
  it('is stored in canonical form, with null for numbers that its type does not have', () => {
    const record = aRecord({ type: 'AAAA', name: 'WWW.example.com.', content: '2001:DB8::0:1', ttl: 300 }, 'rec_7');

    expect(record.toState()).toEqual({
      id: 'rec_7',
      type: 'AAAA',
      name: 'www',
      content: '2001:db8::1',
      ttl: 300,
      priority: null,
      weight: null,
      port: null,
      createdAt: CREATED,
      updatedAt: CREATED,
    });
  });

  it('lives for 3600 seconds and weighs 0 by default', () => {
    const { ttl, weight } = aRecord({ ...SRV, weight: null }).toState();

    expect({ ttl, weight }).toEqual({ ttl: 3600, weight: 0 });
  });

  it.each([60, 604_800])('may live for %d seconds', (ttl) => {
    expect(aRecord({ ttl }).ttl).toBe(ttl);
  });

  it.each([59, 604_801, 0, -1, 60.5, Number.NaN, Infinity, 2 ** 53])('does not live for %d seconds', (ttl) => {
    expect(thrownBy(() => aRecord({ ttl }))).toMatchObject({
      code: 'VALIDATION_ERROR',
      details: 'ttl must be an integer from 60 to 604800',
    });
  });

  it.each(['a', 'PTR', 'DNAME', 'HTTPS', '', ' A', 'constructor', '__proto__'])('is not of type %j', (type) => {
    expect(thrownBy(() => validateRecord({ type, name: 'www', content: '192.0.2.1' }, ZONE))).toMatchObject({
      code: 'INVALID_RECORD_TYPE',
      message: 'Invalid DNS record type',
      details: 'Supported types: A, AAAA, CNAME, MX, TXT, NS, SRV, CAA',
    });
  });

  it('names the type whose content is invalid, and the expected form', () => {
    expect(thrownBy(() => aRecord({ content: 'localhost' }))).toMatchObject({
      code: 'INVALID_RECORD_CONTENT',
      message: 'Invalid content for A record',
      details: 'A content must be an IPv4 address such as 192.0.2.1, without leading zeros',
    });
  });

  it.each(['@', 'example.com', 'EXAMPLE.com.'])('is no CNAME at the root, written %s', (name) => {
    expect(thrownBy(() => aRecord({ type: 'CNAME', name, content: 'example.org' }))).toMatchObject({
      code: 'CNAME_AT_ROOT',
      message: 'CNAME cannot be created at the root',
      details: undefined,
    });
  });

  it.each(['MX', 'SRV'])('has a priority if its type is %s', (type) => {
    expect(thrownBy(() => aRecord({ ...SRV, type, priority: null }))).toMatchObject({
      code: 'MISSING_PRIORITY',
      message: `${type} records require priority`,
      details: undefined,
    });
  });

  it('has a port if its type is SRV', () => {
    expect(thrownBy(() => aRecord({ ...SRV, port: null }))?.details).toBe('port is required for SRV records');
  });

  it('names every number that is out of range or not used', () => {
    const service = { ...SRV, priority: -1, weight: 1.5, port: 65_536 };
    const exchanger = { ...MX, weight: 0, port: 25 };

    expect(thrownBy(() => aRecord(service))?.details).toBe(
      ['priority', 'weight', 'port'].map((field) => `${field} must be an integer from 0 to 65535`).join('; '),
    );
    expect(thrownBy(() => aRecord(exchanger))?.details).toBe(
      'weight is not used by MX records; port is not used by MX records',
    );
  });

  it.each(['A', 'AAAA', 'CNAME', 'TXT', 'NS', 'CAA'])('has no priority if its type is %s', (type) => {
    expect(thrownBy(() => aRecord({ type, priority: 0 }))?.details).toBe(`priority is not used by ${type} records`);
  });

  it.each(['*', '*.dev'])('does not have the wildcard name %s if its type is NS', (name) => {
    expect(thrownBy(() => aRecord({ type: 'NS', name, content: 'ns.example.org' }))?.code).toBe('INVALID_RECORD_NAME');
  });

  it.each(['_sip._tcp', '*._tcp', '_sipfederationtls._tcp.eu'])('may be named %s if its type is SRV', (name) => {
    expect(aRecord({ ...SRV, name }).name).toBe(name);
  });

  it.each(['@', '_sip', 'sip._tcp', '_sip.tcp', '_._tcp', '*'])('is not named %s if its type is SRV', (name) => {
    expect(thrownBy(() => aRecord({ ...SRV, name }))?.code).toBe('INVALID_RECORD_NAME');
  });
});

describe('the issues of a record', () => {
  const repairs: readonly (readonly [code: string, repair: Partial<RecordDraft>])[] = [
    ['INVALID_RECORD_TYPE', { type: 'CNAME' }],
    ['INVALID_RECORD_NAME', { name: '@' }],
    ['VALIDATION_ERROR', { ttl: 60 }],
    ['CNAME_AT_ROOT', { type: 'SRV', name: '_sip._tcp', priority: null }],
    ['MISSING_PRIORITY', { priority: 1 }],
    ['VALIDATION_ERROR', { port: 1 }],
    ['INVALID_RECORD_CONTENT', { content: 'sip.example.com' }],
  ];

  it('are found in the documented order', () => {
    let draft: RecordDraft = { type: 'cname', name: '!', content: '!', ttl: 1, priority: 1, port: -1 };

    for (const [code, repair] of repairs) {
      const faulty = draft;
      expect(thrownBy(() => aRecord(faulty))?.code).toBe(code);
      draft = { ...draft, ...repair };
    }

    expect(aRecord(draft).rdata()).toBe('1 0 1 sip.example.com.');
  });
});

describe('a changed record', () => {
  it('keeps what the patch does not name', () => {
    const record = changed(aRecord(SRV), { content: 'SIP2.example.com.', ttl: 60 });

    expect(record.toState()).toEqual({
      ...aRecord(SRV).toState(),
      content: 'sip2.example.com',
      ttl: 60,
      updatedAt: LATER,
    });
  });

  it('keeps its numbers if the patch has null', () => {
    const { priority, weight, port } = changed(aRecord(SRV), { priority: null, weight: null, port: null }).toState();

    expect({ priority, weight, port }).toEqual({ priority: 1, weight: 2, port: 5060 });
  });

  it('drops the numbers that a new type has no use for', () => {
    const { priority, weight, port } = changed(aRecord(SRV), { type: 'CNAME' }).toState();

    expect({ priority, weight, port }).toEqual({ priority: null, weight: null, port: null });
  });

  it('keeps its priority from SRV to MX', () => {
    expect(changed(aRecord(SRV), { type: 'MX' }).rdata()).toBe('1 sip.example.com.');
  });

  it.each([
    ['a priority that the new type has not', SRV, { type: 'CNAME', priority: 1 }, 'VALIDATION_ERROR'],
    ['a priority that the type has not', {}, { priority: 1 }, 'VALIDATION_ERROR'],
    ['a type that needs a priority', { content: '192.0.2.1' }, { type: 'MX', content: '@' }, 'MISSING_PRIORITY'],
    ['a type that needs a port', { ...MX, name: '_sip._tcp' }, { type: 'SRV' }, 'VALIDATION_ERROR'],
    ['a type that the content does not suit', {}, { type: 'AAAA' }, 'INVALID_RECORD_CONTENT'],
    ['a type that the name does not suit', MX, { type: 'SRV' }, 'INVALID_RECORD_NAME'],
    ['the root for a CNAME', { type: 'CNAME', content: 'example.org' }, { name: '@' }, 'CNAME_AT_ROOT'],
    [
      'the target of a CNAME for its name',
      { type: 'CNAME', content: 'a.example.com' },
      { name: 'a' },
      'INVALID_RECORD_CONTENT',
    ],
    ['a priority for a null MX', { ...MX, content: '.', priority: 0 }, { priority: 5 }, 'INVALID_RECORD_CONTENT'],
    ['an unknown type', {}, { type: 'PTR', name: '!' }, 'INVALID_RECORD_TYPE'],
  ])('does not take %s, and stays as it was', (_what, draft, patch, code) => {
    const record = aRecord(draft);
    const before = record.toState();

    expect(thrownBy(() => record.change(patch, ZONE, LATER))?.code).toBe(code);
    expect(record.toState()).toEqual(before);
  });
});

describe('a restored record', () => {
  it('equals the stored result', () => {
    const state = aRecord(SRV).toState();

    expect(DnsRecord.fromState(state).toState()).toEqual(state);
  });
});

describe('the data of a record', () => {
  it.each([
    [{}, '192.0.2.1', 4],
    [{ type: 'AAAA', content: '::1' }, '::1', 16],
    [{ type: 'CNAME', content: 'a.example.org' }, 'a.example.org.', 15],
    [MX, '10 mail.example.com.', 2 + 18],
    [{ ...MX, content: '.', priority: 0 }, '0 .', 2 + 1],
    [{ type: 'NS', content: 'ns.' }, 'ns.', 4],
    [SRV, '1 2 5060 sip.example.com.', 6 + 17],
    [{ type: 'TXT', content: 'ü' }, String.raw`"\195\188"`, 3],
    [{ type: 'TXT', content: '"" "ab"' }, '"" "ab"', 4],
    [{ type: 'CAA', content: '0 issue ca.example' }, '0 issue "ca.example"', 2 + 5 + 10],
  ])('is read from %j as %s and takes %d octets', (draft, rdata, octets) => {
    const record = aRecord(draft);

    expect(record.rdata()).toBe(rdata);
    expect(record.wireRdata().length).toBe(octets);
  });
});

describe('the identity of records', () => {
  it.each<[string, Partial<RecordDraft>, Partial<RecordDraft>]>([
    ['the TTL', {}, { ttl: 60 }],
    ['the case of names', MX, { ...MX, name: 'EXAMPLE.com', content: 'MAIL.example.com.' }],
    ['the form of an address', { type: 'AAAA', content: '::1' }, { type: 'AAAA', content: '0:0::0001' }],
    ['the escapes of a text', { type: 'TXT', content: 'a' }, { type: 'TXT', content: String.raw`"\097"` }],
  ])('does not depend on %s', (_what, one, other) => {
    expect(aRecord(one).identity()).toBe(aRecord(other).identity());
  });

  it.each<[string, Partial<RecordDraft>, Partial<RecordDraft>]>([
    ['the name', {}, { name: 'www2' }],
    ['the type', { type: 'NS', content: 'a.example.org' }, { type: 'CNAME', content: 'a.example.org' }],
    ['the priority', MX, { ...MX, priority: 20 }],
    ['the weight', SRV, { ...SRV, weight: 3 }],
    ['the case of a text', { type: 'TXT', content: 'a' }, { type: 'TXT', content: 'A' }],
    ['the boundaries of strings', { type: 'TXT', content: 'ab' }, { type: 'TXT', content: '"a" "b"' }],
  ])('depends on %s', (_what, one, other) => {
    expect(aRecord(one).identity()).not.toBe(aRecord(other).identity());
  });
});

describe('the form in which a program wrote a record', () => {
  const FORM = String.raw`"\097"`;
  const written = aRecord({ type: 'TXT', content: 'a' }).writtenAs(FORM);

  it('is read back, and does not change the data', () => {
    const canonical = aRecord({ type: 'TXT', content: 'a' });

    expect(written.writtenRdata()).toBe(FORM);
    expect(canonical.writtenRdata()).toBe('"a"');
    expect(canonical.writtenAs('"a"').toState().written).toBeNull();
    for (const data of ['rdata', 'portableRdata', 'wireRdata', 'identity', 'digest'] as const)
      expect(written[data]()).toEqual(canonical[data]());
    expect(written.hasSameValues(canonical)).toBe(false);
    expect(canonical.writtenAs('"a"').hasSameValues(canonical)).toBe(true);
  });

  it.each<[string, RecordPatch, string]>([
    ['stays if the TTL changes', { ttl: 60 }, FORM],
    ['stays if the name changes', { name: 'web' }, FORM],
    ['stays if the same content is written', { content: '"a"' }, FORM],
    ['is dropped with the content', { content: 'b' }, '"b"'],
    ['is dropped with the type', { type: 'CNAME', content: 'a.example.net' }, 'a.example.net.'],
  ])('%s', (_rule, patch, form) => {
    const record = written.copy();

    record.change(patch, ZONE, LATER);

    expect(record.writtenRdata()).toBe(form);
  });

  it('is dropped with the priority, which is part of the data', () => {
    const record = aRecord(MX).writtenAs('10 MAIL.example.com.');

    record.change({ priority: 20 }, ZONE, LATER);

    expect(record.writtenRdata()).toBe('20 mail.example.com.');
  });
});
