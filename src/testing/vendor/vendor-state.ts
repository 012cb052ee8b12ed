import { addDays, addYears } from '../../domain/shared/time/calendar';

/** A name at the vendor. Handlers change it in place. */
export interface VendorDomain {
  readonly id: number;
  readonly name: string;
  /** Whether our account holds it. Otherwise another registrar sponsors it. */
  held: boolean;
  createdAt: Date;
  expiresAt: Date;
  nameservers: string[];
  locked: boolean;
  autoRenew: boolean;
  authCode: string;
  /** Contacts in the vendor's format. */
  contacts: unknown;
  dsRecords: { keyTag: number; algorithm: number; digestType: number; digest: string }[];
  /** Glue addresses by host name. */
  readonly glue: Map<string, readonly string[]>;
  /** Records of the vendor's own DNS service, in the vendor's format. */
  records: unknown[];
}

/** An entry in the vendor's books. */
export interface VendorLedgerEntry {
  readonly id: number;
  readonly kind: 'registration' | 'renewal' | 'restore' | 'transfer';
  readonly name: string;
  readonly years: number;
  /** In minor units. */
  readonly amount: number;
  readonly at: Date;
  status: 'open' | 'completed' | 'failed' | 'refunded';
}

export interface VendorTransfer {
  readonly id: number;
  readonly name: string;
  readonly direction: 'in' | 'out';
  readonly requestedAt: Date;
  /** When a pending transfer completes. */
  readonly endsAt: Date;
  status: 'pending' | 'completed' | 'rejected' | 'cancelled';
  readonly orderId?: number;
}

/** How long a transfer is pending, in days. */
const TRANSFER_DAYS = 5;
/** Another registrar's names are older than a transfer lock lasts. */
const AGE_OF_OTHERS_DAYS = 200;

/** What a vendor knows: a clock, names, contacts, its books and transfers. */
export class VendorState {
  readonly domains = new Map<string, VendorDomain>();
  readonly contacts = new Map<number, unknown>();
  readonly ledger: VendorLedgerEntry[] = [];
  readonly transfers: VendorTransfer[] = [];
  /** In minor units. */
  balance = 100_000_000;
  private advancedMs = 0;
  private lastId = 1_000;

  /** A copy that later changes do not reach. */
  copy(): VendorState {
    const copied = new VendorState();
    for (const [name, domain] of this.domains)
      copied.domains.set(name, { ...domain, glue: new Map(domain.glue), records: [...domain.records] });
    for (const [id, contact] of this.contacts) copied.contacts.set(id, contact);
    copied.ledger.push(...this.ledger.map((entry) => ({ ...entry })));
    copied.transfers.push(...this.transfers.map((transfer) => ({ ...transfer })));
    copied.balance = this.balance;
    copied.advancedMs = this.advancedMs;
    copied.lastId = this.lastId;
    return copied;
  }

  now(): Date {
    return new Date(Date.now() + this.advancedMs);
  }

  nextId(): number {
    return (this.lastId += 1);
  }

  /** Advances the clock and completes the transfers that fall due. */
  advance(days: number): void {
    this.advancedMs = addDays(this.now(), days).getTime() - Date.now();
    for (const transfer of this.transfers)
      if (transfer.status === 'pending' && transfer.endsAt <= this.now()) this.completeTransfer(transfer);
  }

  /** A name that our account holds. */
  held(name: string): VendorDomain | undefined {
    const domain = this.domains.get(name);
    return domain?.held === true ? domain : undefined;
  }

  addDomain(name: string, years: number, parts: Partial<VendorDomain> = {}): VendorDomain {
    const createdAt = parts.createdAt ?? this.now();
    const id = this.nextId();
    const domain: VendorDomain = {
      id,
      name,
      held: true,
      createdAt,
      expiresAt: addYears(createdAt, years),
      nameservers: [],
      locked: true,
      autoRenew: false,
      authCode: `auth-${id}-Ab1!`,
      contacts: undefined,
      dsRecords: [],
      glue: new Map(),
      records: [],
      ...parts,
    };
    this.domains.set(name, domain);
    return domain;
  }

  /** A name that another registrar sponsors and that can be transferred to us with its auth code. */
  addDomainElsewhere(name: string, parts: Partial<VendorDomain> = {}): VendorDomain {
    const createdAt = addDays(this.now(), -AGE_OF_OTHERS_DAYS);
    return this.addDomain(name, 1, { held: false, locked: false, createdAt, ...parts });
  }

  /** Enters an order and charges it. */
  charge(
    entry: Pick<VendorLedgerEntry, 'kind' | 'name' | 'years' | 'amount'> & Partial<Pick<VendorLedgerEntry, 'status'>>,
  ): VendorLedgerEntry {
    const charged: VendorLedgerEntry = { status: 'completed', ...entry, id: this.nextId(), at: this.now() };
    this.balance -= entry.amount;
    this.ledger.push(charged);
    return charged;
  }

  refund(entry: VendorLedgerEntry): void {
    if (entry.status === 'refunded') return;
    entry.status = 'refunded';
    this.balance += entry.amount;
  }

  /** The latest transfer of a name. */
  transferOf(name: string, direction: VendorTransfer['direction']): VendorTransfer | undefined {
    return this.transfers.findLast((transfer) => transfer.name === name && transfer.direction === direction);
  }

  startTransfer(name: string, direction: VendorTransfer['direction'], orderId?: number): VendorTransfer {
    const requestedAt = this.now();
    const transfer: VendorTransfer = {
      id: this.nextId(),
      name,
      direction,
      requestedAt,
      endsAt: addDays(requestedAt, TRANSFER_DAYS),
      status: 'pending',
      ...(orderId !== undefined && { orderId }),
    };
    this.transfers.push(transfer);
    return transfer;
  }

  completeTransfer(transfer: VendorTransfer): void {
    const domain = this.domains.get(transfer.name);
    if (!domain) throw new TypeError(`${transfer.name} is not registered`);
    transfer.status = 'completed';
    const order = this.ledger.find(({ id }) => id === transfer.orderId);
    if (order) order.status = 'completed';
    domain.held = transfer.direction === 'in';
    domain.expiresAt = addYears(domain.expiresAt, 1);
    domain.authCode = `auth-${this.nextId()}-Ab1!`;
  }

  /** Ends a pending transfer without its completion, and refunds it. */
  endTransfer(transfer: VendorTransfer, status: 'rejected' | 'cancelled'): void {
    transfer.status = status;
    const order = this.ledger.find(({ id }) => id === transfer.orderId);
    if (order) this.refund(order);
  }

  /** As the other registrar of the pending transfer of a name. */
  decideElsewhere(name: string, decision: 'approve' | 'reject' | 'cancel'): void {
    const transfer = this.transfers.findLast((each) => each.name === name && each.status === 'pending');
    if (!transfer) throw new TypeError(`no transfer of ${name} is pending`);
    if (decision === 'approve') this.completeTransfer(transfer);
    else this.endTransfer(transfer, decision === 'reject' ? 'rejected' : 'cancelled');
  }

  /** As another registrar. Returns whether the registry accepts it. */
  requestTransferOut(name: string, authCode: string): boolean {
    const domain = this.held(name);
    if (!domain || domain.locked || domain.authCode !== authCode) return false;
    if (this.transferOf(name, 'out')?.status === 'pending') return false;
    this.startTransfer(name, 'out');
    return true;
  }
}
