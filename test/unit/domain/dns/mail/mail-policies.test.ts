import {
  isDmarcText,
  parseDmarcPolicy,
  resemblesDmarc,
  writeDmarcPolicy,
} from '../../../../../src/domain/dns/mail/dmarc-policy';
import { lookupWarning, parseSenderPolicy, writeSenderPolicy } from '../../../../../src/domain/dns/mail/sender-policy';

describe('SPF records', () => {
  it.each([
    'v=spf1 mx a ip4:192.0.2.0/24 ip4:198.51.100.7 ip6:2001:db8::/32 include:_spf.google.com ~all',
    'v=spf1 -all',
    'v=spf1 include:%{d}.spf.example exists:%{i}.l.example -all',
  ])('are read and written unchanged: %s', (record) => {
    expect(writeSenderPolicy(parseSenderPolicy(record))).toBe(record);
  });

  it.each([
    ['networks', { networks: ['192.0.2.300'] }],
    ['includes', { includes: ['not a name'] }],
    ['others', { others: ['exists:ü.example'] }],
    ['others', { others: ['ip4:192.0.2.0/33'] }],
    ['others', { others: ['redirect=a.example', 'redirect=b.example'] }],
  ])('are refused with wrong %s', (field, wrong) => {
    expect(() => writeSenderPolicy({ ...parseSenderPolicy('v=spf1 -all'), ...wrong })).toThrow(
      expect.objectContaining({ issues: [expect.objectContaining({ path: field })] }),
    );
  });

  it('need at most ten DNS lookups', () => {
    const includes = Array.from({ length: 10 }, (_each, index) => `s${index}.example`);
    const policy = { ...parseSenderPolicy('v=spf1 ip4:192.0.2.1 -all'), includes };

    expect(lookupWarning(policy)).toBeUndefined();
    expect(lookupWarning({ ...policy, others: ['exists:a.example'] })).toMatch(/^The record needs 11 DNS lookups/);
  });
});

describe('DMARC records', () => {
  it.each([
    'v=DMARC1; p=none',
    'v=DMARC1; p=quarantine; sp=reject; rua=mailto:a@example.com,mailto:b@example.net!10m; adkim=s; aspf=s; fo=1',
  ])('are read and written unchanged: %s', (record) => {
    expect(writeDmarcPolicy(parseDmarcPolicy(record))).toBe(record);
  });

  it.each([
    ['v=DMARC1; p=none; sp=block', 'sp=block'],
    ['v=DMARC1; sp=none', 'no policy'],
    ['v=DMARC1; p=none; p=reject', 'p more than once'],
  ])('are of no use to receivers: %s', (record, words) => {
    expect(parseDmarcPolicy(record).errors).toEqual([expect.stringContaining(words)]);
  });

  it.each(['adkim=x', 'aspf=strict', 'pct=101', 'ri=daily', 'fo=2', 'none', 'rua=a@example.com'])(
    'have a tag that receivers ignore: %s',
    (tag) => {
      expect(parseDmarcPolicy(`v=DMARC1; p=none; ${tag}`)).toMatchObject({ errors: [], warnings: [expect.anything()] });
    },
  );

  it.each([
    ['v=DMARC1', true],
    ['V \t= DMARC1 ; p=none', true],
    ['v=DMARC1; p=none', true],
    ['v=Dmarc1; p=none', false],
    ['v=DMARC10; p=none', false],
    [' v=DMARC1; p=none', false],
  ])('begin as RFC 7489 section 6.4 says: "%s" is one: %s', (text, isRecord) => {
    expect([isDmarcText(text), resemblesDmarc(text)]).toEqual([isRecord, !isRecord]);
  });

  it('are refused with a tag that is there twice', () => {
    expect(() => writeDmarcPolicy({ ...parseDmarcPolicy('v=DMARC1; p=none'), others: ['p=reject'] })).toThrow(
      expect.objectContaining({ issues: [expect.objectContaining({ path: 'tags' })] }),
    );
  });

  it('are refused if a report address is not an e-mail address', () => {
    expect(() => writeDmarcPolicy({ ...parseDmarcPolicy('v=DMARC1; p=none'), reports: ['example.com'] })).toThrow(
      expect.objectContaining({ issues: [expect.objectContaining({ path: 'reports' })] }),
    );
  });
});
