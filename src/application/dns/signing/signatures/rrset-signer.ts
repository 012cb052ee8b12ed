import { hash } from 'node:crypto';
import type { BackgroundSigner } from '../../../ports/dns/signing-repository';
import { writeName } from '../../../../domain/dns/records/types/rdata/wire-name';
import {
  canonicalRrset,
  signatureInput,
  signData,
  type PrivateSigningKey,
  type Rrset,
  type SignatureRequest,
} from '../../../../domain/dns/dnssec/rrsig';

const HOUR_S = 3_600;
const DAY_S = 24 * HOUR_S;
/** Clocks of resolvers may be behind. */
const BEFORE_S = HOUR_S;
const VALID_S = 14 * DAY_S;
const REFRESHED_BEFORE_END_S = 7 * DAY_S;
/** Spreads the refresh of signatures that were made together. */
const JITTER_S = DAY_S;
/** RRsets with the same jitter: they are refreshed together, and few pages of the index of what is due change with them. */
const SAME_JITTER = 500;

export interface Signatures {
  /** RDATA of RRSIG records, one for each key. */
  readonly signatures: readonly Buffer[];
  readonly digest: string;
  readonly refreshAt: Date;
}

/** An RRset in the form that is signed. */
export interface SignableRrset {
  readonly rrset: Rrset;
  readonly canonical: Buffer;
  /** Equal for the same RRset and keys. */
  readonly digest: string;
}

/** Signs the RRsets of one zone. What it has signed before, it returns again. */
export class RrsetSigner {
  private readonly signed = new Map<string, Signatures>();
  private jitter = 0;

  private readonly signerName: Buffer;
  private readonly keyIds: Buffer;

  constructor(
    private readonly zoneName: string,
    private readonly keys: readonly PrivateSigningKey[],
    private readonly now: Date,
    private readonly background: BackgroundSigner,
  ) {
    this.signerName = writeName(zoneName);
    this.keyIds = Buffer.from(keys.map(({ id }) => ` ${id}`).join(''));
  }

  signable(rrset: Rrset): SignableRrset {
    const octets = canonicalRrset(rrset, this.keyIds);
    const canonical = octets.subarray(0, octets.length - this.keyIds.length);
    return { rrset, canonical, digest: hash('sha256', octets, 'base64url') };
  }

  sign(signable: SignableRrset): Signatures {
    const known = this.signed.get(signable.digest);
    if (known) return known;
    const signatures = this.keys.map((key) => {
      const { head, data } = signatureInput(this.request(signable, key));
      return Buffer.concat([head, signData(key.privateKey, data)]);
    });
    return this.keep(signatures, signable.digest);
  }

  /** Many, in other threads. */
  async signInBackground(rrsets: readonly SignableRrset[]): Promise<readonly Signatures[]> {
    const unsigned = rrsets.filter(({ digest }) => !this.signed.has(digest));
    const ofKeys = await Promise.all(this.keys.map((key) => this.signWith(key, unsigned)));
    for (const [index, { digest }] of unsigned.entries())
      this.keep(
        ofKeys.map((signatures) => signatures[index] as Buffer),
        digest,
      );
    return rrsets.map(({ digest }) => this.signed.get(digest) as Signatures);
  }

  private async signWith(key: PrivateSigningKey, rrsets: readonly SignableRrset[]): Promise<readonly Buffer[]> {
    if (rrsets.length === 0) return [];
    const inputs = rrsets.map((signable) => signatureInput(this.request(signable, key)));
    const signatures = await this.background.sign(
      key.privateKey,
      inputs.map(({ data }) => data),
    );
    return inputs.map(({ head }, index) => Buffer.concat([head, signatures[index] as Buffer]));
  }

  private keep(signatures: readonly Buffer[], digest: string): Signatures {
    const { size } = this.signed;
    // Batches of a zone that are refreshed one after the other after an outage are spread again.
    const hour = Math.floor(this.seconds / HOUR_S);
    if (size % SAME_JITTER === 0)
      this.jitter = hash('sha256', `${this.zoneName} ${size} ${hour}`, 'buffer').readUInt32BE() % JITTER_S;
    const refreshAt = (this.seconds + VALID_S - REFRESHED_BEFORE_END_S - this.jitter) * 1_000;
    const made = { signatures, digest, refreshAt: new Date(refreshAt) };
    this.signed.set(digest, made);
    return made;
  }

  private request({ rrset, canonical }: SignableRrset, key: PrivateSigningKey): SignatureRequest {
    const { seconds, signerName } = this;
    const period = { inception: seconds - BEFORE_S, expiration: seconds + VALID_S };
    return { rrset, canonical, signerName, key, period };
  }

  private get seconds(): number {
    return Math.floor(this.now.getTime() / 1_000);
  }
}
