import { toEppPhone } from '../../../../src/http/dashboard/registrant/phone-number';

describe('a phone number as people write it', () => {
  it.each([
    ['020 7946 0000', 'GB', '+44.2079460000'],
    ['+44 (0)20 7946 0000', '', '+44.2079460000'],
    ['(202) 555-0123', 'US', '+1.2025550123'],
    ['0033 1 42 68 53 00', 'FR', '+33.142685300'],
    ['+49 30 123456', 'US', '+49.30123456'],
    [' +44.2079460000 ', '', '+44.2079460000'],
  ])('“%s” in “%s” becomes %s', (text, country, expected) => {
    expect(toEppPhone(text, country)).toBe(expected);
  });

  it.each([
    ['020 7946 0000', ''],
    ['12', 'GB'],
    ['030 123456', 'XX'],
    ['+1 202 555 0123 ext 5', 'US'],
    ['call me', 'GB'],
  ])('stays as it is if it is no complete number without an extension: “%s” in “%s”', (text, country) => {
    expect(toEppPhone(text, country)).toBe(text);
  });
});
