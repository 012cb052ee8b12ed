import * as fc from 'fast-check';
import { apexNsOf, isApexNs } from '../../../../src/domain/dns/delegation/apex-ns';
import { DnsRecord, type DnsRecordState } from '../../../../src/domain/dns/records/dns-record';
import { readZoneFile } from '../../../../src/application/dns/zones/zone-files/zone-file-records';
import { zoneFileLines } from '../../../../src/domain/dns/zone-file/write-zone-file';
import { CREATED, ZONE } from '../../../support/data/a-record';
import { runToCompletion } from '../../../support/run-to-completion';
import { likelyDraft } from '../../../support/data/likely-draft';
import { seeded, TIMES } from '../../../support/seeded';
import { thrownBy } from '../../../support/thrown-by';

function reading(text: string, maxRecords = 10_000) {
  return runToCompletion(readZoneFile(text, ZONE, maxRecords));
}

/** Every record as one line, judged; errors and notes with their lines. */
function read(text: string) {
  const { records, errors, notes, skippedTypes } = reading(text);
  return {
    records: records.map(({ draft }) => lineOf(DnsRecord.create(draft, ZONE, 'rec_1', CREATED))),
    errors: errors.map(({ line, message }) => `${line}: ${message}`),
    notes: notes.map(({ line, note }) => `${line}: ${note}`),
    skippedTypes,
  };
}

function lineOf(record: DnsRecord): string {
  return `${record.name} ${record.ttl} ${record.type} ${record.rdata()}`;
}

const CLEAN = { errors: [], notes: [], skippedTypes: {} };

