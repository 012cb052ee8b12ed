import { BUILT_IN_TEMPLATES } from '../../../../../src/domain/dns/templates/built-in-templates';
import {
  fillTemplate,
  parseTemplateText,
  toRecordTemplate,
} from '../../../../../src/domain/dns/templates/record-template';
import { ZoneFileReader } from '../../../../../src/domain/dns/zone-file/read-zone-file';
import { zoneFileEntries } from '../../../../../src/domain/dns/zone-file/zone-file-entries';
import { DnsRecord } from '../../../../../src/domain/dns/records/dns-record';

const VALUES: Readonly<Record<string, string>> = {
  verification: 'abc=123',
  mx_host: 'example-com.mail.protection.outlook.com',
  dkim_token: 'd3xample',
  owner: 'ada',
  site: 'ada-notes',
  address: '192.0.2.10',
  address6: '2001:db8::10',
};
const T0 = new Date('2026-01-01T00:00:00.000Z');

function recordsOf(text: string): readonly DnsRecord[] {
  const reader = new ZoneFileReader('example.com', 100, undefined, 3600);
  for (const entry of zoneFileEntries(text)) if (entry) reader.add(entry);
  const { records, errors } = reader.finish();
  expect(errors).toEqual([]);
  return records.map(({ draft }, index) => DnsRecord.create(draft, 'example.com', `rec_${index}`, T0));
}

const pick = (names: readonly { readonly name: string }[]) =>
  Object.fromEntries(names.map(({ name }) => [name, VALUES[name] ?? '']));

const own = (records: string) =>
  toRecordTemplate({
    id: 'tpl_1',
    accountId: 'acc_1',
    name: 'Ours',
    description: '',
    records,
    createdAt: T0,
    updatedAt: T0,
  });

describe('record templates', () => {
  it.each(BUILT_IN_TEMPLATES.map((template) => [template.id, template] as const))(
    'built-in template %s has valid records, with all values and with the required ones only, and names its source',
    (_id, template) => {
      const all = recordsOf(fillTemplate(template, pick(template.variables), 'example.com'));
      const few = recordsOf(
        fillTemplate(template, pick(template.variables.filter(({ isOptional }) => !isOptional)), 'example.com'),
      );

      expect(few.length).toBeGreaterThan(0);
      expect(all.length - few.length).toBe(
        template.records.split('\n').filter((line) => /\{(verification|dkim_token|address6)\}/.test(line)).length,
      );
      expect(template.source).toEqual({ url: expect.stringMatching(/^https:/) });
    },
  );

  it('ask for the variables that their records use, once each, and fill in the name of the domain', () => {
    const template = own('@ A {address}\nwww CNAME {domain}.\nv4 A {address}\n@ TXT "v=spf1 exists:%{i}.{zone} -all"');

    expect(template.variables.map(({ name, label }) => [name, label])).toEqual([
      ['address', 'Address'],
      ['zone', 'Zone'],
    ]);
    expect(fillTemplate(template, { address: ' 192.0.2.1 ', zone: 'l.example' }, 'example.com')).toBe(
      '@ A 192.0.2.1\nwww CNAME example.com.\nv4 A 192.0.2.1\n@ TXT "v=spf1 exists:%{i}.l.example -all"',
    );
  });

  it.each([
    ['a missing value', {}, 'values.address is required'],
    ['an unknown variable', { address: '192.0.2.1', port: '1' }, 'values.port is not a variable'],
    ['a second line', { address: '192.0.2.1\nwww A 192.0.2.2' }, 'values.address must have'],
    ['a comment', { address: '192.0.2.1;' }, 'values.address must have'],
    ['a quote', { address: '"' }, 'values.address must have'],
    ['parentheses', { address: '(' }, 'values.address must have'],
    ['the name of the domain', { address: '192.0.2.1', domain: 'example.net' }, 'values.domain is not a variable'],
  ])('refuse %s among the values', (_what, values: Record<string, string>, message) => {
    expect(() => fillTemplate(own('@ A {address}'), values, 'example.com')).toThrow(
      expect.objectContaining({ details: expect.stringContaining(message) }),
    );
  });

  it('need, if they are an account’s, a name and records of limited length', () => {
    expect(() => parseTemplateText({ name: ' ', description: 'x'.repeat(501), records: '' })).toThrow(
      expect.objectContaining({
        details: expect.stringMatching(/name must.*description must.*records must/),
      }),
    );
    expect(parseTemplateText({ name: ' Web ', description: '', records: '@ A 192.0.2.1\r\n' })).toEqual({
      name: 'Web',
      description: '',
      records: '@ A 192.0.2.1',
    });
  });
});
