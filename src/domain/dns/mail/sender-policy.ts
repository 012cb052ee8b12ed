import { ValidationError } from '../../shared/validation-error';
import { parseNetwork } from '../../shared/network';
import { typedName } from '../records/record-name';
import { lookupTermsOf, MAX_SPF_LOOKUPS, parseSpf } from './spf';

export const SPF_ALL = ['-all', '~all', '?all'] as const;
type SpfAll = (typeof SPF_ALL)[number];

/** An SPF record (RFC 7208) by its parts. */
interface SenderPolicy {
  /** The domains whose senders may send: `include:`. */
  readonly includes: readonly string[];
  /** Networks in CIDR notation: `ip4:`, `ip6:`. */
  readonly networks: readonly string[];
  /** The mail servers of the domain: `mx`. */
  readonly allowsMx: boolean;
  /** The addresses of the domain: `a`. */
  readonly allowsAddresses: boolean;
  readonly all: SpfAll;
  /** Other terms, as they are. */
  readonly others: readonly string[];
}

const TERM = /^[\x21-\x7e]+$/;

/** Reads a record that starts with `v=spf1`. */
export function parseSenderPolicy(record: string): SenderPolicy {
  const terms = record.trim().split(/ +/).slice(1);
  const policy = { includes: [] as string[], networks: [] as string[], others: [] as string[] };
  let [allowsMx, allowsAddresses, all]: [boolean, boolean, SpfAll] = [false, false, '?all'];
  for (const term of terms) {
    const plain = term.replace(/^\+/, '').toLowerCase();
    const ending = SPF_ALL.find((each) => each === plain);
    if (ending) all = ending;
    else if (plain === 'mx') allowsMx = true;
    else if (plain === 'a') allowsAddresses = true;
    else if (plain.startsWith('include:')) policy.includes.push(plain.slice('include:'.length));
    else if (/^ip[46]:/.test(plain)) policy.networks.push(plain.slice('ip4:'.length));
    else policy.others.push(term);
  }
  return { ...policy, allowsMx, allowsAddresses, all };
}

/** @throws ValidationError */
export function writeSenderPolicy(policy: SenderPolicy): string {
  const terms = [
    ...(policy.allowsMx ? ['mx'] : []),
    ...(policy.allowsAddresses ? ['a'] : []),
    ...policy.networks.map(toNetworkTerm),
    ...policy.includes.map((name) => `include:${toInclude(name)}`),
    ...policy.others,
  ];
  if (policy.others.some((term) => !TERM.test(term)))
    throw ValidationError.of('others', 'must be terms of printable ASCII');
  const record = ['v=spf1', ...terms, policy.all].join(' ');
  const [error] = parseSpf(record).errors;
  if (error !== undefined) throw ValidationError.of('others', `are invalid: ${error}`);
  return record;
}

/** A warning if the policy needs too many DNS lookups, even without those of the included records. */
export function lookupWarning(policy: SenderPolicy): string | undefined {
  const lookups = lookupTermsOf(parseSpf(writeSenderPolicy(policy))).length;
  return lookups > MAX_SPF_LOOKUPS
    ? `The record needs ${lookups} DNS lookups and more for what it includes; mail servers stop at ${MAX_SPF_LOOKUPS} and treat it as an error`
    : undefined;
}

function toNetworkTerm(text: string): string {
  const network = networkOf(text);
  return network.includes(':') ? `ip6:${network.replace(/\/128$/, '')}` : `ip4:${network.replace(/\/32$/, '')}`;
}

function networkOf(text: string): string {
  try {
    return parseNetwork(text);
  } catch (cause) {
    throw new ValidationError(
      [{ path: 'networks', message: 'must be addresses or networks such as 192.0.2.0/24 or 2001:db8::/32' }],
      { cause },
    );
  }
}

function toInclude(text: string): string {
  const name = typedName(text)?.name;
  if (name === undefined || !/^(?=.{1,253}$)[a-z0-9_%{}-]+(?:\.[a-z0-9_%{}-]+)+$/.test(name))
    throw ValidationError.of('includes', `must be domain names, and “${text.slice(0, 60)}” is none`);
  return name;
}
