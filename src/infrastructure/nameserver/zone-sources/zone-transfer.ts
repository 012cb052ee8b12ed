import { randomInt } from 'node:crypto';
import { connect, type Socket } from 'node:net';
import { encode, type Answer, type DecodedPacket } from 'dns-packet';
import type { FoundZone, ZoneTransferRequest } from '../../../application/ports/dns/other-nameservers';
import { ZoneSourceFailed } from '../../../domain/dns/dns-errors';
import type { WritableType } from '../../../domain/dns/records/types/record-types';
import type { Endpoint } from '../../../domain/dns/secondaries/secondary';
import { decodeResponse } from '../wire/decode-response';
import { readTsig } from '../wire/wire-query';
import { TsigSigner, TsigVerifier } from '../wire/tsig';
import { FoundZoneWriter } from './found-zone';

const TOTAL_TIMEOUT_MS = 60_000;
const IDLE_TIMEOUT_MS = 10_000;
const MAX_OCTETS = 32 * 1_048_576;
const MESSAGE_IDS = 65_536;
const RCODE_MASK = 15;
const ERRORS: Readonly<Record<number, string>> = {
  1: 'a format error',
  2: 'a server failure',
  3: 'an unknown name',
  4: 'not implemented',
  5: 'a refusal',
  9: 'no authority or no permission',
};

/** Transfers a zone by AXFR (RFC 5936), signed and verified by TSIG if there is a key. @throws ZoneSourceFailed */
export async function transferZone(
  request: ZoneTransferRequest,
  endpoint: Endpoint,
  types: readonly WritableType[],
): Promise<FoundZone> {
  const zone = new FoundZoneWriter(request.zoneName, types);
  await transferRecords(request, endpoint, (record) => zone.add(record));
  return zone.finish();
}

/** Calls `take` with each record, the SOA record first and last; `take` returns false if they become too many. @throws ZoneSourceFailed */
export async function transferRecords(
  { zoneName, nameserver, tsig }: ZoneTransferRequest,
  endpoint: Endpoint,
  take: (record: Answer) => boolean,
): Promise<void> {
  const id = randomInt(MESSAGE_IDS);
  const query = encode({ type: 'query', id, questions: [{ type: 'AXFR', name: zoneName }] });
  const now = Math.floor(Date.now() / 1_000);
  const request = tsig ? new TsigSigner(tsig, undefined).sign(query, now) : query;
  const requestMac = tsig && readTsig(request)?.mac;
  const verifier = tsig && requestMac ? new TsigVerifier(tsig, requestMac) : undefined;
  const socket = connect({ host: endpoint.address, port: endpoint.port });
  const deadline = setTimeout(() => socket.destroy(new Error('the transfer takes too long')), TOTAL_TIMEOUT_MS);
  socket.setTimeout(IDLE_TIMEOUT_MS, () => socket.destroy(new Error('no response')));
  try {
    socket.write(withLength(request));
    let apexRecords = 0;
    for await (const message of messagesOf(socket)) {
      if (verifier && !verifier.verify(message, readTsig(message), now))
        throw failed(nameserver, 'its signature is invalid');
      const packet = decoded(message, id);
      if (!packet) throw failed(nameserver, 'its response cannot be read');
      const rcode = (packet.flags ?? 0) & RCODE_MASK;
      if (rcode !== 0) throw failed(nameserver, `it answered with ${ERRORS[rcode] ?? `code ${rcode}`}`);
      for (const record of packet.answers ?? []) {
        if (isApex(record, zoneName)) apexRecords += 1;
        else if (apexRecords === 0) throw failed(nameserver, 'its response is no zone transfer');
        if (!take(record)) throw failed(nameserver, 'the zone is too large');
        if (apexRecords === 2) {
          if (verifier && !verifier.isComplete) throw failed(nameserver, 'its last message is not signed');
          return;
        }
      }
      if ((packet.answers ?? []).length === 0) throw failed(nameserver, 'it sent no records');
    }
    throw failed(nameserver, 'the connection ended before the zone');
  } catch (error) {
    if (error instanceof ZoneSourceFailed) throw error;
    throw failed(nameserver, error instanceof Error ? error.message : 'the connection broke', error);
  } finally {
    clearTimeout(deadline);
    socket.destroy();
  }
}

async function* messagesOf(socket: Socket): AsyncGenerator<Buffer> {
  let received = Buffer.alloc(0);
  let total = 0;
  for await (const chunk of socket) {
    total += (chunk as Buffer).length;
    if (total > MAX_OCTETS) throw new Error('the zone is too large');
    received = Buffer.concat([received, chunk as Buffer]);
    while (received.length >= 2 && received.length >= 2 + received.readUInt16BE(0)) {
      const end = 2 + received.readUInt16BE(0);
      yield received.subarray(2, end);
      received = received.subarray(end);
    }
  }
}

function decoded(message: Buffer, id: number): DecodedPacket | undefined {
  const packet = decodeResponse(message);
  return packet?.type === 'response' && packet.id === id ? packet : undefined;
}

function isApex(record: Answer, zoneName: string): boolean {
  return record.type === 'SOA' && record.name.toLowerCase() === zoneName;
}

function withLength(message: Buffer): Buffer {
  const length = Buffer.alloc(2);
  length.writeUInt16BE(message.length);
  return Buffer.concat([length, message]);
}

function failed(nameserver: string, why: string, cause?: unknown): ZoneSourceFailed {
  return new ZoneSourceFailed(`${nameserver} did not transfer the zone: ${why}`, { cause });
}