describe('a zone file', () => {
  it.each([
    ['an absolute owner', 'www.example.com. 300 IN A 192.0.2.1', 'www 300 A 192.0.2.1'],
    ['a relative owner', 'www 300 IN A 192.0.2.1', 'www 300 A 192.0.2.1'],
    ['the root', '@ 300 IN A 192.0.2.1', '@ 300 A 192.0.2.1'],
    ['class before TTL', 'www IN 300 A 192.0.2.1', 'www 300 A 192.0.2.1'],
    ['the class by its number (RFC 3597)', 'www 300 CLASS1 A 192.0.2.1', 'www 300 A 192.0.2.1'],
    ['no class', 'www 300 A 192.0.2.1', 'www 300 A 192.0.2.1'],
    ['lower case', 'WWW 300 in a 192.0.2.1', 'www 300 A 192.0.2.1'],
    ['an owner that is called like a type', 'A 300 A 192.0.2.1', 'a 300 A 192.0.2.1'],
    ['units of time', 'www 1h30M A 192.0.2.1', 'www 5400 A 192.0.2.1'],
    ['a relative target', '@ 300 MX 10 mail', '@ 300 MX 10 mail.example.com.'],
    ['the root as target', '@ 300 MX 10 @', '@ 300 MX 10 example.com.'],
    ['parentheses across lines', '@ 300 MX ( 10 ; comment\n mail )', '@ 300 MX 10 mail.example.com.'],
    ['several strings', 't 300 TXT one "two; three" "\\"four\\""', 't 300 TXT "one" "two; three" "\\"four\\""'],
    ['octets in decimal', 't 300 TXT "\\195\\188"', 't 300 TXT "\\195\\188"'],
    ['a tab in a string', 't 300 TXT "a\tb"', 't 300 TXT "a\\009b"'],
    ['an escape that needs none', '\\119\\w-w 300 A 192.0.2.1', 'ww-w 300 A 192.0.2.1'],
    [
      'a service name with a plus',
      '_sip+d2t._tcp 300 SRV 1 2 5060 sip',
      '_sip+d2t._tcp 300 SRV 1 2 5060 sip.example.com.',
    ],
    [
      'a plus that is escaped',
      '_sip\\+d2t._tcp 300 SRV 1 2 5060 sip',
      '_sip+d2t._tcp 300 SRV 1 2 5060 sip.example.com.',
    ],
    ['an unquoted value', '@ 300 CAA 0 issue ca.example.net', '@ 300 CAA 0 issue "ca.example.net"'],
    ['four fields', '_sip._tcp 300 SRV 1 2 5060 sip', '_sip._tcp 300 SRV 1 2 5060 sip.example.com.'],
    ['line feeds of another system', 'www 300 A 192.0.2.1\r\n', 'www 300 A 192.0.2.1'],
  ])('may have %s', (_what, text, line) => {
    expect(read(text)).toEqual({ ...CLEAN, records: [line] });
  });

  it('carries owner, TTL and origin on', () => {
    const text = [
      '$TTL 1h',
      'a A 192.0.2.1',
      ' AAAA 2001:db8::1',
      '  600 TXT x',
      '$ORIGIN sub',
      'b A 192.0.2.2',
      '@ A 192.0.2.3',
      '$ORIGIN example.com.',
      '\tA 192.0.2.4',
      '$TTL 60',
      'c A 192.0.2.5',
    ];

    expect(read(text.join('\n'))).toEqual({
      ...CLEAN,
      records: [
        'a 3600 A 192.0.2.1',
        'a 3600 AAAA 2001:db8::1',
        'a 600 TXT "x"',
        'b.sub 3600 A 192.0.2.2',
        'sub 3600 A 192.0.2.3',
        'sub 3600 A 192.0.2.4',
        'c 60 A 192.0.2.5',
      ],
    });
  });

  it.each([
    ['the last one given', 'a 600 A 192.0.2.1\nb A 192.0.2.2', 'b 600 A 192.0.2.2'],
    ['the minimum of the SOA', '@ SOA ns hostmaster 1 2 3 4 1h\nb A 192.0.2.2', 'b 3600 A 192.0.2.2'],
  ])('takes, without $TTL, %s', (_what, text, line) => {
    expect(read(text).records.at(-1)).toBe(line);
  });

  it('reports skipped and adapted records', () => {
    const text = [
      '@ 300 IN SOA ns hostmaster (',
      ' 1 2 3 4 5 )',
      'a 5 A 192.0.2.1',
      'a.example.net. 300 A 192.0.2.2',
      'a 300 SSHFP 1 1 00',
      'b 30d TYPE65280 \\# 1 05',
      'a 300 SSHFP 2 1 00',
    ];

    expect(read(text.join('\n'))).toEqual({
      records: ['a 60 A 192.0.2.1'],
      errors: [],
      notes: [
        '3: TTL 5 was changed to 60: TTLs must be from 60 to 604800',
        '4: skipped: a.example.net. is not in the zone',
        '5: skipped: SSHFP records are switched off here',
        '6: skipped: TYPE65280 records are not supported',
        '7: skipped: SSHFP records are switched off here',
      ],
      skippedTypes: { SOA: 1, SSHFP: 2, TYPE65280: 1 },
    });
  });

  it.each([
    ['$INCLUDE other.zone', '$INCLUDE is not supported'],
    ['$GENERATE 1-9 a$ A 192.0.2.$', '$GENERATE is not supported; list the records instead'],
    ['$FOO 1', '$FOO is not a known directive'],
    ['$TTL', '$TTL takes one value'],
    ['$TTL 1 2', '$TTL takes one value'],
    ['$TTL 2147483648', '2147483648 is not a TTL from 0 to 2147483647 seconds'],
    [`$TTL ${'1h'.repeat(21)}`, `${'1h'.repeat(21)} is not a TTL from 0 to 2147483647 seconds`],
    [`a 300 MX 1 ${'b.'.repeat(501)}`, 'a name must have at most 253 characters'],
    ['$TTL 1x', '1x is not a TTL from 0 to 2147483647 seconds'],
    [' 300 A 192.0.2.1', 'the first record has no owner name'],
    ['a A 192.0.2.1', 'no TTL here or on an earlier line; start the file with $TTL'],
    ['a 300 CH A 192.0.2.1', 'class CH is not supported, only IN'],
    ['a 300 CLASS3 A 192.0.2.1', 'class CLASS3 is not supported, only IN'],
    ['a 300 IN', 'the record has no type'],
    ['a 300 FOO 1', 'FOO is not a record type, TTL or class'],
    ['a 300 A', 'the A record has no data'],
    ['a 300 A 192.0.2.1 192.0.2.2', 'the record data must be an address'],
    ['a 300 A \\# 4 C0000201', 'the generic RDATA format (RFC 3597) is not supported for A records'],
    ['a 300 TYPE1 \\# 4 C0000201', 'write A instead of TYPE1, with the data format of A'],
    ['a 300 type257 \\# 0', 'write CAA instead of TYPE257, with the data format of CAA'],
    ['a 300 MX mail', 'the record data must be a priority and a name'],
    ['a 300 MX ten mail', 'ten is not a number from 0 to 65535'],
    ['a 300 CNAME "b"', '"b" is quoted, but a name is expected'],
    ['a 300 A "192.0.2.1"', '"192.0.2.1" must not be quoted'],
    ['a 300 AAAA "::1"', '"::1" must not be quoted'],
    ['a 300 MX "10" mail', '"10" must not be quoted'],
    ['a 300 CAA "0" issue "ca.example.net"', '"0" must not be quoted'],
    ['a 300 CAA 0 "issue" "ca.example.net"', '"issue" must not be quoted'],
    ['a 300 "A" 192.0.2.1', '"A" is quoted, but a type is expected'],
    ['a\\.b 300 A 192.0.2.1', '\\. is not supported in a name'],
    ['a 300 TXT "open', 'a quote is not closed on its line'],
    ['a 300 TXT \\', 'a line ends with a backslash'],
    ['a 300 TXT \\300', 'a backslash with digits must be from \\000 to \\255'],
    ['a 300 TXT ( "x"', 'a parenthesis is not closed'],
    ['a 300 ) TXT "x"', 'a closing parenthesis has no opening one'],
    ['www 300 SOA ns hostmaster 1 2 3 4 5', 'the SOA record must be at example.com.'],
    ['@ 300 SOA ns hostmaster 1 2 3 4', 'a SOA record must have seven values'],
    [
      'a 300 DNAME b\na 300 CNAME c',
      'a CNAME must be the only record at its name, but line 1 has a DNAME record there',
    ],
    ['a 300 DNAME b\na 300 DNAME c', 'a name can have only one DNAME record, and line 1 has one'],
  ])('%j is refused', (text, problem) => {
    expect(read(text).errors).toEqual([`${text.split('\n').length}: ${problem}`]);
  });

  const FULL = '🦆'.repeat(500);
  it.each<[string, string, string | undefined, string | undefined]>([
    ['a comment', 'a 300 A 192.0.2.1 ; web server', 'web server', undefined],
    ['a comment without spaces', 'a 300 A 192.0.2.1;web "server;" \\', 'web "server;" \\', undefined],
    ['no comment', 'a 300 A 192.0.2.1 ;', undefined, undefined],
    ['what manages it', 'a 300 A 192.0.2.1 ; [managed_by=octodns] web', 'web', 'octodns'],
    ['only what manages it', 'a 300 A 192.0.2.1 ; [managed_by=a\\]b\\\\]', undefined, 'a]b\\'],
    ['a comment behind parentheses', 'a 300 MX ( 10 ; inside\n mail ; too\n ) ; behind', 'behind', undefined],
    ['comments inside parentheses alone', 'a 300 MX ( 10 ; inside\n mail )', undefined, undefined],
    ['the rest of a text without quotes', 'a 300 TXT v=DKIM1; p=MIGf', undefined, undefined],
    ['a comment of another line', '; header\na 300 A 192.0.2.1\n; footer', undefined, undefined],
    ['control characters', 'a 300 A 192.0.2.1 ; a\tb\u0007\u202Ec\r', 'a b  c', undefined],
    ['more than 500 characters', `a 300 A 192.0.2.1 ; ${FULL}x`, FULL, undefined],
  ])('with %s is read into the comment of the record', (_what, text, comment, managedBy) => {
    const { records, errors } = reading(text);

    expect(errors).toEqual([]);
    const state = DnsRecord.create(records[0]!.draft, ZONE, 'rec_1', CREATED).toState();
    expect([state.comment, state.managedBy]).toEqual([comment, managedBy]);
  });

  const SPACES = 'control characters of the comment were changed to spaces';
  it.each<[string, string, readonly string[]]>([
    ['has only white space among its characters', 'a\tb\r', []],
    ['is as long as comments may be', `[managed_by=${'x'.repeat(64)}] ${FULL}`, []],
    ['has a control character', 'a\u0007b', [SPACES]],
    ['has a direction override', 'a\u202Eb', [SPACES]],
    ['is too long', `${FULL}x`, ['the comment was cut to 500 characters']],
    ['is longer than a line that is kept', '🦆'.repeat(1_500), ['the comment was cut to 500 characters']],
    ['has too long a name', `[managed_by=${'x'.repeat(65)}]`, ['the name in managed_by was cut to 64 characters']],
    ['has both', `\u0007${FULL}`, [SPACES]],
  ])('has a note on a comment if it does not stay as it is: one that %s', (_what, comment, expected) => {
    const { notes } = reading(`b 300 A 192.0.2.1\na 300 A 192.0.2.1 ; ${comment}`);

    expect(notes).toEqual(expected.map((note) => ({ line: 2, note })));
  });

  it('has no note on comments of lines that are skipped, and of those that are on their own', () => {
    const { notes } = reading(`; a\u0007\na 300 RRSIG x ; b\u0007\na 300 A 192.0.2.1`);

    expect(notes.map(({ note }) => note)).toEqual(['skipped: RRSIG records are not supported']);
  });

  it.each<[string | null, string | null]>([
    ['web "server"; \\ ü 🦆', null],
    [';; two', 'external-dns'],
    [null, 'a]b\\[c'],
    ['[managed_by=x] looks like a mark', null],
    ['[managed_by=x] looks like a mark', 'ci'],
    [FULL, '🦆'.repeat(64)],
  ])('is written so that %j and %j are read again', (comment, managedBy) => {
    const draft = { type: 'TXT', name: 'a', content: 'x; y', comment, managedBy };
    const record = DnsRecord.create(draft, ZONE, 'rec_1', CREATED);
    const authority = { primaryName: 'ns', contact: 'c', serial: 1, refresh: 1, retry: 1, expire: 1, negative: 1 };

    const lines = [...zoneFileLines({ zoneName: ZONE, authority, nameservers: [], records: [record.toState()] })];

    const read = DnsRecord.create(reading(lines.at(-1)!).records[0]!.draft, ZONE, 'rec_1', CREATED);
    expect(read.hasSameValues(record)).toBe(true);
  });

  it('has all its errors reported, each with the line where its entry begins', () => {
    const text = ['a 300 FOO x', 'b 300 A ( "', 'c 300 BAR', 'd 300 A 192.0.2.1', '$INCLUDE x'];

    expect(read(text.join('\n')).errors.map((error) => error.split(':')[0])).toEqual(['1', '2', '3', '5']);
  });

  it('is read only up to a thousand invalid lines', () => {
    const { errors } = read(`${'a 300 FOO\n'.repeat(2_000)}b 300 BAR\n`);

    expect(errors).toHaveLength(1_001);
    expect(errors.at(-1)).toBe('1001: reading stopped here: 1000 lines before have errors');
  });

  it.each([
    ['a line without end', `a 300 TXT ${'x '.repeat(200_000)}`],
    ['a word without end', `a 300 TXT ${'x'.repeat(400_000)}`],
    ['parentheses without end', `a 300 TXT ${'()'.repeat(200_000)}`],
    ['an open parenthesis', `a 300 TXT (\n${'x '.repeat(200_000)}`],
  ])('takes no more of %s than a record can be, and reads on behind that line', (_what, text) => {
    const { errors, records } = reading(`${text}\nb 300 A 192.0.2.1`);

    expect(errors[0]).toEqual({ line: 1, message: 'the line is too long for a record' });
    expect(records.map(({ draft }) => draft.name)).toEqual(['b.example.com.']);
  });

  it.each([
    ['records', 'a 300 A 192.0.2.1\n'],
    ['comments', ';\n'],
    ['strings that are never closed', '"\n'],
    ['one record in parentheses', 'a 300 TXT (\n'],
  ])('yields after each line, so that the reader can pause: a file of %s', (_what, line) => {
    const steps = readZoneFile(line.repeat(900), ZONE, 10_000);

    let count = 0;
    while (!steps.next().done) count += 1;

    expect(count).toBeGreaterThanOrEqual(900);
  });

  it('takes one step for a run of blank lines, which counts as many lines', () => {
    const text = `${'\n'.repeat(900)}a 300 A nothing\n`;

    expect([...readZoneFile(text, ZONE, 10_000)].length).toBeLessThan(10);
    expect(reading(text).records[0]?.line).toBe(901);
  });

  it('is the same in pieces of any length', () => {
    const piece = fc.oneof(
      fc.constantFrom(
        '\n',
        '\r\n',
        ' ',
        '"',
        '\\',
        '(',
        ')',
        '; note',
        '@',
        '$TTL 300\n',
        'IN',
        'A',
        'TXT',
        '192.0.2.1',
        'a 300 A 192.0.2.1\n',
        'b 300 TXT ( "x"\n "y" )\n',
        '\u{1f600}',
      ),
    );
    fc.assert(
      fc.property(
        fc.array(piece, { maxLength: 60 }),
        fc.array(fc.integer({ min: 0, max: 12 }), { maxLength: 100 }),
        (parts, lengths) => {
          const text = parts.join('');
          const cut: string[] = [];
          let at = 0;
          for (const length of lengths) cut.push(text.slice(at, (at += length)));

          expect(runToCompletion(readZoneFile([...cut, text.slice(at)], ZONE, 10_000))).toEqual(reading(text));
        },
      ),
      seeded(1_000),
    );
  });

  it('is read line by line, and only the beginning of a line that is too long for any record', () => {
    let pulled = 0;
    const pieces = function* () {
      yield 'a 300 A 192.0.2.1\n';
      for (; pulled < 200; pulled += 1) yield 'x'.repeat(65_536);
      yield '\n; ';
      for (; pulled < 400; pulled += 1) yield 'c'.repeat(65_536);
      yield '\n"';
      for (; pulled < 600; pulled += 1) yield ' '.repeat(65_536);
      yield '"\nb 300 A 192.0.2.2';
    };

    const { records, errors } = runToCompletion(readZoneFile(pieces(), ZONE, 10_000));

    expect(records.map(({ line }) => line)).toEqual([1, 5]);
    expect(errors.map(({ line }) => line)).toEqual([2, 4]);
    expect(errors[0]?.message).toBe('the line is too long for a record');
  });

  it('takes no line that has more words than a record can have', () => {
    const [possible, impossible] = [9_000, 10_000].map((count) => `a 300 TXT ${'"" '.repeat(count)}`);

    const { records, errors } = runToCompletion(readZoneFile(`${possible}\n${impossible}\n`, ZONE, 10));

    expect(records.map(({ line: at }) => at)).toEqual([1]);
    expect(errors).toEqual([{ line: 2, message: 'the line is too long for a record' }]);
  });

  it('does not remember more than 20,000 names of records that are not served', () => {
    const lines = Array.from({ length: 21_500 }, (_, index) => `a${index} 300 HINFO a b`);

    const { errors, skippedTypes } = reading(lines.join('\n'));

    expect(skippedTypes['HINFO']).toBe(20_000);
    expect(errors[0]?.message).toBe('more than 20000 names have records of unsupported types');
    expect(errors).toHaveLength(1_001);
  });

  it('is read only up to the limit of records', () => {
    expect(reading('a 300 A 192.0.2.1\n'.repeat(20), 10).records).toHaveLength(11);
    expect(reading('a 300 A 192.0.2.1\n'.repeat(10), 10).records).toHaveLength(10);
  });

  it('finds conflicts of aliases without reading the whole zone for each', () => {
    const types = Array.from({ length: 20_000 }, (_, index) => `a 300 TYPE${1_000 + index} \\# 0`);

    const { errors } = reading([...types, ...types.map(() => 'a 300 CNAME b')].join('\n'), 20_000);

    expect(errors).toHaveLength(20_000);
    expect(errors[0]).toEqual({
      line: 20_001,
      message: 'a CNAME must be the only record at its name, but line 1 has a TYPE1000 record there',
    });
  });

  it('lets no name grow from one $ORIGIN to the next', () => {
    const { errors, records } = reading(`$TTL 300\n${'$ORIGIN a\nx A 192.0.2.1\n'.repeat(600)}`);

    expect(errors[0]?.message).toBe('a name must have at most 253 characters');
    expect(Math.max(...records.map(({ draft }) => draft.name.length))).toBeLessThanOrEqual(1_000);
  });

  it('throws no error for any input', () => {
    const piece = fc.oneof(
      fc.constantFrom(
        '\n',
        ' ',
        '\t',
        '"',
        '\\',
        '(',
        ')',
        ';',
        '@',
        '$TTL',
        '$ORIGIN',
        'IN',
        'A',
        'TXT',
        'MX',
        'SOA',
        'CNAME',
        '300',
        '1h',
        'www',
        '.',
        '\\1',
        '\0',
        '\ud800',
        'ü',
      ),
      fc.string({ unit: 'binary', maxLength: 4 }),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 60 }), (pieces) => {
        for (const { draft } of reading(pieces.join('')).records)
          thrownBy(() => DnsRecord.create(draft, ZONE, 'rec_1', CREATED));
      }),
      seeded(5_000),
    );
  });

  it('is read again as it was written', () => {
    const authority = {
      primaryName: 'ns1.example.net',
      contact: 'hostmaster.example.com',
      serial: 7,
      refresh: 1,
      retry: 2,
      expire: 3,
      negative: 4,
    };
    let written = 0;
    fc.assert(
      fc.property(fc.array(likelyDraft, { maxLength: 12 }), (drafts) => {
        const records = drafts.flatMap((draft): DnsRecordState[] => {
          const made: DnsRecord[] = [];
          thrownBy(() => made.push(DnsRecord.create(draft, ZONE, 'rec_1', CREATED)));
          return made.map((record) => record.toState());
        });
        written += records.length;

        const text = [...zoneFileLines({ zoneName: ZONE, authority, nameservers: [], records })].join('');

        const { ttl, hosts } = apexNsOf({ nameservers: [] }, records.filter(isApexNs));
        expect(read(text)).toEqual({
          ...CLEAN,
          records: [
            ...hosts.map((host) => `@ ${ttl} NS ${host}.`),
            ...records.filter((state) => !isApexNs(state)).map((state) => lineOf(DnsRecord.fromState(state))),
          ],
          skippedTypes: { SOA: 1 },
        });
      }),
      seeded(1_000),
    );
    expect(written).toBeGreaterThan(1_000 * TIMES); // so that the property is tested
  });
});
