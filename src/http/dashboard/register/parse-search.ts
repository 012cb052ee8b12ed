import { DomainName, parseLabel } from '../../../domain/shared/domain-name';
import { parseSuffix } from '../../../domain/registration/names/suffix';
import { ValidationError } from '../../../domain/shared/validation-error';

/** What a search asks for: labels to search across TLDs, and the TLD that was typed, if any. */
interface ParsedSearch {
  readonly labels: readonly string[];
  readonly suffix: string | undefined;
}

const SCHEME = /^[a-z][a-z\d+.-]*:\/\//;
const QUOTES = /['"’“”]/g;
const SEPARATORS = /[\s&+]+/;
const SEVERAL = 'must be one name: search one at a time. Several results of a search can be registered together';

/**
 * Understands a label, a name, a URL, an e-mail address, a host such as `www.shop.example.co.uk`, and several words, of which names are
 * made with and without hyphens. @throws ValidationError about `q`
 * @param serves whether names are sold under a suffix
 */
export function parseSearch(text: string, serves: (suffix: string) => boolean): ParsedSearch {
  const words = readHost(text).replace(QUOTES, '').split(SEPARATORS).filter(Boolean);
  if (words.some((word) => /[,;]/.test(word)) || words.filter((word) => /.\../.test(word)).length > 1)
    throw ValidationError.of('q', SEVERAL);
  const hosts = [...new Set([words.join(''), words.join('-')])].map((host) => parseHost(host, serves));
  const [{ suffix }] = hosts as [ParsedHost];
  return { labels: [...new Set(hosts.map(({ label }) => label))], suffix };
}

/** The host of a URL or an e-mail address, without `www.`; other text as it is. */
function readHost(text: string): string {
  const url = text.trim().toLowerCase();
  const isUrl = SCHEME.test(url);
  const [authority = ''] = url.replace(SCHEME, '').split(/[/?#]/);
  const host = (isUrl || !/\s/.test(authority) ? authority.replace(/^.*@/, '') : authority)
    .replace(/:\d+$/, '')
    .replace(/\.$/, '');
  return /^www\..+\../.test(host) ? host.slice('www.'.length) : host;
}

interface ParsedHost {
  readonly label: string;
  readonly suffix: string | undefined;
}

/** The label below the longest suffix that is sold; otherwise the first label. */
function parseHost(host: string, serves: (suffix: string) => boolean): ParsedHost {
  const labels = host.split('.');
  const served = labels.findIndex((_label, index) => index > 0 && serves(labels.slice(index).join('.')));
  const at = served > 0 ? served : 1;
  const label = parseLabel(labels[at - 1] ?? '', 'q');
  const rest = labels.slice(at).join('.');
  return { label, suffix: rest === '' ? undefined : parseQuerySuffix(label, rest) };
}

/** @throws ValidationError */
function parseQuerySuffix(label: string, text: string): string {
  const suffix = parseSuffix(text);
  if (suffix === undefined) throw ValidationError.of('q', 'must be a name, with or without a TLD, such as shop.co.uk');
  DomainName.parse(`${label}.${suffix}`, 'q');
  return suffix;
}
