import { RegistrationTerm } from '../../../../src/domain/registration/registration-term';

const NOW = new Date('2026-03-01T12:00:00.000Z');
const extend = (expiry: string, years: number) => RegistrationTerm.ofYears(years).extend(new Date(expiry), NOW);

describe('a term that extends an expiry', () => {
  it('may carry it exactly ten years ahead', () => {
    expect(extend('2027-03-01T12:00:00.000Z', 9)).toEqual(new Date('2036-03-01T12:00:00.000Z'));
  });

  it('may not carry it a millisecond further', () => {
    expect(() => extend('2027-03-01T12:00:00.001Z', 9)).toThrow('Request validation failed');
  });

  it('counts from the expiry, even if that has passed', () => {
    expect(extend('2026-02-01T00:00:00.000Z', 10)).toEqual(new Date('2036-02-01T00:00:00.000Z'));
  });
});
