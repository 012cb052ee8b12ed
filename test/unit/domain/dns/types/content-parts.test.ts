import { joinContent, splitContent } from '../../../../../src/domain/dns/records/types/content-parts';
import { NAMED_TYPES, typeDefinition } from '../../../../../src/domain/dns/records/types/record-types';
import { DnsRecord } from '../../../../../src/domain/dns/records/dns-record';
import { ALL_TYPES } from '../../../../../src/domain/dns/records/types/record-types';

const structured = NAMED_TYPES.filter((type) => typeDefinition(type).parts !== undefined);
const now = new Date('2026-11-22T00:00:00.000Z');
const contentOf = (type: string, content: string) =>
  DnsRecord.create(
    { type, name: type === 'DNSKEY' ? '@' : 'www', content },
    'example.com',
    'rec_1',
    now,
    ALL_TYPES,
  ).toState().content;
/** What a user types if every field has the value of its placeholder. */
const examplesOf = (type: (typeof structured)[number]) =>
  (typeDefinition(type).parts ?? []).map(({ example, label }) =>
    label.endsWith('base64') ? Buffer.from(example).toString('base64') : example,
  );

describe('parts of the content of a record', () => {
  it.each(structured)('%s has fields whose examples are valid content, and are shown again', (type) => {
    const { parts = [] } = typeDefinition(type);

    const content = contentOf(type, joinContent(parts, examplesOf(type)));
    const shown = splitContent(parts, content);

    expect(contentOf(type, joinContent(parts, shown))).toBe(content);
    expect(shown).toHaveLength(parts.length);
  });

  it('are complete for records without the optional ones', () => {
    expect(splitContent(typeDefinition('HTTPS').parts ?? [], '0 www.example.net.')).toEqual([
      '0',
      'www.example.net.',
      '',
    ]);
    expect(joinContent(typeDefinition('HTTPS').parts ?? [], ['0', 'www.example.net.', ''])).toBe('0 www.example.net.');
    expect(splitContent(typeDefinition('LOC').parts ?? [], '52 22 23.000 N 4 53 32.000 E -2.00m')).toEqual([
      '52 22 23.000 N',
      '4 53 32.000 E',
      '-2.00m',
      '',
    ]);
  });

  it('have no quotes and escapes in forms', () => {
    const { parts = [] } = typeDefinition('NAPTR');
    const content = contentOf('NAPTR', String.raw`100 10 "u" "E2U+sip" "!^(.*)$!sip:\\1@example.com!" .`);

    const shown = splitContent(parts, content);

    expect(shown).toEqual(['100', '10', 'u', 'E2U+sip', String.raw`!^(.*)$!sip:\1@example.com!`, '.']);
    expect(contentOf('NAPTR', joinContent(parts, shown))).toBe(content);
  });
});
