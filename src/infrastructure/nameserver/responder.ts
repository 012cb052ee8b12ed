import type { SoaAnswer } from 'dns-packet';
import { observe } from '../../application/shared/observation';
import type { AccountTsigKey, FindTsigKey } from '../../application/access/api-keys/find-tsig-key';
import type { ScanOnNotice } from '../../application/dnssec/cds/scan-on-notice';
import type { UpdateZone } from '../../application/dns/records/update-zone';
import type { RateLimiter } from '../../application/ports/access/rate-limits-and-usage';
import type { AliasReader } from '../../application/ports/dns/alias-repository';
import type { ZoneReader } from '../../application/ports/dns/zone-repository';
import type { Clock, Log } from '../../application/ports/system';
import type { PublishedZones, SecondaryDirectory } from '../../application/ports/dns/publishing';
import { actorOfKey } from '../../domain/access/api-key';
import { maySeeRecord } from '../../domain/access/key-permissions';
import { RR_TYPE } from '../../domain/dns/dnssec/rr-types';
import type { TsigKey } from '../../domain/dns/secondaries/tsig-key';
import { catalogSoa } from './catalog-zone';
import { ClientGone, type ResponseChannel } from './wire/response-channel';
import type { PrimaryZoneSettings } from './primary-zone-settings';
import { verifyTsig, TSIG_ERROR, TsigSigner, withUnsignedTsig, type TsigResult } from './wire/tsig';
import { CLASS, MalformedMessage, OPCODE, readQuery, TYPE, type WireQuery, type WireTsig } from './wire/wire-query';
import {
  authoritativeResponse,
  headerResponse,
  questionResponse,
  sizeLimit,
  truncatedResponse,
  updateResponse,
} from './wire/wire-responses';
import { RefusedRequests } from './refused-requests';
import { ZoneQueries, type ZoneReaderRights } from './zone-queries';
import { UnsignedLimit } from './unsigned-limit';
import { isWithinRateLimit, RCODE, UpdateResponder, type UpdateResponse, type UpdateWaits } from './update-responder';
import { zoneSoa } from './zone-rrsets';
import { ZoneTransfers } from './transfers/zone-transfers';

export interface ResponderParts {
  readonly zones: PublishedZones;
  readonly directory: SecondaryDirectory;
  readonly clock: Clock;
  readonly log: Log;
  readonly settings: PrimaryZoneSettings;
  readonly records: Pick<ZoneReader, 'recordsAt' | 'isSigned'>;
  readonly aliases: Pick<AliasReader, 'statuses'>;
  readonly accountKeys: Pick<FindTsigKey, 'execute' | 'recordUse'>;
  readonly updates: Pick<UpdateZone, 'execute' | 'findZone' | 'isAllowedFrom'>;
  readonly notices: Pick<ScanOnNotice, 'execute'>;
  readonly updateWaits: UpdateWaits;
  /** Responses over UDP to one network for requests without a valid signature. */
  readonly unsignedPerSecond: number;
  readonly accountLimiter: RateLimiter;
}

/** Requests of an account at once over each transport. More are dropped, over TCP with their connection, and their clients retry. */
const MAX_OF_ACCOUNT = 64;
/** Units of the account's rate limit, as many as the export of a zone file costs. */
const TRANSFER_COST = 5;

/**
 * Answers SOA, AXFR and IXFR for the zones and the catalog if signed by a secondary's key; the same, other queries and UPDATE for
 * the zones of an account, if signed by its key; unsigned SOA and NS queries and NOTIFY(CDS); and REFUSED otherwise. Reads the database for each
 * request, so that all processes answer the same.
 */
export class Responder {
  private readonly transfers: ZoneTransfers;
  private readonly updates: UpdateResponder;
  private readonly queries: ZoneQueries;
  private readonly refused: RefusedRequests;
  private readonly unsignedLimit: UnsignedLimit;
  /** Requests that are being served, by transport and account. They go on after their connection has ended. */
  private readonly requests = new Map<string, number>();

  constructor(private readonly parts: ResponderParts) {
    this.unsignedLimit = new UnsignedLimit(parts.unsignedPerSecond);
    this.transfers = new ZoneTransfers(parts);
    this.updates = new UpdateResponder(parts);
    this.queries = new ZoneQueries(parts);
    this.refused = new RefusedRequests(parts.directory, parts.log);
  }

