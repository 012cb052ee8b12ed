import { Readable } from 'node:stream';
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import type { Answer, SoaAnswer } from 'dns-packet';
import type { PublishedZones, ZoneSnapshot, SecondaryDirectory } from '../../../application/ports/dns/publishing';
import type { Clock } from '../../../application/ports/system';
import { isSerialAtLeast } from '../../../domain/dns/zone-serial';
import { catalogChanges, catalogRecords, catalogSoa } from '../catalog-zone';
import type { PrimaryZoneSettings } from '../primary-zone-settings';
import { ClientGone, type ResponseChannel } from '../wire/response-channel';
import { MAX_MESSAGE, packMessages } from '../wire/message-packer';
import type { TsigSigner } from '../wire/tsig';
import { TYPE, type WireQuery } from '../wire/wire-query';
import { authoritativeResponse, OVERHEAD, packedResponse, questionResponse } from '../wire/wire-responses';
import { RCODE } from '../update-responder';
import { zoneDifference, type TransferDifference } from './zone-difference';
import { snapshotSoa, zoneRrsets } from '../zone-rrsets';

interface ZoneTransferParts {
  readonly zones: PublishedZones;
  readonly directory: Pick<SecondaryDirectory, 'all'>;
  readonly settings: PrimaryZoneSettings;
  readonly clock: Clock;
}

interface Transfer {
  readonly soa: SoaAnswer;
  /** Undefined if the whole zone must be sent. */
  readonly difference: TransferDifference | undefined;
  /** The whole zone without its SOA; not needed beside a difference. */
  readonly whole?: () => AsyncIterable<readonly Answer[]>;
}

const MIB = 1024 * 1024;
/** Of octets read and not yet sent. A catalog of a million zones takes 105 MB, a zone of 10,000 long records 41 MB. */
const MAX_QUEUED = { secondaries: 512 * MIB, accounts: 256 * MIB, account: 128 * MIB };
const SECONDARIES = '';

/** Transfers zones and the catalog to secondaries: AXFR (RFC 5936), and IXFR (RFC 1995) from the stored history. */
export class ZoneTransfers {
  /** Octets read for transfers and not yet sent, by account. */
  private readonly queued = new Map<string, number>();

  constructor(
    private readonly parts: ZoneTransferParts,
    private readonly limits = MAX_QUEUED,
  ) {}

  /**
   * The answers to an IXFR over UDP: the SOA alone if the difference needs more than `limit` octets, so that the client retries over
   * TCP (RFC 1995, section 2). Undefined if the zone is not served.
   */
  async answerOverUdp(
    query: WireQuery,
    fits: (response: Buffer) => boolean,
    accountId?: string,
  ): Promise<Buffer | undefined> {
    let response: Buffer | undefined;
    await this.withTransfer(query, accountId, async (transfer) => {
      if (!transfer) return;
      const { soa, difference } = transfer;
      response = authoritativeResponse(query, [soa]);
      if (!difference || isUpToDate(query, soa) || difference.removed.length + difference.added.length > UDP_RECORDS)
        return;
      const whole = authoritativeResponse(query, [soa, ...differenceRecords(soa, difference).flat(), soa]);
      if (fits(whole)) response = whole;
    });
    return response;
  }

  /**
   * Sends one snapshot of the zone, or the difference to it, between two copies of its SOA: RFC 5936, section 2.2.
   * @param accountId of the key that asks; absent for a secondary
   */
  async send(
    query: WireQuery,
    channel: Pick<ResponseChannel, 'send'>,
    signer: TsigSigner,
    accountId?: string,
  ): Promise<void> {
    const share = accountId ?? SECONDARIES;
    const messages = new Readable({ objectMode: true, read: () => undefined });
    let queued = 0;
    const enqueue = async (message: Buffer): Promise<void> => {
      if (messages.destroyed) throw new ClientGone();
      if (!this.hasRoom(share, message.length))
        throw new Error('the zones that slow clients do not read take too much memory');
      queued += message.length;
      this.count(share, message.length);
      messages.push(message);
      await yieldToEventLoop();
    };
    const reading = this.read(query, accountId, { signer, enqueue }).then(
      () => messages.push(null),
      (error: Error) => messages.destroy(error),
    );
    try {
      for await (const message of messages as AsyncIterable<Buffer>) {
        await channel.send(signer.sign(message, Math.floor(this.parts.clock.now().getTime() / 1_000)));
        queued -= message.length;
        this.count(share, -message.length);
      }
    } finally {
      await reading;
      this.count(share, -queued);
    }
  }

