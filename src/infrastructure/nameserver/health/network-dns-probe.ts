import { AUTHENTIC_DATA, CHECKING_DISABLED, RECURSION_DESIRED, type Answer, type DecodedPacket } from 'dns-packet';
import type { DnsProbe, LookupQuestion } from '../../../application/ports/health/health-repository';
import type { Log } from '../../../application/ports/system';
import { NO_RESOLVER, type Lookup, type LookupType } from '../../../domain/health/lookup';
import { endpointText, type Endpoint } from '../../../domain/dns/secondaries/secondary';
import { NAME_ERROR, query, rcodeName, rcodeOf } from '../zone-sources/dns-query';
import type { PublicAddresses } from '../../network/public-addresses';

interface DnsProbeSettings {
  /** Asked in this order; the next one if one does not respond. */
  readonly resolvers: readonly Endpoint[];
  /** Of nameservers. Default: 53. */
  readonly port?: number;
}

const DNS_PORT = 53;
const CONCURRENT_QUERIES = 64;
const SERVFAIL = 2;
const MAX_RECORDS = 50;
const MAX_HOPS = 10;
const MAX_RECORD_LENGTH = 4_096;

/** Over UDP, and TCP if an answer is truncated. */
export class NetworkDnsProbe implements DnsProbe {
  private running = 0;
  private readonly waiting: (() => void)[] = [];
  /** Whether a resolver has answered, or the operator was told that none does. */
  private isSettled = false;

  constructor(
    private readonly settings: DnsProbeSettings,
    private readonly addresses: PublicAddresses,
    private readonly log: Pick<Log, 'warn' | 'info'>,
  ) {}

  async resolve({ name, type, withoutValidation = false }: LookupQuestion): Promise<Lookup> {
    if (!isName(name)) return { kind: 'failed', reason: `${name} is not a domain name` };
    const flags = RECURSION_DESIRED | (withoutValidation ? CHECKING_DISABLED : AUTHENTIC_DATA);
    let lookup: Lookup = NO_RESOLVER;
    for (const endpoint of this.settings.resolvers) {
      lookup = toLookup(await this.query(endpoint, { name, type }, flags), { name, type }, endpoint);
      if (lookup.kind !== 'failed') {
        this.isSettled = true;
        return lookup;
      }
    }
    if (!this.isSettled) this.tellOperator(lookup);
    return lookup;
  }

  async querySoa(zoneName: string, address: string): ReturnType<DnsProbe['querySoa']> {
    const endpoint = { address, port: this.settings.port ?? DNS_PORT };
    const packet = this.mayAsk(address) ? await this.query(endpoint, { name: zoneName, type: 'SOA' }, 0) : undefined;
    if (!packet) return { kind: 'unreachable' };
    const rcode = rcodeOf(packet);
    if (rcode !== 0) return { kind: 'lame', reason: rcodeName(rcode) };
    const soa = packet.answers?.find((answer) => answer.type === 'SOA' && nameOf(answer.name) === zoneName);
    if (!packet.flag_aa) return { kind: 'lame', reason: 'not authoritative' };
    return soa?.type === 'SOA' && soa.data.serial !== undefined
      ? { kind: 'serves', serial: soa.data.serial }
      : { kind: 'lame', reason: 'no SOA record' };
  }

  mayAsk(address: string): boolean {
    return this.addresses.isPublic(address) || this.addresses.isAllowed(address);
  }

  private tellOperator(lookup: Lookup): void {
    this.isSettled = true;
    if (lookup === NO_RESOLVER)
      this.log.info({}, 'health checks have no resolver, so most of them are unknown: set HEALTH_RESOLVER');
    else if (lookup.kind === 'failed')
      this.log.warn({ reason: lookup.reason }, 'no resolver answers health checks: set HEALTH_RESOLVER, or off');
  }

  private async query(
    endpoint: Endpoint,
    question: { readonly name: string; readonly type: LookupType },
    flags: number,
  ): Promise<DecodedPacket | undefined> {
    if (this.running >= CONCURRENT_QUERIES) await new Promise<void>((resolve) => this.waiting.push(resolve));
    else this.running += 1;
    try {
      return await query(endpoint, question, flags);
    } finally {
      const next = this.waiting.shift();
      if (next) next();
      else this.running -= 1;
    }
  }
}

function toLookup(
  packet: DecodedPacket | undefined,
  { name, type }: { readonly name: string; readonly type: LookupType },
  endpoint: Endpoint,
): Lookup {
  const failed = (reason: string): Lookup => ({
    kind: 'failed',
    reason: `the resolver ${endpointText(endpoint)} ${reason}`,
  });
  if (!packet) return failed('did not respond');
  const rcode = rcodeOf(packet);
  if (rcode === SERVFAIL) return { kind: 'servfail' };
  if (rcode !== 0 && rcode !== NAME_ERROR) return failed(`responded ${rcodeName(rcode)}`);
  if (!packet.flag_ra) return failed('does not offer recursion');
  const answers = packet.answers ?? [];
  const via = followed(name, answers);
  const owner = via.at(-1) ?? name;
  const records = answers
    .filter((answer) => answer.type === type && nameOf(answer.name) === owner)
    .slice(0, MAX_RECORDS)
    .flatMap((answer) => textOf(answer)?.slice(0, MAX_RECORD_LENGTH) ?? []);
  if (records.length > 0) return { kind: 'found', records, via, isAuthentic: packet.flag_ad };
  return rcode === NAME_ERROR ? { kind: 'no_name', via } : { kind: 'no_data', via };
}

/** The targets of the CNAME records from `name` on. */
function followed(name: string, answers: readonly Answer[]): readonly string[] {
  const via: string[] = [];
  for (let owner = name; via.length < MAX_HOPS;) {
    const cname = answers.find((answer) => answer.type === 'CNAME' && nameOf(answer.name) === owner);
    if (cname?.type !== 'CNAME') break;
    owner = nameOf(cname.data);
    via.push(owner);
  }
  return via;
}

/** RDATA as `Lookup` has it. */
function textOf(answer: Answer): string | undefined {
  if (answer.type === 'A' || answer.type === 'AAAA') return answer.data;
  if (answer.type === 'NS') return nameOf(answer.data);
  if (answer.type === 'MX') return `${answer.data.preference ?? 0} ${nameOf(answer.data.exchange)}`;
  if (answer.type === 'TXT') return [answer.data].flat().map(String).join('');
  if (answer.type === 'CAA') return `${answer.data.flags ?? 0} ${answer.data.tag} "${answer.data.value}"`;
  if (answer.type === 'SOA') return String(answer.data.serial ?? '');
  if (answer.type === 'DS') {
    const { keyTag, algorithm, digestType, digest } = answer.data;
    return `${keyTag} ${algorithm} ${digestType} ${digest.toString('hex').toUpperCase()}`;
  }
  if (answer.type !== 'DNSKEY') return undefined;
  const { flags, algorithm, key } = answer.data;
  return `${flags} 3 ${algorithm} ${key.toString('base64')}`;
}

function nameOf(name: string): string {
  return name.toLowerCase().replace(/\.$/, '');
}

/** Whether the name can be sent (RFC 1035 section 2.3.4). */
function isName(name: string): boolean {
  return name.length <= 253 && name.split('.').every((label) => label.length > 0 && label.length <= 63);
}
