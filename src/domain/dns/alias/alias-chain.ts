import { MAX_NAME_LENGTH } from '../records/record-name';

export const ADDRESS_TYPES = ['A', 'AAAA'] as const;
export type AddressType = (typeof ADDRESS_TYPES)[number];

/** A record of a resolver's answer. Names are in lower case without the trailing dot; TTLs in seconds. */
export interface ResolvedRecord {
  readonly name: string;
  readonly type: 'CNAME' | AddressType;
  readonly ttl: number;
  /** An address, or the target of a CNAME. */
  readonly data: string;
}

export interface ResolverAnswer {
  readonly records: readonly ResolvedRecord[];
  /** How long the end of the chain has no such records, in seconds (RFC 2308, section 5); undefined if the answer does not say. */
  readonly negativeTtl: number | undefined;
}

type ChainStep =
  /** The end of the chain; without addresses if the name does not exist or has none. `ttl` is the lowest of the chain. */
  | { readonly kind: 'addresses'; readonly addresses: readonly string[]; readonly ttl: number }
  /** The answer stops at a CNAME: query for its target. */
  | { readonly kind: 'query'; readonly name: string }
  | { readonly kind: 'failed'; readonly reason: string };

export const MAX_HOPS = 8;
/** For a negative answer without SOA. */
const DEFAULT_NEGATIVE_TTL = 60;

/** Follows the CNAMEs from a name to its addresses, over one or more answers of a resolver. */
export class AliasChain {
  private readonly names: Set<string>;
  private current: string;
  private ttl = Infinity;

  constructor(
    target: string,
    private readonly type: AddressType,
  ) {
    this.current = target;
    this.names = new Set([target]);
  }

  /** The target and the names that its CNAMEs lead to, in their order. */
  get path(): readonly string[] {
    return [...this.names];
  }

  /** Continues with the answer to a query for the name that the last step returned, or for the target. */
  follow({ records, negativeTtl }: ResolverAnswer): ChainStep {
    const asked = this.current;
    for (;;) {
      const own = records.filter(({ name }) => name === this.current);
      const addresses = own.filter(({ type }) => type === this.type);
      if (addresses.length > 0) return this.end(addresses);
      const cname = own.find(({ type }) => type === 'CNAME');
      if (!cname) break;
      const reason = this.enter(cname);
      if (reason !== undefined) return { kind: 'failed', reason };
    }
    if (negativeTtl === undefined && this.current !== asked) return { kind: 'query', name: this.current };
    return { kind: 'addresses', addresses: [], ttl: Math.min(this.ttl, negativeTtl ?? DEFAULT_NEGATIVE_TTL) };
  }

  private enter({ data, ttl }: ResolvedRecord): string | undefined {
    if (!isName(data)) return `a CNAME of ${this.current} has an unusual target`;
    if (this.names.has(data)) return loopReason([...this.names, data]);
    if (this.names.size > MAX_HOPS) return `more than ${MAX_HOPS} CNAMEs follow each other`;
    this.names.add(data);
    this.current = data;
    this.ttl = Math.min(this.ttl, ttl);
    return undefined;
  }

  private end(records: readonly ResolvedRecord[]): ChainStep {
    const addresses = [...new Set(records.map(({ data }) => data))].toSorted();
    return { kind: 'addresses', addresses, ttl: Math.min(this.ttl, ...records.map(({ ttl }) => ttl)) };
  }
}

/** Printable ASCII: a target with other octets would not be queried for as it is. */
function isName(text: string): boolean {
  return text.length <= MAX_NAME_LENGTH && text.split('.').every((label) => /^[!-~]{1,63}$/.test(label));
}

/** @param names in their order; the last one occurs twice */
export function loopReason(names: readonly string[]): string {
  return `the names form a loop: ${names.slice(names.indexOf(names.at(-1) ?? '')).join(' -> ')}`;
}
