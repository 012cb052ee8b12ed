import { Readable } from 'node:stream';
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import type { Answer, SoaAnswer } from 'dns-packet';
import type { Clock } from '../../application/ports/system/clock';
import type { Log } from '../../application/ports/system/log';
import type { PublishedZones } from '../../application/ports/dns/published-zones';
import type { SecondaryDirectory } from '../../application/ports/dns/secondary-directory';
import type { TsigKey } from '../../domain/dns/tsig-key';
import { reaches } from '../../domain/dns/zone-serial';
import { catalogAnswers, catalogSoa } from './catalog-answers';
import { MAX_MESSAGE, packed } from './wire/message-packer';
import type { PrimarySettings } from './primary-settings';
import { judgeTsig, TSIG_ERROR, TsigSigner, withUnsignedTsig, type TsigVerdict } from './wire/tsig';
import { CLASS, Malformed, readQuery, TYPE, type WireQuery, type WireTsig } from './wire/wire-query';
import { answerMessage, headerReply, OVERHEAD, questionReply, truncatedReply, UDP_SIZE } from './wire/wire-replies';
import { zoneAnswers, zoneSoa } from './zone-answers';

export interface ResponderParts {
  readonly zones: PublishedZones;
  readonly directory: SecondaryDirectory;
  readonly clock: Clock;
  readonly log: Log;
  readonly settings: PrimarySettings;
}

export type Transport = 'udp' | 'tcp';

/** Where answers go. */
export interface ReplyChannel {
  readonly transport: Transport;
  /** Settles when there is room for more. Rejects with `Gone` where nobody takes it. */
  send(message: Buffer): Promise<void>;
  /** The asker has shown a key that is good. */
  trust(): void;
}

/** The asker has left, or takes too long; there is nobody to answer. */
export class Gone extends Error {}

const RCODE = { FORMERR: 1, SERVFAIL: 2, REFUSED: 5, NOTAUTH: 9 } as const;
const QUERY = 0;
const PLAIN_UDP_SIZE = 512;
/** Of all transfers together; a catalog of a million zones takes 105 MB. */
const QUEUED_OCTETS = 512 * 1024 * 1024;

/**
 * What a hidden primary says: SOA and transfers of the zones and of the catalog to whoever shows the key of a secondary,
 * REFUSED to anybody and anything else. It asks the database each time, so any number of processes say the same.
 */
export class Responder {
  /** Read for transfers, and not taken by their secondaries yet. */
  private queuedOctets = 0;

  constructor(private readonly parts: ResponderParts) {}

  /** Answers what deserves an answer. Never throws. */
  async respond(bytes: Buffer, channel: ReplyChannel): Promise<void> {
    try {
      const query = readQuery(bytes);
      if (query) await this.answer(query, channel);
    } catch (error) {
      if (error instanceof Gone) return;
      const isTheirs = error instanceof Malformed;
      if (!isTheirs) this.parts.log.error({ err: error }, 'a DNS request could not be answered');
      await channel.send(headerReply(bytes, isTheirs ? RCODE.FORMERR : RCODE.SERVFAIL)).catch(() => undefined);
    }
  }

  private async answer(query: WireQuery, channel: ReplyChannel): Promise<void> {
    const { tsig } = query;
    if (!tsig || query.opcode !== QUERY) return channel.send(questionReply(query, RCODE.REFUSED));
    const key = await this.parts.directory.findKey(tsig.keyName);
    const verdict = judgeTsig(query.bytes, tsig, key, this.now());
    if (!key || verdict !== 'good') return channel.send(this.rejection(query, tsig, key, verdict));
    const signer = new TsigSigner(key, tsig.mac);
    if (!key.isInUse) return channel.send(signer.sign(questionReply(query, RCODE.REFUSED), this.now()));
    channel.trust();
    await this.serve(query, channel, signer);
  }

