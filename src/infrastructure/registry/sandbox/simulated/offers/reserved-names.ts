import { isValidAtGtld } from './gtld-labels';

/** Labels that are taken under every suffix. */
const WELL_KNOWN = [
  'adobe',
  'amazon',
  'apple',
  'bing',
  'cloudflare',
  'debian',
  'ebay',
  'facebook',
  'github',
  'gitlab',
  'google',
  'ibm',
  'instagram',
  'intel',
  'linkedin',
  'linux',
  'microsoft',
  'mozilla',
  'netflix',
  'nodejs',
  'npmjs',
  'openai',
  'oracle',
  'paypal',
  'pinterest',
  'python',
  'reddit',
  'samsung',
  'slack',
  'spotify',
  'stackoverflow',
  'stripe',
  'twitter',
  'typescriptlang',
  'ubuntu',
  'verisign',
  'whatsapp',
  'wikipedia',
  'wordpress',
  'yahoo',
  'youtube',
  'zoom',
];

/** Labels reserved by RFC 2606, RFC 6761 and registry agreements. */
const RESERVED = [
  'example',
  'iana',
  'icann',
  'invalid',
  'local',
  'localhost',
  'nic',
  'onion',
  'rdap',
  'test',
  'whois',
  'www',
];

/** Names that are taken. */
const TAKEN_NAMES: ReadonlySet<string> = new Set([
  'bbc.co.uk',
  'bund.de',
  'europa.eu',
  'rust-lang.org',
  'web.dev',
  'x.com',
]);

const TAKEN_LABELS: ReadonlySet<string> = new Set([...WELL_KNOWN, ...RESERVED]);

/** Whether `name` is permanently taken or reserved, or its TLD registers no such names. */
export function isNeverForSale(name: string): boolean {
  return TAKEN_NAMES.has(name) || TAKEN_LABELS.has(name.slice(0, name.indexOf('.'))) || !isValidAtGtld(name);
}
