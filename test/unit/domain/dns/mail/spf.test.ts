import { mergeSpf } from '../../../../../src/domain/dns/mail/spf';

describe('merged SPF records', () => {
  it.each([
    [
      'v=spf1 include:a.example ~all',
      'v=spf1 include:b.example -all',
      'v=spf1 include:a.example include:b.example -all',
    ],
    ['v=spf1 include:A.example ~all', 'v=spf1 include:a.example ~all', 'v=spf1 include:A.example ~all'],
    ['v=spf1 mx ip4:192.0.2.0/24', 'v=spf1 mx ?all', 'v=spf1 mx ip4:192.0.2.0/24 ?all'],
  ])('%s and %s become %s', (present, added, merged) => {
    expect(mergeSpf(present, added)).toBe(merged);
  });

  it.each([
    ['v=spf1 -all', 'v=spf1 include:b.example ~all'],
    ['v=spf1 include:a.example ~all', 'v=spf1 -all'],
    ['v=spf1 redirect=a.example', 'v=spf1 include:b.example ~all'],
  ])('%s makes way for %s', (present, added) => {
    expect(mergeSpf(present, added)).toBe(added);
  });
});
