import type { Answer } from 'dns-packet';
import type { Log } from '../../../../application/ports/system';
import type { Responder } from '../../../nameserver/responder';
import { RCODE } from '../../../nameserver/update-responder';
import { MAX_MESSAGE, packMessages } from '../../../nameserver/wire/message-packer';
import { ClientGone, type ResponseChannel } from '../../../nameserver/wire/response-channel';
import { CLASS, MalformedMessage, OPCODE, readQuery, TYPE, type WireQuery } from '../../../nameserver/wire/wire-query';
import {
  authoritativeResponse,
  headerResponse,
  OVERHEAD,
  packedResponse,
  questionResponse,
  sizeLimit,
  truncatedResponse,
} from '../../../nameserver/wire/wire-responses';
import { nameAndAncestors, type TldZone } from './tld-zone';
import type { TldZones } from './tld-zones';

/** Types of records in the zones. */
const NUMBERS: Readonly<Record<string, number>> = { A: 1, NS: TYPE.NS, SOA: TYPE.SOA, AAAA: 28, DS: 43 };

/** Serves the zones of the registry's TLDs: authoritative answers, referrals and AXFR for everyone. Does not sign. */
export class TldResponder implements Pick<Responder, 'respond'> {
  constructor(
    private readonly zones: TldZones,
    private readonly log: Log,
  ) {}

  async respond(bytes: Buffer, channel: ResponseChannel): Promise<void> {
    try {
      const query = readQuery(bytes);
      if (!query) return;
      const isSupported = query.opcode === OPCODE.QUERY && query.class === CLASS.IN;
      const zone = isSupported ? await this.zoneFor(query) : undefined;
      const isTransfer = query.type === TYPE.AXFR || query.type === TYPE.IXFR;
      if (!zone || (isTransfer && query.name !== zone.name))
        return await channel.send(questionResponse(query, RCODE.REFUSED));
      if (isTransfer && channel.transport === 'tcp') return await transfer(query, zone, channel);
      const response = isTransfer ? authoritativeResponse(query, [zone.soa]) : answer(query, zone);
      await channel.send(fitted(query, channel, response));
    } catch (error) {
      if (error instanceof ClientGone) return;
      const isMalformed = error instanceof MalformedMessage;
      if (!isMalformed) this.log.error({ err: error }, 'a DNS request failed');
      const response = headerResponse(bytes, isMalformed ? RCODE.FORMERR : RCODE.SERVFAIL);
      await channel.send(response).catch(() => undefined);
    }
  }

  /** DS belongs to the parent's zone: RFC 4035, section 3.1.4.1. */
  private async zoneFor({ name, type }: WireQuery): Promise<TldZone | undefined> {
    const parent = type === NUMBERS['DS'] ? await this.zones.zoneFor(name.slice(name.indexOf('.') + 1)) : undefined;
    return parent ?? this.zones.zoneFor(name);
  }
}

/** RFC 1034, section 4.3.2. */
function answer(query: WireQuery, { name: apex, soa, records }: TldZone): Buffer {
  const { name, type } = query;
  const below = nameAndAncestors(name).filter((ancestor) => ancestor.length > apex.length);
  const cut = below.findLast((ancestor) => records.get(ancestor)?.some((record) => record.type === 'NS'));
  if (cut !== undefined && !(cut === name && type === NUMBERS['DS'])) {
    const authorities = (records.get(cut) ?? []).flatMap((record) => (record.type === 'NS' ? [record] : []));
    const additionals = authorities.flatMap(({ data: host }) => addressesOf(records.get(host)));
    return authoritativeResponse(query, [], { isReferral: true, authorities, additionals });
  }
  const all: readonly Answer[] = [...(name === apex ? [soa] : []), ...(records.get(name) ?? [])];
  const found = all.filter((record) => NUMBERS[record.type] === type);
  if (found.length > 0) return authoritativeResponse(query, found);
  const rcode = all.length > 0 ? RCODE.NOERROR : RCODE.NXDOMAIN;
  return authoritativeResponse(query, [], { authorities: [soa], rcode });
}

function addressesOf(records: readonly Answer[] = []): readonly Answer[] {
  return records.filter(({ type }) => type === 'A' || type === 'AAAA');
}

/** The whole zone for AXFR and for IXFR (RFC 1995, section 4), unless the client has it. */
async function transfer(query: WireQuery, { soa, records }: TldZone, channel: ResponseChannel): Promise<void> {
  if (query.type === TYPE.IXFR && query.serial === soa.data.serial)
    return channel.send(authoritativeResponse(query, [soa]));
  const limit = MAX_MESSAGE - OVERHEAD - query.questionEnd;
  for await (const packed of packMessages(soa, rrsets(records), limit))
    await channel.send(packedResponse(query, packed));
}

async function* rrsets(records: TldZone['records']): AsyncIterable<readonly Answer[]> {
  yield* records.values();
}

function fitted(query: WireQuery, { transport }: ResponseChannel, response: Buffer): Buffer {
  return response.length <= sizeLimit(query, transport) ? response : truncatedResponse(query);
}
