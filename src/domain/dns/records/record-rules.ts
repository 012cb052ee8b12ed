import { isIPv4, isIPv6 } from 'node:net';
import type { ContentForm } from './content-form';
import { CAA_TAGS, caaContent } from './caa-content';
import { dhcidContent } from './dhcid-content';
import { InvalidRecordType } from '../errors';
import { isWildcard } from './record-name';
import { canonicalName, mailExchanger, nameserverName, serviceTarget } from './target-name';
import { txtContent } from './txt-content';

/** Record types of the REST interface, in the order of error messages and forms. */
export const RECORD_TYPES = ['A', 'AAAA', 'CNAME', 'MX', 'TXT', 'NS', 'SRV', 'CAA'] as const;

/** Types that only dynamic updates and zone files write; the REST interface and the dashboard show them. */
const UPDATE_TYPES = ['DHCID'] as const;

export const SERVED_TYPES = [...RECORD_TYPES, ...UPDATE_TYPES] as const;

export type RecordType = (typeof SERVED_TYPES)[number];

export const RECORD_NUMBERS = ['priority', 'weight', 'port'] as const;

/** A number from 0 to 65535 that some types have in addition to the content. */
export type RecordNumber = (typeof RECORD_NUMBERS)[number];

export interface RecordRule {
  readonly content: ContentForm;
  /** Completes the message "… content must be". */
  readonly expectation: string;
  /** The numbers of this type and their defaults. Other numbers are rejected. */
  readonly numbers: Readonly<Partial<Record<RecordNumber, 'required' | { readonly default: number }>>>;
  readonly allowedAtRoot: boolean;
  /** Returns an error message if this type does not allow the owner name. */
  readonly checkName?: (relative: string) => string | undefined;
}

/** RFC 1035, section 3.4.1: four decimal octets without leading zeros. */
export const ipv4Address: ContentForm = {
  canonicalize: (content) => (isIPv4(content) ? content : undefined),
  presentation: (canonical) => canonical,
  wireLength: () => 4,
};

/** RFC 3596, section 2. Stored as in RFC 5952, but without dotted IPv4 suffixes, which PowerDNS rejects. */
export const ipv6Address: ContentForm = {
  canonicalize: (content) => (isIPv6(content) && !content.includes('%') ? compressIpv6(content) : undefined),
  presentation: (canonical) => canonical,
  wireLength: () => 16,
};

/** The URL standard serializes IPv6 hosts like this: lower case, longest run of zeros compressed, never dotted. */
function compressIpv6(address: string): string {
  return new URL(`http://[${address}]`).hostname.slice(1, -1);
}

/** RFC 2782. The limit of 15 characters (RFC 6335) is not enforced: `_sipfederationtls` is in use. */
const SRV_NAME = /^(?:\*|_[^.]+)\._[^.]+(?:\.|$)/;
const HOST =
  'a full host name such as mail.example.com (letters, digits and hyphens; no IP address), or @ for the zone apex';

/** RFC 1035 defines A, CNAME, MX, NS and TXT; other RFCs are cited on the line that implements them. */
export const RECORD_RULES: Readonly<Record<RecordType, RecordRule>> = {
  A: {
    content: ipv4Address,
    expectation: 'an IPv4 address such as 192.0.2.1, without leading zeros',
    numbers: {},
    allowedAtRoot: true,
  },
  AAAA: {
    content: ipv6Address, // RFC 3596, RFC 5952
    expectation: 'an IPv6 address such as 2001:db8::1, without zone index',
    numbers: {},
    allowedAtRoot: true,
  },
  CNAME: {
    content: canonicalName,
    expectation: 'a full domain name such as www.example.com, different from the record name, or @ for the zone apex',
    numbers: {},
    allowedAtRoot: false, // RFC 1912, section 2.4: the root always has NS and SOA
  },
  MX: {
    content: mailExchanger, // RFC 7505
    expectation: `${HOST}; or . with priority 0 for a domain that accepts no mail`,
    numbers: { priority: 'required' },
    allowedAtRoot: true,
  },
  TXT: {
    content: txtContent,
    expectation:
      'text of 1 to 4096 octets without control characters; or, if it starts with a double quote, strings in double quotes, in which \\", \\\\ and \\DDD are escapes',
    numbers: {},
    allowedAtRoot: true,
  },
  NS: {
    content: nameserverName,
    expectation: HOST,
    numbers: {},
    allowedAtRoot: true,
    checkName: (name) => (isWildcard(name) ? 'NS records cannot have a wildcard name' : undefined), // RFC 4592, section 4.2
  },
  SRV: {
    content: serviceTarget, // RFC 2782
    expectation: `${HOST}; or . for a service that is not available; priority, weight and port are separate fields`,
    numbers: { priority: 'required', weight: { default: 0 }, port: 'required' },
    allowedAtRoot: true,
    checkName: (name) =>
      SRV_NAME.test(name) ? undefined : 'SRV names have the form _service._protocol, such as _sip._tcp',
  },
  CAA: {
    content: caaContent, // RFC 8659
    expectation: `<flags> <tag> "<value>": flags 0 or 128; tag ${CAA_TAGS.join(', ')}; value an issuer such as ca.example.net, optionally with "; name=value" parameters, or ; for no issuer (issue…), a mailto:, http: or https: URL (iodef), or text (contact…)`,
    numbers: {},
    allowedAtRoot: true,
  },
  DHCID: {
    content: dhcidContent, // RFC 4701
    expectation: 'the identity of a DHCP client in base64',
    numbers: {},
    allowedAtRoot: true,
  },
};

export function isServedType(type: string): type is RecordType {
  return SERVED_TYPES.some((served) => served === type);
}

/** Whether the REST interface and the dashboard may write records of this type. */
export function isEditableType(type: RecordType): boolean {
  return RECORD_TYPES.some((editable) => editable === type);
}

/** @throws InvalidRecordType */
export function parseRecordType(type: string, types: readonly RecordType[] = RECORD_TYPES): RecordType {
  const known = types.find((candidate) => candidate === type);
  if (known === undefined) throw new InvalidRecordType();
  return known;
}
