import { Readable } from 'node:stream';
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import type { Answer, SoaAnswer } from 'dns-packet';
import type { AccountTsigKey, FindTsigKey } from '../../application/access/api-keys/find-tsig-key';
import type { UpdateZone } from '../../application/dns/records/update-zone';
import type { RateLimiter } from '../../application/ports/access/rate-limiter';
import type { ZoneReader } from '../../application/ports/dns/zone-repository';
import type { Clock } from '../../application/ports/system/clock';
import type { Log } from '../../application/ports/system/log';
import type { PublishedZones } from '../../application/ports/dns/published-zones';
import type { SecondaryDirectory } from '../../application/ports/dns/secondary-directory';
import type { TsigKey } from '../../domain/dns/tsig-key';
import { isSerialAtLeast } from '../../domain/dns/zone-serial';
import { catalogRecords, catalogSoa } from './catalog-zone';
import { MAX_MESSAGE, packMessages } from './wire/message-packer';
import type { PrimarySettings } from './primary-settings';
import { verifyTsig, TSIG_ERROR, TsigSigner, withUnsignedTsig, type TsigResult } from './wire/tsig';
import { CLASS, MalformedMessage, OPCODE, readQuery, TYPE, type WireQuery, type WireTsig } from './wire/wire-query';
import {
  authoritativeResponse,
  headerResponse,
  OVERHEAD,
  questionResponse,
  truncatedResponse,
  UDP_SIZE,
} from './wire/wire-responses';
import { PublicQueries } from './public-queries';
import { UnsignedLimit } from './unsigned-limit';
import { isWithinRateLimit, RCODE, UpdateResponder, type UpdateWaits } from './update-responder';
import { zoneRrsets, zoneSoa } from './zone-rrsets';

export interface ResponderParts {
  readonly zones: PublishedZones;
  readonly directory: SecondaryDirectory;
  readonly clock: Clock;
  readonly log: Log;
  readonly settings: PrimarySettings;
  readonly records: Pick<ZoneReader, 'recordsAt'>;
  readonly accountKeys: Pick<FindTsigKey, 'execute' | 'recordUse'>;
  readonly updates: Pick<UpdateZone, 'execute' | 'findZone' | 'isAllowedFrom'>;
  readonly updateWaits: UpdateWaits;
  /** Responses over UDP to one network for requests without a valid signature. */
  readonly unsignedPerSecond: number;
  readonly accountLimiter: RateLimiter;
}

export type Transport = 'udp' | 'tcp';

/** Sends the response to one request. */
export interface ResponseChannel {
  readonly transport: Transport;
  /** The client's IP address. */
  readonly address: string;
  /** Settles when the next message can be sent. Rejects with `ClientGone` if the client disconnected or is too slow. */
  send(message: Buffer): Promise<void>;
  /** Called after a request with a valid TSIG of a secondary. */
  markAuthenticated(): void;
}

/** The client disconnected or did not read in time. */
export class ClientGone extends Error {}

const PLAIN_UDP_SIZE = 512;
/** Units of the account's rate limit, as many as the export of a zone file costs. */
const TRANSFER_COST = 5;
/** For all transfers together; a catalog of a million zones takes 105 MB. */
const MAX_QUEUED_OCTETS = 512 * 1024 * 1024;

/**
 * Answers SOA, AXFR and IXFR for the zones and the catalog if signed by a secondary's key; the same for the zones of an
 * account, and UPDATE, if signed by its key; unsigned SOA and NS queries; and REFUSED otherwise. Reads the database for each
 * request, so that all processes answer the same.
 */
export class Responder {
  /** Octets read for transfers and not yet sent. */
  private queuedOctets = 0;

  private readonly updates: UpdateResponder;
  private readonly publicQueries: PublicQueries;
  private readonly unsignedLimit: UnsignedLimit;

  constructor(private readonly parts: ResponderParts) {
    this.unsignedLimit = new UnsignedLimit(parts.unsignedPerSecond);
    this.updates = new UpdateResponder(parts);
    this.publicQueries = new PublicQueries(parts.zones, parts.records, parts.settings);
  }

  /** Responds to a request; ignores anything else. Never throws. */
  async respond(bytes: Buffer, channel: ResponseChannel): Promise<void> {
    try {
      const query = readQuery(bytes);
      if (query) await this.answer(query, channel);
    } catch (error) {
      if (error instanceof ClientGone) return;
      const isMalformed = error instanceof MalformedMessage;
      if (!isMalformed) this.parts.log.error({ err: error }, 'a DNS request failed');
      const response = headerResponse(bytes, isMalformed ? RCODE.FORMERR : RCODE.SERVFAIL);
      await this.sendUnsigned(channel, { bytes }, async () => response).catch(() => undefined);
    }
  }

