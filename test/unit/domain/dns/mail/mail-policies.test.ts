import { parseDmarcPolicy, writeDmarcPolicy } from '../../../../../src/domain/dns/mail/dmarc-policy';
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

  it('are refused if a report address is not an e-mail address', () => {
    expect(() => writeDmarcPolicy({ ...parseDmarcPolicy('v=DMARC1; p=none'), reports: ['example.com'] })).toThrow(
      expect.objectContaining({ issues: [expect.objectContaining({ path: 'reports' })] }),
    );
  });
});
