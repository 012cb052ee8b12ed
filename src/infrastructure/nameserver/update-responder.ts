import { emit } from '../../application/shared/observation';
import type { AccountTsigKey } from '../../application/access/api-keys/find-tsig-key';
import type { RateLimiter } from '../../application/ports/access/rate-limits-and-usage';
import type { UpdateZone } from '../../application/dns/records/update-zone';
import type { Log } from '../../application/ports/system';
import type { Transport } from './wire/response-channel';
import { CLASS, TYPE, type WireQuery, type WireTsig } from './wire/wire-query';
import { readUpdate } from './wire/wire-update';

/** RFC 1035, section 4.1.1, and RFC 2136, section 2.2. */
export const RCODE = {
  NOERROR: 0,
  FORMERR: 1,
  SERVFAIL: 2,
  NXDOMAIN: 3,
  NOTIMP: 4,
  REFUSED: 5,
  YXDOMAIN: 6,
  YXRRSET: 7,
  NXRRSET: 8,
  NOTAUTH: 9,
  NOTZONE: 10,
} as const;

const RCODE_NAMES: ReadonlyMap<number, string> = new Map(Object.entries(RCODE).map(([name, code]) => [code, name]));

/** A repetition arrives within the time that its signature is valid, 300 s before and after. */
const REMEMBERED_MS = 600_000;
const MAX_REMEMBERED = 10_000;

/** How long a response may wait until every secondary serves the change, in milliseconds. */
export type UpdateWaits = Readonly<Record<Transport, number>>;

interface UpdateParts {
  readonly updates: Pick<UpdateZone, 'execute'>;
  readonly updateWaits: UpdateWaits;
  readonly accountLimiter: RateLimiter;
  readonly log: Log;
}

/** Counts a signed request of an account, as the REST interface counts its requests. */
export async function isWithinRateLimit(
  { accountLimiter, log }: Pick<UpdateParts, 'accountLimiter' | 'log'>,
  { apiKey }: AccountTsigKey,
  { name }: WireQuery,
  cost: number,
): Promise<boolean> {
  const state = await accountLimiter.consume(apiKey.accountId, cost);
  if (!state?.exceeded) return true;
  log.warn({ key: apiKey.keyId, zone: name }, 'a DNS request exceeds the rate limit of its account');
  return false;
}

export interface UpdateResponse {
  readonly rcode: number;
  /** Of a refusal, for an extended DNS error. */
  readonly reason?: string;
}

interface Remembered {
  /** Undefined: over the rate limit. */
  readonly response: Promise<UpdateResponse | undefined>;
  readonly until: number;
}

/**
 * Carries out UPDATE requests (RFC 2136). The same signed message is carried out once: a repetition waits for the first
 * response and gets the same code.
 */
export class UpdateResponder {
  /** By key name and MAC, oldest first. */
  private readonly remembered = new Map<string, Remembered>();

  constructor(private readonly parts: UpdateParts) {}

  async respond(query: WireQuery, tsig: WireTsig, key: AccountTsigKey, transport: Transport): Promise<UpdateResponse> {
    const id = `${key.name} ${tsig.mac.toString('base64')}`;
    const known = this.remembered.get(id);
    const response = known?.response ?? this.execute(query, key, { messageId: id, transport });
    if (!known) this.remember(id, response);
    const responded = (await response) ?? { rcode: RCODE.REFUSED };
    const { rcode } = responded;
    emit(() => ({ kind: 'dynamic update', rcode: RCODE_NAMES.get(rcode) ?? String(rcode) }));
    return responded;
  }

  private async execute(
    query: WireQuery,
    key: AccountTsigKey,
    { messageId, transport }: { readonly messageId: string; readonly transport: Transport },
  ): Promise<UpdateResponse | undefined> {
    if (!(await isWithinRateLimit(this.parts, key, query, 1))) return undefined;
    if (query.type !== TYPE.SOA) return { rcode: RCODE.FORMERR };
    if (query.class !== CLASS.IN) return { rcode: RCODE.NOTAUTH };
    const { updates, updateWaits, log } = this.parts;
    const { outcome, ...reason } = await updates.execute({
      key: key.apiKey,
      zoneName: query.name,
      message: readUpdate(query),
      messageId,
      waitMs: updateWaits[transport],
    });
    if (outcome === 'REFUSED' || outcome === 'SERVFAIL')
      log.warn({ key: key.apiKey.keyId, zone: query.name, rcode: outcome }, 'a dynamic update was refused');
    return { rcode: RCODE[outcome], ...reason };
  }

  /** A request that failed or was over the rate limit is carried out when it is repeated: it must not displace those that were. */
  private remember(id: string, response: Remembered['response']): void {
    const now = Date.now();
    for (const [oldest, { until }] of this.remembered) {
      if (until > now && this.remembered.size < MAX_REMEMBERED) break;
      this.remembered.delete(oldest);
    }
    this.remembered.set(id, { response, until: now + REMEMBERED_MS });
    const forget = (): void => void this.remembered.delete(id);
    response.then((known) => (known === undefined || known.rcode === RCODE.SERVFAIL ? forget() : undefined), forget);
  }
}
