import { decimalsOf, type Money } from '../../../../domain/shared/money';

const DECIMAL = /^([+-]?)(\d+)(?:\.(\d+))?$/;

/** ISO 4217 alphabetic code, like `fee:currencyType` (RFC 8748). */
const CURRENCY = /^[A-Z]{3}$/;

/** As `xs:decimal`: `10.44`. */
export function decimalOf({ minor, currency }: Money): string {
  const decimals = decimalsOf(currency);
  const digits = String(Math.abs(minor)).padStart(decimals + 1, '0');
  const whole = digits.slice(0, digits.length - decimals);
  return `${minor < 0 ? '-' : ''}${whole}${decimals > 0 ? `.${digits.slice(-decimals)}` : ''}`;
}

/** The exact amount; undefined for invalid text, more decimals than the currency has, or an invalid currency code. */
export function moneyOf(text: string, currency: string): Money | undefined {
  if (!CURRENCY.test(currency)) return undefined;
  const [, sign, whole = '', fraction = ''] = DECIMAL.exec(text) ?? [];
  const decimals = decimalsOf(currency);
  if (sign === undefined || /[1-9]/.test(fraction.slice(decimals))) return undefined;
  const minor = Number(`${sign}${whole}${fraction.slice(0, decimals).padEnd(decimals, '0')}`);
  return Number.isSafeInteger(minor) ? { minor: minor === 0 ? 0 : minor, currency } : undefined;
}