  private async answer(query: WireQuery, channel: ResponseChannel): Promise<void> {
    const { tsig } = query;
    if (!tsig) return this.sendUnsigned(channel, query, () => this.publicQueries.respond(query, channel.transport));
    const { accountKeys, directory } = this.parts;
    const key = (await accountKeys.execute(tsig.keyName)) ?? (await directory.findKey(tsig.keyName));
    const result = verifyTsig(query.bytes, tsig, key, this.now());
    if (!key || result !== 'valid')
      return this.sendUnsigned(channel, query, async () => this.tsigErrorResponse(query, tsig, key, result));
    const signer = new TsigSigner(key, tsig.mac);
    if ('apiKey' in key) {
      channel.markAuthenticated();
      accountKeys.recordUse(key);
      return this.parts.updates.isAllowedFrom(key.apiKey, channel.address)
        ? this.serveAccount(query, tsig, key, { channel, signer })
        : channel.send(signer.sign(questionResponse(query, RCODE.REFUSED), this.now()));
    }
    if (!key.isInUse || query.opcode !== OPCODE.QUERY)
      return channel.send(signer.sign(questionResponse(query, RCODE.REFUSED), this.now()));
    channel.markAuthenticated();
    await this.serve(query, channel, signer);
  }

  /** RFC 8945, section 5.2: only BADTIME and BADTRUNC are signed, because only they prove that the client has the key. */
  private tsigErrorResponse(query: WireQuery, tsig: WireTsig, key: TsigKey | undefined, result: TsigResult): Buffer {
    if (typeof result === 'string') return headerResponse(query.bytes, RCODE.FORMERR);
    const response = questionResponse(query, RCODE.NOTAUTH);
    const hasKey = result.error === TSIG_ERROR.BADTIME || result.error === TSIG_ERROR.BADTRUNC;
    return key && hasKey
      ? new TsigSigner(key, tsig.mac).signError(response, tsig, result.error, this.now())
      : withUnsignedTsig(response, tsig, result.error);
  }

  /** Responds to a client without a valid signature, within the limit of its network. */
  private async sendUnsigned(
    channel: ResponseChannel,
    request: WireQuery | Pick<WireQuery, 'bytes'>,
    respond: () => Promise<Buffer>,
  ): Promise<void> {
    const verdict = this.unsignedLimit.judge(channel.transport, channel.address, this.now());
    if (verdict === 'respond') return channel.send(await respond());
    if (verdict === 'refuse') await channel.send(headerResponse(request.bytes, RCODE.REFUSED));
    else if (verdict === 'truncate' && 'questionEnd' in request) await channel.send(truncatedResponse(request));
  }

  /** An account's key reads and updates the zones of its account, within its scope and limits. */
  private async serveAccount(
    query: WireQuery,
    tsig: WireTsig,
    key: AccountTsigKey,
    { channel, signer }: { readonly channel: ResponseChannel; readonly signer: TsigSigner },
  ): Promise<void> {
    const isLookup = query.type === TYPE.SOA || query.type === TYPE.NS;
    const isRead = query.opcode === OPCODE.QUERY && (isLookup || mayTransfer(key));
    const isAccepted = isRead && (await isWithinRateLimit(this.parts, key, query, isLookup ? 1 : TRANSFER_COST));
    const isServed = isAccepted && query.type !== TYPE.NS;
    if (isServed && (await this.parts.updates.findZone(key.apiKey, query.name, 'READ')))
      return this.serve(query, channel, signer);
    if (isAccepted && isLookup) {
      // Anyone may ask this; nsupdate signs the query with which it finds the zone of a name.
      const response = await this.publicQueries.respond(query, channel.transport, signer.octets);
      return channel.send(signer.sign(response, this.now()));
    }
    const rcode = query.opcode === OPCODE.UPDATE ? await this.update(query, tsig, key, channel) : RCODE.REFUSED;
    await channel.send(signer.sign(questionResponse(query, rcode), this.now()));
  }

  private async update(query: WireQuery, tsig: WireTsig, key: AccountTsigKey, { transport }: ResponseChannel) {
    try {
      return await this.updates.respond(query, tsig, key, transport);
    } catch (error) {
      this.parts.log.error({ err: error, key: key.name, zone: query.name }, 'a DNS update failed');
      return RCODE.SERVFAIL;
    }
  }

