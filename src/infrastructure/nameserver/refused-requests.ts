import type { SecondaryDirectory } from '../../application/ports/dns/publishing';
import type { Log } from '../../application/ports/system';
import type { TsigKey } from '../../domain/dns/secondaries/tsig-key';
import { RCODE } from './update-responder';
import type { ResponseChannel } from './wire/response-channel';
import { TSIG_ERROR, type TsigResult } from './wire/tsig';
import { TYPE, type WireQuery, type WireTsig } from './wire/wire-query';

/** The same refusal is logged again after this time. */
const QUIET_SECONDS = 600;
const MAX_KNOWN = 1_000;
const RCODE_AT = 3;

/** Logs why requests of secondaries and of clients with a TSIG key are refused, each once in ten minutes. */
export class RefusedRequests {
  /** When it is logged again, in seconds since 1970; oldest first. */
  private readonly quietUntil = new Map<string, number>();

  constructor(
    private readonly directory: Pick<SecondaryDirectory, 'all'>,
    private readonly log: Log,
  ) {}

  badSignature(query: WireQuery, address: string, key: TsigKey | undefined, result: TsigResult, now: number): void {
    if (!query.tsig || result === 'valid') return;
    const { keyName, algorithm } = query.tsig;
    const reason = reasonOf(query.tsig, key, result);
    if (this.isNew(`${keyName} ${algorithm} ${reason}`, now))
      this.log.warn(
        { key: keyName, algorithm, name: query.name, address, reason },
        'a DNS request with an invalid TSIG signature was refused',
      );
  }

  /** The channel of a request for a transfer, which reports its refusal if a known secondary has sent the request. */
  watch(query: WireQuery, channel: ResponseChannel, now: number): ResponseChannel {
    if (query.type !== TYPE.AXFR && query.type !== TYPE.IXFR) return channel;
    return {
      transport: channel.transport,
      address: channel.address,
      markAuthenticated: (as) => channel.markAuthenticated(as),
      close: () => channel.close(),
      send: async (message) => {
        const rcode = (message[RCODE_AT] ?? 0) & 15;
        if (rcode === RCODE.REFUSED || rcode === RCODE.NOTAUTH) await this.transfer(query, channel.address, now);
        await channel.send(message);
      },
    };
  }

  private async transfer({ name, tsig }: WireQuery, address: string, now: number): Promise<void> {
    // Strangers must not cause a read of the database each time.
    if (!this.isNew(`transfer ${address}`, now)) return;
    const secondaries = await this.directory.all();
    const secondary = secondaries.find(({ endpoint, keyName }) =>
      tsig ? keyName === tsig.keyName : endpoint.address === address,
    );
    if (!secondary) return;
    const reason = tsig
      ? 'the zone is not served, the signature is not valid, or the request came over UDP'
      : `the request is not signed with the key ${secondary.keyName}`;
    this.log.warn({ secondary: secondary.name, zone: name, address, reason }, 'a zone transfer was refused');
  }

  private isNew(refusal: string, now: number): boolean {
    for (const [oldest, until] of this.quietUntil) {
      if (until > now && this.quietUntil.size < MAX_KNOWN) break;
      this.quietUntil.delete(oldest);
    }
    if (this.quietUntil.has(refusal)) return false;
    this.quietUntil.set(refusal, now + QUIET_SECONDS);
    return true;
  }
}

/** RFC 8945, section 5.2. */
function reasonOf({ algorithm }: WireTsig, key: TsigKey | undefined, result: Exclude<TsigResult, 'valid'>): string {
  if (!key) return 'BADKEY: no active key has this name';
  if (key.algorithm !== algorithm) return `BADKEY: the key is for ${key.algorithm}`;
  if (result === 'malformed') return 'the signature has a wrong length';
  if (result.error === TSIG_ERROR.BADTIME) return 'BADTIME: the clocks differ by more than 5 minutes';
  return result.error === TSIG_ERROR.BADSIG
    ? 'BADSIG: the secret is another one'
    : 'BADTRUNC: the signature is cut off';
}
