/** Second-level labels that somebody holds under every TLD. */
const WELL_KNOWN = ['google', 'amazon', 'apple', 'microsoft', 'facebook', 'github', 'wikipedia', 'cloudflare', 'netflix', 'youtube', 'twitter', 'paypal'];
/** RFC 2606 and RFC 6761. */
const RESERVED = ['example', 'invalid', 'localhost', 'test', 'nic', 'whois', 'www'];

const TAKEN_LABELS: ReadonlySet<string> = new Set([...WELL_KNOWN, ...RESERVED]);

export function isReserved(name: string): boolean {
  return TAKEN_LABELS.has(name.slice(0, name.indexOf('.')));
}
