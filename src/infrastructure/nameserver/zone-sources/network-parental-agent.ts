import { AUTHORITATIVE_ANSWER, type Answer, type DecodedPacket, type RecordType } from 'dns-packet';
import type {
  PublishedDsRecords,
  ParentalAgent,
  PublishedDelegation,
} from '../../../application/ports/dns/other-nameservers';
import { firstDsyncLookup, nextDsyncLookup, notifyTarget } from '../../../domain/dns/dnssec/parent/notify-discovery';
import type { NotifyTarget, DsyncLookup } from '../../../domain/dns/dnssec/parent/notify-discovery';
import type { NoticeOutcome, NoticeResult } from '../../../domain/dns/dnssec/parent/parent-notice';
import { RdataReader } from '../../../domain/dns/records/types/rdata/rdata-reader';
import { typeDefinition } from '../../../domain/dns/records/types/record-types';
import { query, rcodeName, rcodeOf } from './dns-query';
import { NetworkParentZone } from './network-parent-zone';
import { OperatorResolvers, type ResolverSettings } from './operator-resolvers';

const NOTIFY = 4 << 11;
/** Which dns-packet knows by number only. */
const DSYNC = 'UNKNOWN_66' as RecordType;
const CSYNC = 'UNKNOWN_62' as RecordType;
/** Of an RRset that should have two. */
const MAX_RECORDS = 16;
/** A parent, its resolver and the receiver cannot make one notification last longer. */
const TOTAL_MS = 20_000;
const EXTENDED_ERROR = 15;
const MAX_ERROR_LENGTH = 200;

/** Asks the parent's nameservers, and sends NOTIFY over UDP, and over TCP if that gets no response. */
export class NetworkParentalAgent implements ParentalAgent {
  private readonly parent: NetworkParentZone;
  private readonly resolvers: OperatorResolvers;

  constructor(settings: ResolverSettings) {
    this.parent = new NetworkParentZone(settings);
    this.resolvers = new OperatorResolvers(settings);
  }

  queryDsRecords(name: string): Promise<PublishedDsRecords | undefined> {
    return this.parent.queryDsRecords(name);
  }

  queryDelegation(name: string): Promise<PublishedDelegation | undefined> {
    return this.parent.queryDelegation(name);
  }

  async notify(name: string, type: 'CDS' | 'CSYNC'): Promise<NoticeResult> {
    const deadline = performance.now() + TOTAL_MS;
    const target = await this.findTarget(name, type, deadline);
    if (target === 'unknown' || target === 'no_receiver') return notice(target);
    const receiver = `${target.host}:${target.port}`;
    const endpoint = await this.resolvers.endpointOf(target.host, deadline, target.port);
    if (!endpoint) return notice('unusable_receiver', receiver);
    const question = { name, type: type === 'CDS' ? ('CDS' as const) : CSYNC };
    const flags = NOTIFY | AUTHORITATIVE_ANSWER;
    const response =
      (await query(endpoint, question, flags)) ?? (await query(endpoint, { ...question, overTcp: true }, flags));
    if (!response) return notice('no_response', receiver);
    return rcodeOf(response) === 0 ? notice('accepted', receiver) : notice('refused', receiver, errorIn(response));
  }

  private async findTarget(
    child: string,
    type: 'CDS' | 'CSYNC',
    deadline: number,
  ): Promise<NotifyTarget | 'no_receiver' | 'unknown'> {
    for (let lookup: DsyncLookup | undefined = firstDsyncLookup(child); lookup;) {
      const response = await this.resolvers.resolve({ name: lookup.name, type: DSYNC }, deadline);
      if (!response) return 'unknown';
      const records = dsyncRecords(response);
      if (records.length > 0) return notifyTarget(records, type) ?? 'no_receiver';
      const soa = (response.authorities ?? []).find((answer) => answer.type === 'SOA');
      // Without an SOA record, the parent is taken to be one label above.
      lookup = nextDsyncLookup(child, lookup, soa?.name.toLowerCase().replace(/\.$/, '') ?? lookup.parent);
    }
    return 'no_receiver';
  }
}

/** The contents of DSYNC records; those that are malformed are left out. */
function dsyncRecords({ answers = [] }: DecodedPacket): readonly string[] {
  const { decode } = typeDefinition('DSYNC');
  return answers
    .filter(({ type }) => type === DSYNC)
    .slice(0, MAX_RECORDS)
    .flatMap((answer) => {
      try {
        return [decode(new RdataReader(dataOf(answer))).content];
      } catch (error) {
        if (error instanceof RangeError) return [];
        throw error;
      }
    });
}

function dataOf(answer: Answer): Buffer {
  const data: unknown = 'data' in answer ? answer.data : undefined;
  return Buffer.isBuffer(data) ? data : Buffer.alloc(0);
}

/** The RCODE and the extended error, of which a stranger chooses the text. */
function errorIn(response: DecodedPacket): string {
  const rcode = rcodeName(rcodeOf(response));
  const options = (response.additionals ?? []).flatMap((each) => (each.type === 'OPT' ? each.options : []));
  const found = options.find(({ code }: { readonly code: number }) => code === EXTENDED_ERROR);
  const data: unknown = found?.data;
  if (!Buffer.isBuffer(data) || data.length < 2) return rcode;
  const text = data
    .toString('utf8', 2)
    .replaceAll(/[^\p{L}\p{N}\p{P}\p{S} ]/gu, '')
    .slice(0, MAX_ERROR_LENGTH);
  return `${rcode}, extended error ${data.readUInt16BE(0)}${text === '' ? '' : `: ${text}`}`;
}

function notice(outcome: NoticeOutcome, receiver: string | null = null, error: string | null = null): NoticeResult {
  return { outcome, receiver, error };
}
