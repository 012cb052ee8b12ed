import { createHash } from 'node:crypto';
import {
  canonicalRrset,
  signRrset,
  signRrsetInBackground,
  type PrivateSigningKey,
  type Rrset,
} from '../../../domain/dns/dnssec/rrsig';

const HOUR_S = 3_600;
const DAY_S = 24 * HOUR_S;
/** Clocks of resolvers may be behind. */
const BEFORE_S = HOUR_S;
const VALID_S = 14 * DAY_S;
const REFRESHED_BEFORE_END_S = 7 * DAY_S;
/** Spreads the refresh of what was signed at once. */
const JITTER_S = DAY_S;
/** Octets of a digest that choose the jitter. */
const JITTER_OCTETS = 4;

export interface Signatures {
  /** RDATA of RRSIG records, one for each key. */
  readonly signatures: readonly Buffer[];
  readonly digest: string;
  readonly refreshAt: Date;
}

/** Equal for the same RRset and keys. */
export function digestOf(rrset: Rrset, keys: readonly PrivateSigningKey[]): string {
  const hash = createHash('sha256').update(canonicalRrset(rrset));
  for (const { id } of keys) hash.update(` ${id}`);
  return hash.digest('base64url');
}

/** Signs the RRsets of one zone. What it has signed before, it returns again. */
export class RrsetSigner {
  private readonly signed = new Map<string, Signatures>();

  constructor(
    private readonly zoneName: string,
    private readonly keys: readonly PrivateSigningKey[],
    private readonly now: Date,
  ) {}

  digestOf(rrset: Rrset): string {
    return digestOf(rrset, this.keys);
  }

  sign(rrset: Rrset, digest = this.digestOf(rrset)): Signatures {
    const known = this.signed.get(digest);
    return (
      known ??
      this.keep(
        this.keys.map((key) => signRrset(this.request(rrset, key))),
        digest,
      )
    );
  }

  /** In other threads, for many RRsets. */
  async signInBackground(rrset: Rrset, digest = this.digestOf(rrset)): Promise<Signatures> {
    const known = this.signed.get(digest);
    if (known) return known;
    const signatures = await Promise.all(this.keys.map((key) => signRrsetInBackground(this.request(rrset, key))));
    return this.keep(signatures, digest);
  }

  private keep(signatures: readonly Buffer[], digest: string): Signatures {
    const jitter = Buffer.from(digest, 'base64url').readUInt32BE(JITTER_OCTETS) % JITTER_S;
    const refreshAt = (this.seconds + VALID_S - REFRESHED_BEFORE_END_S - jitter) * 1_000;
    const made = { signatures, digest, refreshAt: new Date(refreshAt) };
    this.signed.set(digest, made);
    return made;
  }

  private request(rrset: Rrset, key: PrivateSigningKey) {
    const { seconds, zoneName } = this;
    const period = { inception: seconds - BEFORE_S, expiration: seconds + VALID_S };
    return { rrset, zoneName, key, period };
  }

  private get seconds(): number {
    return Math.floor(this.now.getTime() / 1_000);
  }
}
