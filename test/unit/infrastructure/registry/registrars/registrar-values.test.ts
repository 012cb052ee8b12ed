import {
  addressIssues,
  amountOf,
  fromE164,
  majorUnits,
  RegistryUnavailable,
  responseReader,
  toE164,
} from '../../../../../src/adapter';

describe('values in registrar responses', () => {
  it.each([
    [10.99, 'USD', 1099],
    ['10.99', 'USD', 1099],
    [0.1 + 0.2, 'USD', 30],
    [17.98, 'EUR', 1798],
    [1500, 'JPY', 1500],
  ])('reads %s %s as %s minor units', (value, currency, minor) => {
    expect(amountOf(value, currency)).toEqual({ minor, currency });
  });

  it.each([[null], [undefined], [Number.NaN], [Infinity], ['free'], ['']])('reads %s as no amount', (value) => {
    expect(amountOf(value, 'USD')).toBeUndefined();
  });

  it('writes an amount in major units', () => {
    expect([majorUnits({ minor: 1099, currency: 'USD' }), majorUnits({ minor: 1500, currency: 'JPY' })]).toEqual([
      10.99, 1500,
    ]);
  });

  it.each([
    ['+44.2079460000', '+442079460000'],
    ['+1.5555551234', '+15555551234'],
    ['+358.91234567', '+35891234567'],
    ['+7.4951234567', '+74951234567'],
  ])('writes %s as E.164 and reads it back', (epp, e164) => {
    expect(toE164(epp)).toBe(e164);
    expect(fromE164(e164)).toBe(epp);
  });

  it('reads a telephone number with separators, and no other text', () => {
    expect(fromE164('+1 (555) 555-1234')).toBe('+1.5555551234');
    expect(fromE164('555 1234')).toBeUndefined();
  });

  it('accepts HTTPS addresses, and HTTP on this machine only', () => {
    const accepted = ['https://api.example.com', 'http://127.0.0.1:8080', 'http://localhost/'];
    const rejected = ['http://api.example.com', 'https://user:pw@api.example.com', 'ftp://example.com', 'example', ''];

    expect(accepted.filter((url) => addressIssues('url', url).length > 0)).toEqual([]);
    expect(rejected.filter((url) => addressIssues('url', url).length === 0)).toEqual([]);
  });

  it('reads responses leniently: integers as strings, and unknown properties', () => {
    const read = responseReader<{ id: number }>('Acme', {
      type: 'object',
      required: ['id'],
      properties: { id: { type: 'integer' } },
    });

    expect(read({ id: '7', other: true })).toEqual({ id: 7, other: true });
    expect(() => read({ other: true })).toThrow(RegistryUnavailable);
    expect(() => read(undefined)).toThrow(RegistryUnavailable);
  });
});
