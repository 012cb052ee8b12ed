import type { Issue } from '../../../domain/shared/issue';
import { decimalsOf, type Money } from '../../../domain/shared/money';
import { moneyOf } from '../epp/mapping/amounts';

/** An amount in major units, from a JSON number or a decimal text; otherwise undefined. Rounds floats to the minor unit. */
export function amountOf(value: number | string | null | undefined, currency: string): Money | undefined {
  if (value === null || value === undefined) return undefined;
  const text = typeof value === 'number' ? value.toFixed(decimalsOf(currency)) : value.trim();
  return moneyOf(text, currency);
}

/** `+CC.NUMBER` as E.164: without the dot. */
export function toE164(phone: string): string {
  return phone.replace('.', '');
}

/** Country calling codes of one and two digits (ITU-T E.164). All others have three. */
const SHORT_CALLING_CODE = /^(1|7|2[07]|3[0-469]|4[013-9]|5[1-8]|6[0-6]|8[1246]|9[0-58])/;

/** E.164, with or without separators, as `+CC.NUMBER`; undefined for other text. */
export function fromE164(phone: string): string | undefined {
  const trimmed = phone.trim();
  if (/^\+\d{1,3}\.\d{1,14}$/.test(trimmed)) return trimmed;
  const digits = /^\+[\d\s().\-/]+$/.test(trimmed) ? trimmed.replace(/\D/g, '') : '';
  if (digits.length < 4 || digits.length > 15) return undefined;
  const code = SHORT_CALLING_CODE.exec(digits)?.[0] ?? digits.slice(0, 3);
  return `+${code}.${digits.slice(code.length)}`;
}

const LOOPBACK = /^(127\.\d+\.\d+\.\d+|localhost|\[::1\])$/;

/** Issues of a setting that is a vendor's address: HTTPS, or HTTP on this machine; without credentials, query and fragment. */
export function addressIssues(path: string, value: string): readonly Issue[] {
  const url = URL.canParse(value) ? new URL(value) : undefined;
  const isSafe = url?.protocol === 'https:' || (url?.protocol === 'http:' && LOOPBACK.test(url.hostname));
  if (url && isSafe && url.username === '' && url.password === '' && url.search === '' && url.hash === '') return [];
  return [{ path, message: 'must be an https:// URL without credentials, query and fragment' }];
}
