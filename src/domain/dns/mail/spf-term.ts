import { isIPv4, isIPv6 } from 'node:net';

/** A mechanism or a modifier of an SPF record. */
export interface SpfTerm {
  readonly qualifier: string;
  readonly isModifier: boolean;
  readonly name: string;
  /** As written, in lower case; may be a macro. Empty if the term has none. */
  readonly domain: string;
}

interface MechanismRule {
  /** Of what follows the name of the mechanism. */
  readonly accepts: (rest: string) => boolean;
  readonly expectation: string;
}

/** RFC 7208, section 7.1. The letters c, r and t are for explanations only (section 7.2). */
const MACRO = '%(?:\\{[slodiphv](?:[1-9]\\d*)?r?[-.+,/_=]*\\}|[%_-])';
const MACRO_STRING = new RegExp(`^(?:${MACRO}|[\\x21-\\x24\\x26-\\x7e])*$`, 'i');
const ENDS_IN_MACRO = new RegExp(`${MACRO}$`, 'i');
/** Section 7.1: the top label is not of digits alone. */
const ENDS_IN_TOP_LABEL = /\.(?!\d+\.?$)[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.?$/i;
const MAX_NAME_LENGTH = 253;

const DOMAIN: MechanismRule['accepts'] = (rest) => rest.startsWith(':') && isDomainSpec(rest.slice(1));
const HOSTS: MechanismRule = {
  accepts: (rest) => {
    const [, domain = '', ipv4, ipv6] = /^(.*?)(?:\/([^/]*))?(?:\/\/([^/]*))?$/.exec(rest) ?? [];
    return (domain === '' || DOMAIN(domain)) && isPrefix(ipv4, 32) && isPrefix(ipv6, 128);
  },
  expectation: 'takes a domain name after ":" and the length of a prefix after "/", such as a:example.com/24',
};

/** RFC 7208, sections 5 and 12. */
const MECHANISMS: ReadonlyMap<string, MechanismRule> = new Map([
  ['all', { accepts: (rest) => rest === '', expectation: 'takes no value' }],
  ['include', { accepts: DOMAIN, expectation: 'needs a domain name, such as include:_spf.example.com' }],
  ['a', HOSTS],
  ['mx', HOSTS],
  [
    'ptr',
    { accepts: (rest) => rest === '' || DOMAIN(rest), expectation: 'takes a domain name, such as ptr:example.com' },
  ],
  [
    'ip4',
    {
      accepts: (rest) => isNetwork(rest, isIPv4, 32),
      expectation: 'needs an IPv4 address or network, such as ip4:192.0.2.0/24',
    },
  ],
  [
    'ip6',
    {
      accepts: (rest) => isNetwork(rest, (text) => isIPv6(text) && !text.includes('%'), 128),
      expectation: 'needs an IPv6 address or network, such as ip6:2001:db8::/32',
    },
  ],
  ['exists', { accepts: DOMAIN, expectation: 'needs a domain name, such as exists:%{i}.example.com' }],
]);

/** Sections 6.1 and 6.2: at most once each. */
export const SINGLE_MODIFIERS: readonly string[] = ['redirect', 'exp'];

export function isMechanism(name: string): boolean {
  return MECHANISMS.has(name);
}

/** Reads a term, or says in one sentence why it is none. */
export function readSpfTerm(word: string): SpfTerm | string {
  const [, modifier, value = ''] = /^([a-z][a-z0-9_.-]*)=(.*)$/i.exec(word) ?? [];
  if (modifier !== undefined) return readModifier(word, modifier.toLowerCase(), value);
  const [, qualifier = '', spelled = '', rest = ''] = /^([-+?~]?)([a-z0-9]+)(.*)$/i.exec(word) ?? [];
  const name = spelled.toLowerCase();
  const rule = MECHANISMS.get(name);
  if (!rule) return `"${word}" is not a term of SPF`;
  if (!rule.accepts(rest)) return `"${word}" is invalid: ${name} ${rule.expectation}`;
  const [, domain = ''] = /^:(.*?)(?:\/\d+)?(?:\/\/\d+)?$/.exec(rest) ?? [];
  return {
    qualifier: qualifier || '+',
    isModifier: false,
    name,
    domain: name.startsWith('ip') ? '' : normalize(domain),
  };
}

function readModifier(word: string, name: string, value: string): SpfTerm | string {
  const isValid = SINGLE_MODIFIERS.includes(name) ? isDomainSpec(value) : MACRO_STRING.test(value);
  if (!isValid)
    return SINGLE_MODIFIERS.includes(name)
      ? `"${word}" is invalid: ${name} needs a domain name, such as ${name}=_spf.example.com`
      : `"${word}" has an invalid macro`;
  return { qualifier: '+', isModifier: true, name, domain: normalize(value) };
}

/** A name may be made of macros; one without them must be a domain name with a dot (section 4.3). */
function isDomainSpec(text: string): boolean {
  if (!MACRO_STRING.test(text)) return false;
  if (text.includes('%')) return ENDS_IN_MACRO.test(text) || ENDS_IN_TOP_LABEL.test(text);
  const name = normalize(text);
  return (
    ENDS_IN_TOP_LABEL.test(text) &&
    name.length <= MAX_NAME_LENGTH &&
    name.split('.').every((label) => label.length > 0 && label.length <= 63)
  );
}

function isNetwork(rest: string, isAddress: (text: string) => boolean, bits: number): boolean {
  const [, address = '', prefix] = /^:([^/]+)(?:\/(.*))?$/.exec(rest) ?? [];
  return isAddress(address) && isPrefix(prefix, bits);
}

function isPrefix(text: string | undefined, bits: number): boolean {
  return text === undefined || (/^(?:0|[1-9]\d{0,2})$/.test(text) && Number(text) <= bits);
}

function normalize(domain: string): string {
  return domain.toLowerCase().replace(/\.$/, '');
}
