import type { Rrset } from '../../../../domain/dns/dnssec/rrsig';
import type { DerivedChange, DerivedRrset } from '../../../ports/dns/signing-repository';
import { settleAll } from '../../../shared/settle-all';
import type { RrsetSigner, SignableRrset, Signatures } from './rrset-signer';
import { rowId, type StoredRows } from './stored-rows';

/** Fewer of one zone are signed in this thread. */
const SIGNED_AT_ONCE = 200;
/** So few signatures take this thread no longer than a message to another one. */
const FEW = 8;
/** Lists of `SIGNED_AT_ONCE` RRsets that wait for other threads: enough to keep these busy while more is computed. */
const MAX_LISTS = 8;

/** An RRset that the signed zone should have. */
export interface WantedRrset {
  /** Relative. */
  readonly name: string;
  readonly rrset: Rrset;
  /** The service makes the records. */
  readonly isDerived: boolean;
  readonly chainKey: string | null;
}

interface UnsignedRrset {
  readonly wanted: WantedRrset;
  readonly signable: SignableRrset;
  readonly before: DerivedRrset | null;
}

interface SignatureParts {
  readonly signer: RrsetSigner;
  /** Derived RRsets that get new signatures, as `name type`, even if they do not change. */
  readonly expiring?: ReadonlySet<string>;
  /** Other zones are signed at the same time, so that other threads sign few RRsets, too. */
  readonly isOneOfMany?: boolean;
}

/** Changes that are signed when they are to be written. */
export type PendingSignatures = Pick<SignatureChanges, 'signAll'>;

/** Compares the RRsets that a zone should have with the stored ones, and signs what differs while more is added. */
export class SignatureChanges {
  private readonly changes: DerivedChange[] = [];
  private readonly seen = new Set<string>();
  private readonly signing: Promise<void>[] = [];
  private unsigned: UnsignedRrset[] = [];

  constructor(
    private readonly parts: SignatureParts,
    private readonly stored: StoredRows,
  ) {}

  async add(rrsets: readonly WantedRrset[]): Promise<void> {
    const { expiring, signer } = this.parts;
    for (const wanted of rrsets) {
      const id = rowId(wanted.name, wanted.rrset.type);
      this.seen.add(id);
      const before = this.stored.row(id) ?? null;
      const signable = signer.signable(wanted.rrset);
      // A record of the service can become one of the user that says the same.
      const isSame = before?.digest === signable.digest && (before.rdata !== null) === wanted.isDerived;
      if (!isSame || expiring?.has(id)) this.unsigned.push({ wanted, signable, before });
    }
    while (this.unsigned.length >= SIGNED_AT_ONCE) await this.signSome();
  }

  /** Nothing is added after this. What the zone should not have at `names` is deleted. */
  finish(names: Iterable<string>): void {
    for (const before of this.stored.rowsAt(names))
      if (!this.seen.has(rowId(before.name, before.type))) this.changes.push({ before, after: null });
    if (this.parts.isOneOfMany && this.unsigned.length > FEW) void this.signSome();
  }

  /** After `finish`. */
  async signAll(): Promise<readonly DerivedChange[]> {
    for (const each of this.unsigned.splice(0)) this.change(each, this.parts.signer.sign(each.signable));
    await settleAll(this.signing);
    return this.changes;
  }

  private async signSome(): Promise<void> {
    const some = this.unsigned.slice(0, SIGNED_AT_ONCE);
    this.unsigned = this.unsigned.slice(SIGNED_AT_ONCE);
    const signing = this.signInBackground(some);
    // It is thrown at the end.
    signing.catch(() => undefined);
    this.signing.push(signing);
    await this.signing.at(-MAX_LISTS);
  }

  private async signInBackground(some: readonly UnsignedRrset[]): Promise<void> {
    const signed = await this.parts.signer.signInBackground(some.map(({ signable }) => signable));
    for (const [index, each] of some.entries()) this.change(each, signed[index] as Signatures);
  }

  private change({ wanted, before }: UnsignedRrset, signatures: Signatures): void {
    const { name, rrset, isDerived, chainKey } = wanted;
    const rdata = isDerived ? rrset.rdata : null;
    this.changes.push({ before, after: { name, type: rrset.type, ttl: rrset.ttl, rdata, chainKey, ...signatures } });
  }
}
