import type { Money } from '../../../../domain/shared/money';

const DECIMAL = /^([+-]?)(\d+)(?:\.(\d+))?$/;

const decimalsByCurrency = new Map<string, number>();

/** `10.44`, as `xs:decimal`. */
export function decimalOf({ minor, currency }: Money): string {
  const decimals = decimalsOf(currency);
  const digits = String(Math.abs(minor)).padStart(decimals + 1, '0');
  const whole = digits.slice(0, digits.length - decimals);
  return `${minor < 0 ? '-' : ''}${whole}${decimals > 0 ? `.${digits.slice(-decimals)}` : ''}`;
}

/** The exact amount; undefined where the text is none, or is finer than the currency. */
export function moneyOf(text: string, currency: string): Money | undefined {
  const [, sign, whole = '', fraction = ''] = DECIMAL.exec(text) ?? [];
  const decimals = decimalsOf(currency);
  if (sign === undefined || /[1-9]/.test(fraction.slice(decimals))) return undefined;
  const minor = Number(`${sign}${whole}${fraction.slice(0, decimals).padEnd(decimals, '0')}`);
  return Number.isSafeInteger(minor) ? { minor: minor === 0 ? 0 : minor, currency } : undefined;
}

/** ISO 4217: how many decimals the currency's amounts have. */
function decimalsOf(currency: string): number {
  const known = decimalsByCurrency.get(currency);
  if (known !== undefined) return known;
  const { maximumFractionDigits = 2 } = new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions();
  decimalsByCurrency.set(currency, maximumFractionDigits);
  return maximumFractionDigits;
}