  private async serve(query: WireQuery, channel: ResponseChannel, signer: TsigSigner): Promise<void> {
    const isTransfer = query.type === TYPE.AXFR || query.type === TYPE.IXFR;
    const isSupported =
      query.class === CLASS.IN &&
      (query.type === TYPE.SOA || (isTransfer && !(query.type === TYPE.AXFR && channel.transport === 'udp')));
    if (isSupported && isTransfer && channel.transport === 'tcp') return this.transfer(query, channel, signer);
    // RFC 1995, section 4: an IXFR over UDP gets the SOA, and the client retries over TCP.
    const soa = isSupported ? await this.findSoa(query.name) : undefined;
    await channel.send(
      soa
        ? this.soaResponse(query, soa, channel.transport, signer)
        : signer.sign(questionResponse(query, RCODE.REFUSED), this.now()),
    );
  }

  private async findSoa(name: string): Promise<SoaAnswer | undefined> {
    const { zones, settings } = this.parts;
    if (name === settings.catalogZone) return catalogSoa(await zones.catalogVersion(), settings);
    const zone = await zones.find(name);
    return zone && zoneSoa(zone, settings);
  }

  private soaResponse(query: WireQuery, soa: SoaAnswer, transport: Transport, signer: TsigSigner): Buffer {
    const response = authoritativeResponse(query, [soa]);
    const limit = transport === 'tcp' ? MAX_MESSAGE : Math.max(PLAIN_UDP_SIZE, Math.min(query.udpSize ?? 0, UDP_SIZE));
    return signer.sign(response.length + signer.octets <= limit ? response : truncatedResponse(query), this.now());
  }

  /** Sends one snapshot of the zone between two copies of its SOA: RFC 5936, section 2.2. */
  private async transfer(query: WireQuery, channel: ResponseChannel, signer: TsigSigner): Promise<void> {
    const messages = new Readable({ objectMode: true, read: () => undefined });
    let queued = 0;
    const enqueue = async (message: Buffer): Promise<void> => {
      if (messages.destroyed) throw new ClientGone();
      if (this.queuedOctets + message.length > MAX_QUEUED_OCTETS)
        throw new Error(`zone transfers to slow secondaries exceed ${MAX_QUEUED_OCTETS} octets of memory`);
      queued += message.length;
      this.queuedOctets += message.length;
      messages.push(message);
      await yieldToEventLoop();
    };
    const reading = this.readZone(query, signer, enqueue).then(
      () => messages.push(null),
      (error: Error) => messages.destroy(error),
    );
    try {
      for await (const message of messages as AsyncIterable<Buffer>) {
        await channel.send(signer.sign(message, this.now()));
        queued -= message.length;
        this.queuedOctets -= message.length;
      }
    } finally {
      await reading;
      this.queuedOctets -= queued;
    }
  }

  /** Does not wait for the secondary, so that a slow one cannot hold a database snapshot open. */
  private async readZone(
    query: WireQuery,
    signer: TsigSigner,
    enqueue: (message: Buffer) => Promise<void>,
  ): Promise<void> {
    const { directory, settings, zones } = this.parts;
    const read = async (soa: SoaAnswer, content: AsyncIterable<readonly Answer[]>): Promise<void> => {
      if (isUpToDate(query, soa)) return enqueue(authoritativeResponse(query, [soa]));
      const limit = MAX_MESSAGE - OVERHEAD - query.questionEnd - signer.octets;
      for await (const answers of packMessages(soa, content, limit))
        await enqueue(authoritativeResponse(query, answers));
    };
    if (query.name === settings.catalogZone) {
      return zones.withCatalog((catalog) =>
        read(catalogSoa(catalog.version, settings), catalogRecords(catalog, settings)),
      );
    }
    const withSerialRecord = (await directory.all()).some(({ signs }) => signs);
    await zones.withSnapshot(query.name, async (zone) => {
      if (zone) await read(zoneSoa(zone, settings), zoneRrsets(zone, { withSerialRecord }));
      else await enqueue(questionResponse(query, RCODE.REFUSED));
    });
  }

  private now(): number {
    return Math.floor(this.parts.clock.now().getTime() / 1_000);
  }
}

/** A transfer shows the whole zone, so a key for some of its records gets none. */
function mayTransfer({ apiKey: { limits } }: AccountTsigKey): boolean {
  return !limits?.names && !limits?.types;
}

/** Whether the client of an IXFR has the current serial or a later one: RFC 1995, section 2. */
function isUpToDate({ type, serial }: WireQuery, { data }: SoaAnswer): boolean {
  return type === TYPE.IXFR && serial !== undefined && isSerialAtLeast(serial, data.serial ?? 0);
}