  /** RFC 8945, section 5.2: signed by nobody we know, or by another, or cut short, or too long ago. */
  private rejection(query: WireQuery, tsig: WireTsig, key: TsigKey | undefined, verdict: TsigVerdict): Buffer {
    if (typeof verdict === 'string') return headerReply(query.bytes, RCODE.FORMERR);
    const reply = questionReply(query, RCODE.NOTAUTH);
    const isTheirs = verdict.error === TSIG_ERROR.BADTIME || verdict.error === TSIG_ERROR.BADTRUNC;
    return key && isTheirs
      ? new TsigSigner(key, tsig.mac).signError(reply, tsig, verdict.error, this.now())
      : withUnsignedTsig(reply, tsig, verdict.error);
  }

  private async serve(query: WireQuery, channel: ReplyChannel, signer: TsigSigner): Promise<void> {
    const isTransfer = query.type === TYPE.AXFR || query.type === TYPE.IXFR;
    const isOurs =
      query.class === CLASS.IN &&
      (query.type === TYPE.SOA || (isTransfer && !(query.type === TYPE.AXFR && channel.transport === 'udp')));
    if (isOurs && isTransfer && channel.transport === 'tcp') return this.transfer(query, channel, signer);
    // RFC 1995, section 4: an IXFR by UDP is told the serial, and comes again by TCP.
    const soa = isOurs ? await this.soaOf(query.name) : undefined;
    await channel.send(
      soa
        ? this.single(query, soa, channel.transport, signer)
        : signer.sign(questionReply(query, RCODE.REFUSED), this.now()),
    );
  }

  private async soaOf(name: string): Promise<SoaAnswer | undefined> {
    const { zones, settings } = this.parts;
    if (name === settings.catalogZone) return catalogSoa(await zones.catalogVersion(), settings);
    const zone = await zones.find(name);
    return zone && zoneSoa(zone, settings);
  }

  private single(query: WireQuery, soa: SoaAnswer, transport: Transport, signer: TsigSigner): Buffer {
    const reply = answerMessage(query, [soa]);
    const room = transport === 'tcp' ? MAX_MESSAGE : Math.max(PLAIN_UDP_SIZE, Math.min(query.udpSize ?? 0, UDP_SIZE));
    return signer.sign(reply.length + signer.octets <= room ? reply : truncatedReply(query), this.now());
  }

  /** The zone as it was at one moment, between two copies of its SOA: RFC 5936, section 2.2. */
  private async transfer(query: WireQuery, channel: ReplyChannel, signer: TsigSigner): Promise<void> {
    const messages = new Readable({ objectMode: true, read: () => undefined });
    let queued = 0;
    const enqueue = async (message: Buffer): Promise<void> => {
      if (messages.destroyed) throw new Gone();
      if (this.queuedOctets + message.length > QUEUED_OCTETS)
        throw new Error('too many octets of transfers wait for slow secondaries');
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

  /** Reads as fast as the database answers, so that no snapshot lasts as long as a slow secondary takes. */
  private async readZone(
    query: WireQuery,
    signer: TsigSigner,
    enqueue: (message: Buffer) => Promise<void>,
  ): Promise<void> {
    const { directory, settings, zones } = this.parts;
    const read = async (soa: SoaAnswer, content: AsyncIterable<readonly Answer[]>): Promise<void> => {
      if (isUpToDate(query, soa)) return enqueue(answerMessage(query, [soa]));
      const room = MAX_MESSAGE - OVERHEAD - query.questionEnd - signer.octets;
      for await (const answers of packed(soa, content, room)) await enqueue(answerMessage(query, answers));
    };
    if (query.name === settings.catalogZone) {
      return zones.withCatalog((catalog) =>
        read(catalogSoa(catalog.version, settings), catalogAnswers(catalog, settings)),
      );
    }
    const withVersion = (await directory.all()).some(({ signs }) => signs);
    await zones.withSnapshot(query.name, async (zone) => {
      if (zone) await read(zoneSoa(zone, settings), zoneAnswers(zone, { withVersion }));
      else await enqueue(questionReply(query, RCODE.REFUSED));
    });
  }

  private now(): number {
    return Math.floor(this.parts.clock.now().getTime() / 1_000);
  }
}

/** The asker of an IXFR has what there is, or more: RFC 1995, section 2. */
function isUpToDate({ type, serial }: WireQuery, { data }: SoaAnswer): boolean {
  return type === TYPE.IXFR && serial !== undefined && reaches(serial, data.serial ?? 0);
}