  /** Responds to a request; ignores anything else. Never throws. */
  async respond(bytes: Buffer, channel: ResponseChannel): Promise<void> {
    let query: WireQuery | undefined;
    try {
      query = readQuery(bytes);
      if (query) await this.answer(query, channel);
    } catch (error) {
      if (error instanceof ClientGone) return;
      const isMalformed = error instanceof MalformedMessage;
      if (!isMalformed)
        this.parts.log.error({ err: error, name: query?.name, address: channel.address }, 'a DNS request failed');
      const response = headerResponse(bytes, isMalformed ? RCODE.FORMERR : RCODE.SERVFAIL);
      await this.sendUnsigned(channel, { bytes }, async () => response).catch(() => undefined);
    }
  }

  private async answer(query: WireQuery, connection: ResponseChannel): Promise<void> {
    const { tsig } = query;
    const channel = this.refused.watch(query, connection, this.now());
    if (!tsig)
      return this.sendUnsigned(channel, query, () =>
        query.opcode === OPCODE.NOTIFY ? this.receiveNotify(query) : this.queries.respond(query, channel.transport),
      );
    const { accountKeys, directory } = this.parts;
    const key = (await accountKeys.execute(tsig.keyName)) ?? (await directory.findKey(tsig.keyName));
    const result = verifyTsig(query.bytes, tsig, key, this.now());
    if (!key || result !== 'valid')
      return this.sendUnsigned(channel, query, async () => {
        this.refused.badSignature(query, channel.address, key, result, this.now());
        return this.tsigErrorResponse(query, tsig, key, result);
      });
    const signer = new TsigSigner(key, tsig.mac);
    if ('apiKey' in key) {
      channel.markAuthenticated('account');
      const isProven = channel.transport === 'tcp';
      // Resolvers and dig ask again over TCP.
      if (key.apiKey.limits?.networks && !isProven && query.opcode === OPCODE.QUERY)
        return channel.send(signer.sign(truncatedResponse(query), this.now()));
      if (!this.parts.updates.isAllowedFrom(key.apiKey, channel.address, { isProven }))
        return channel.send(signer.sign(questionResponse(query, RCODE.REFUSED), this.now()));
      accountKeys.recordUse(key);
      return this.withinShare(key, channel, () => this.serveAccount(query, tsig, key, { channel, signer }));
    }
    if (!key.isInUse || query.opcode !== OPCODE.QUERY)
      return channel.send(signer.sign(questionResponse(query, refusalOf(query)), this.now()));
    channel.markAuthenticated('secondary');
    await this.serve(query, channel, signer);
  }

