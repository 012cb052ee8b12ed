import { InvalidNameservers } from '../domain/registration/registration-errors';
import { Nameservers } from '../domain/registration/nameservers';
import { parseSuffix } from '../domain/registration/names/suffix';
import { decimalsOf } from '../domain/shared/money';
import { listOf } from './plain-values';
import { InvalidValue } from './invalid-value';

export function parseNameservers(text: string): readonly string[] {
  try {
    return Object.freeze([...Nameservers.of(listOf(text)).hosts]);
  } catch (error) {
    if (error instanceof InvalidNameservers)
      throw new InvalidValue(`must be 2 to 13 different host names, separated by commas: ${error.details}`);
    throw error;
  }
}

export function parseTlds(text: string): readonly string[] {
  const tlds = new Set(listOf(text).map(parseTld));
  if (tlds.size > 50) throw new InvalidValue('must be 50 TLDs at most');
  return Object.freeze([...tlds]);
}

/** Empty: none. */
export function parsePublicSuffixes(text: string): readonly string[] {
  if (text.trim() === '') return Object.freeze([]);
  const suffixes = listOf(text).map(parseSuffix);
  if (suffixes.includes(undefined))
    throw new InvalidValue(
      'must be public suffixes or single labels, separated by commas, as in internal,example.co.uk',
    );
  return Object.freeze([...new Set(suffixes.filter((suffix) => suffix !== undefined))]);
}

function parseTld(text: string): string {
  const tld = parseSuffix(text);
  if (tld === undefined)
    throw new InvalidValue('must be TLDs without a leading dot, separated by commas, as in com,net,co.uk');
  return tld;
}

export function parseCurrency(text: string): string {
  if (!Intl.supportedValuesOf('currency').includes(text))
    throw new InvalidValue('must be an ISO 4217 code such as USD');
  if (decimalsOf(text) > 2) throw new InvalidValue('must be a currency with at most two decimals');
  return text;
}