  /** Customers who read slowly take no room from the secondaries. */
  private hasRoom(share: string, octets: number): boolean {
    const own = (this.queued.get(share) ?? 0) + octets;
    if (share === SECONDARIES) return own <= this.limits.secondaries;
    const all = [...this.queued].reduce((sum, [each, queued]) => (each === SECONDARIES ? sum : sum + queued), octets);
    return own <= this.limits.account && all <= this.limits.accounts;
  }

  private count(share: string, octets: number): void {
    const queued = (this.queued.get(share) ?? 0) + octets;
    if (queued > 0) this.queued.set(share, queued);
    else this.queued.delete(share);
  }

  /** Does not wait for the secondary, so that a slow one cannot hold a database snapshot open. */
  private read(
    query: WireQuery,
    accountId: string | undefined,
    { signer, enqueue }: { readonly signer: TsigSigner; readonly enqueue: (message: Buffer) => Promise<void> },
  ): Promise<void> {
    return this.withTransfer(query, accountId, async (transfer) => {
      if (!transfer) return enqueue(questionResponse(query, RCODE.REFUSED));
      const { soa, difference, whole } = transfer;
      if (isUpToDate(query, soa)) return enqueue(authoritativeResponse(query, [soa]));
      const limit = MAX_MESSAGE - OVERHEAD - query.questionEnd - signer.octets;
      const content = difference ? differenceRecords(soa, difference) : (whole?.() ?? []);
      for await (const packed of packMessages(soa, content, limit)) await enqueue(packedResponse(query, packed));
    });
  }

  private async withTransfer(
    query: WireQuery,
    accountId: string | undefined,
    use: (transfer: Transfer | undefined) => Promise<void>,
  ): Promise<void> {
    const { directory, settings, zones } = this.parts;
    if (accountId === undefined && query.name === settings.catalogZone) return this.withCatalog(query, use);
    const secondaries = directory.all();
    // A failure is reported where it is awaited.
    secondaries.catch(() => undefined);
    const useZone = async (zone: ZoneSnapshot | undefined): Promise<void> => {
      if (!zone) return use(undefined);
      const soa = await snapshotSoa(zone, settings);
      const withSerialRecord = (await secondaries).some(({ signs }) => signs);
      const serial = formerSerial(query, soa);
      const difference =
        serial === undefined ? undefined : await zoneDifference(zone, serial, { settings, withSerialRecord });
      await use({ soa, difference, whole: () => zoneRrsets(zone, { withSerialRecord }) });
    };
    await zones.withSnapshot(query.name, useZone, accountId);
  }

  /** A difference takes no snapshot, so its cost does not depend on the number of members. */
  private async withCatalog({ type, serial }: WireQuery, use: (transfer: Transfer) => Promise<void>): Promise<void> {
    const { settings, zones } = this.parts;
    const found = type === TYPE.IXFR && serial !== undefined ? await zones.catalogDifference(serial) : undefined;
    if (found && serial !== undefined) {
      const difference = catalogChanges(found, serial, settings);
      return use({ soa: catalogSoa(found.version, settings), difference });
    }
    await zones.withCatalog((catalog) =>
      use({
        soa: catalogSoa(catalog.version, settings),
        difference: undefined,
        whole: () => catalogRecords(catalog, settings),
      }),
    );
  }
}

/** More do not fit into a message over UDP. */
const UDP_RECORDS = 100;

/** The client's serial in an IXFR, if it is behind. */
function formerSerial(query: WireQuery, soa: SoaAnswer): number | undefined {
  return query.type === TYPE.IXFR && !isUpToDate(query, soa) ? query.serial : undefined;
}

/** Whether the client of an IXFR has the current serial or a later one: RFC 1995, section 2. */
function isUpToDate({ type, serial }: WireQuery, { data }: SoaAnswer): boolean {
  return type === TYPE.IXFR && serial !== undefined && isSerialAtLeast(serial, data.serial ?? 0);
}

function differenceRecords(
  soa: SoaAnswer,
  { before, removed, added }: TransferDifference,
): readonly (readonly Answer[])[] {
  return [
    [before, ...removed],
    [soa, ...added],
  ];
}