  /** RFC 9859, section 4.3: a notification that is not acted upon for the time being is acknowledged, so that it is not repeated. */
  private async receiveNotify(query: WireQuery): Promise<Buffer> {
    const isCds = query.type === RR_TYPE.CDS && query.class === CLASS.IN;
    const outcome = isCds ? await this.parts.notices.execute(query.name) : 'unknown';
    return authoritativeResponse(query, [], { rcode: outcome === 'accepted' ? RCODE.NOERROR : RCODE.REFUSED });
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

  /** An update waits for seconds until the secondaries serve it: the updates of one account must not take the room of all others. */
  private async withinShare(
    { apiKey: { accountId } }: AccountTsigKey,
    channel: ResponseChannel,
    serve: () => Promise<void>,
  ): Promise<void> {
    const share = `${channel.transport} ${accountId}`;
    const others = this.requests.get(share) ?? 0;
    if (others >= MAX_OF_ACCOUNT) return channel.close();
    this.requests.set(share, others + 1);
    try {
      await serve();
    } finally {
      const left = (this.requests.get(share) ?? 1) - 1;
      if (left > 0) this.requests.set(share, left);
      else this.requests.delete(share);
    }
  }

  /** An account's key reads and updates the zones of its account, within its scope and limits. */
  private async serveAccount(
    query: WireQuery,
    tsig: WireTsig,
    key: AccountTsigKey,
    { channel, signer }: { readonly channel: ResponseChannel; readonly signer: TsigSigner },
  ): Promise<void> {
    const isTransfer = query.type === TYPE.AXFR || query.type === TYPE.IXFR;
    const isRead = query.opcode === OPCODE.QUERY && (!isTransfer || mayTransfer(key));
    const isAccepted = isRead && (await isWithinRateLimit(this.parts, key, query, isTransfer ? TRANSFER_COST : 1));
    const isServed = isAccepted && (isTransfer || query.type === TYPE.SOA);
    if (isServed && (await this.parts.updates.findZone(key.apiKey, query.name, 'READ')))
      return this.serve(query, channel, signer, key.apiKey.accountId);
    if (isAccepted && !isTransfer) {
      const response = await this.queries.respond(query, channel.transport, signer.octets, this.readerOf(key));
      return channel.send(signer.sign(response, this.now()));
    }
    if (query.opcode !== OPCODE.UPDATE)
      return channel.send(signer.sign(questionResponse(query, refusalOf(query)), this.now()));
    const updated = await this.update(query, tsig, key, channel);
    const response = updateResponse(query, updated);
    const fits = response.length + signer.octets <= sizeLimit(query, channel.transport);
    await channel.send(signer.sign(fits ? response : updateResponse(query, { rcode: updated.rcode }), this.now()));
  }

  private readerOf({ apiKey }: AccountTsigKey): ZoneReaderRights {
    const actor = actorOfKey(apiKey);
    return {
      mayReadZone: async (zoneName) => (await this.parts.updates.findZone(apiKey, zoneName, 'READ')) !== undefined,
      mayRead: (name, type) => maySeeRecord(actor, { name, type }),
    };
  }

  private async update(
    query: WireQuery,
    tsig: WireTsig,
    key: AccountTsigKey,
    { transport }: ResponseChannel,
  ): Promise<UpdateResponse> {
    try {
      return await this.updates.respond(query, tsig, key, transport);
    } catch (error) {
      this.parts.log.error({ err: error, key: key.name, zone: query.name }, 'a DNS update failed');
      return { rcode: RCODE.SERVFAIL };
    }
  }

  private async serve(
    query: WireQuery,
    channel: ResponseChannel,
    signer: TsigSigner,
    accountId?: string,
  ): Promise<void> {
    const isTransfer = query.type === TYPE.AXFR || query.type === TYPE.IXFR;
    const isSupported =
      query.class === CLASS.IN &&
      (query.type === TYPE.SOA || (isTransfer && !(query.type === TYPE.AXFR && channel.transport === 'udp')));
    if (isSupported && isTransfer && channel.transport === 'tcp')
      return this.transfer(query, channel, signer, accountId);
    const fits = (response: Buffer): boolean => response.length + signer.octets <= sizeLimit(query, channel.transport);
    const response = isSupported ? await this.readResponse(query, fits, accountId) : undefined;
    if (!response) return channel.send(signer.sign(questionResponse(query, RCODE.REFUSED), this.now()));
    await channel.send(signer.sign(fits(response) ? response : truncatedResponse(query), this.now()));
  }

  private async transfer(
    query: WireQuery,
    channel: ResponseChannel,
    signer: TsigSigner,
    accountId: string | undefined,
  ): Promise<void> {
    const kind = query.type === TYPE.AXFR ? 'AXFR' : 'IXFR';
    const facts = { kind, zone: query.name, address: channel.address };
    let hasBegun = false;
    const send = async (message: Buffer): Promise<void> => {
      hasBegun = true;
      await channel.send(message);
    };
    try {
      await observe({ kind: 'zone transfer', name: kind }, () =>
        this.transfers.send(query, { send }, signer, accountId),
      );
    } catch (error) {
      if (error instanceof ClientGone)
        this.parts.log.warn(
          facts,
          'a zone transfer broke off: the connection ended, or its client did not read for 30 seconds',
        );
      if (error instanceof ClientGone || !hasBegun) throw error;
      this.parts.log.error(
        { err: error, ...facts },
        'a zone transfer broke off: the zone could not be read to its end',
      );
      // Another message would be taken for a part of the transfer.
      channel.close();
    }
  }

  /** Undefined if the zone is not served. */
  private async readResponse(
    query: WireQuery,
    fits: (response: Buffer) => boolean,
    accountId: string | undefined,
  ): Promise<Buffer | undefined> {
    if (query.type === TYPE.IXFR) return this.transfers.answerOverUdp(query, fits, accountId);
    const soa = await this.findSoa(query.name);
    return soa && authoritativeResponse(query, [soa]);
  }

  private async findSoa(name: string): Promise<SoaAnswer | undefined> {
    const { zones, settings } = this.parts;
    if (name === settings.catalogZone) return catalogSoa(await zones.catalogVersion(), settings);
    const zone = await zones.find(name);
    return zone && zoneSoa(zone, settings);
  }

  private now(): number {
    return Math.floor(this.parts.clock.now().getTime() / 1_000);
  }
}

/** For a signed request. Nothing but queries and updates is implemented, like NOTIFY. */
function refusalOf({ opcode }: WireQuery): number {
  return opcode === OPCODE.QUERY || opcode === OPCODE.UPDATE ? RCODE.REFUSED : RCODE.NOTIMP;
}

/** A transfer shows the whole zone, so a key for some of its records gets none. */
function mayTransfer({ apiKey: { limits } }: AccountTsigKey): boolean {
  return !limits?.names && !limits?.types;
}
