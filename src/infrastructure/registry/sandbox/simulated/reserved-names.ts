/** Labels that somebody holds under every suffix. */
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

/** Labels that registries keep for themselves: RFC 2606, RFC 6761, and what their agreements reserve. */
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

/** Single names that somebody holds. */
const TAKEN_NAMES: ReadonlySet<string> = new Set([
  'bbc.co.uk',
  'bund.de',
  'europa.eu',
  'rust-lang.org',
  'web.dev',
  'x.com',
]);

const TAKEN_LABELS: ReadonlySet<string> = new Set([...WELL_KNOWN, ...RESERVED]);

/** Whether `name` was never for sale here: held before this registry opened, or kept back. */
export function isTakenForEver(name: string): boolean {
  return TAKEN_NAMES.has(name) || TAKEN_LABELS.has(name.slice(0, name.indexOf('.')));
}
