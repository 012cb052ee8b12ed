import type { Clock } from '../../../src/application/ports/system';
import { RegistryRejected } from '../../../src/application/ports/registry/registry-errors';
import type { AuthCode, RegistryDomain } from '../../../src/application/ports/registry/registry-port';
import type { RegistryTransfer, TransferRequest } from '../../../src/application/ports/registry/registry-transfers';
import type { PriceList } from '../../../src/infrastructure/registry/price-list';
import { LimitedRegistry } from '../../../src/infrastructure/registry/limited-registry';
import type { DsRecord } from '../../../src/domain/dns/delegation/ds-record';
import { DomainName } from '../../../src/domain/shared/domain-name';
import type { Registrant } from '../../../src/domain/registration/registrant';
import { addDays, addYears } from '../../../src/domain/shared/time/calendar';
import type { Money } from '../../../src/domain/shared/money';
import { A_REGISTRANT } from '../data/a-domain';

export const DYING: readonly string[] = ['redemption', 'pending_restore', 'pending_delete'];
/** A name whose restore has a price. */
type RestorablePrice = PriceList & { readonly restore: Money };
const DEFAULT_PRICE: RestorablePrice = {
  registration: { minor: 10_00, currency: 'USD' },
  renewal: { minor: 12_00, currency: 'USD' },
  restore: { minor: 80_00, currency: 'USD' },
};

interface Charge {
  readonly kind: 'register' | 'renew' | 'restore' | 'transfer';
  readonly name: string;
  readonly amount: Money;
}

export interface Held extends RegistryDomain {
  readonly registrant: Registrant;
  readonly authCode: AuthCode | null;
  readonly dsRecords: readonly DsRecord[];
  readonly transfer: RegistryTransfer | null;
  /** Our pending transfer request. */
  readonly request: TransferRequest | null;
}

/** The names at a scripted registry and what they cost. Tests set them, and other registrars transfer them. */
export abstract class ScriptedNames extends LimitedRegistry {
  readonly charges: Charge[] = [];
  private readonly prices = new Map<string, RestorablePrice>();
  protected readonly held = new Map<string, Held>();
  /** What reads show of names whose reads lag. */
  private readonly lagging = new Map<string, Held | undefined>();
  private estimateOf: ((end: Date) => Date) | undefined;
  private showsDatesByCode = false;

  constructor(protected readonly clock: Clock) {
    super();
  }

  /** From now on reports no end of phases: `phaseEndsAt` is an estimate, one hour ahead if not given. */
  hidePhaseEnds(estimateOf: (end: Date) => Date = () => addDays(this.clock.now(), 1 / 24)): void {
    this.estimateOf = estimateOf;
  }

  /** From now on shows the dates of other registrars' names only with their auth code. */
  hideDatesElsewhere(): void {
    this.showsDatesByCode = true;
  }

  /** Fees of one year, and of terms that are not a multiple of it. */
  setPrice(name: string, price: Partial<PriceList>): void {
    this.prices.set(name, { ...this.quote(name), ...price });
  }

  /** Sets the registry's data of a name. We sponsor it unless `sponsoredByUs` is false. */
  hold(name: string, facts: Partial<RegistryDomain> & { readonly registrant?: Registrant } = {}): void {
    const now = this.clock.now();
    const registered: Held = {
      name: DomainName.fromState(name),
      phase: 'registered',
      sponsoredByUs: true,
      createdByUs: facts.sponsoredByUs ?? true,
      createdAt: now,
      expiresAt: addYears(now, 1),
      nameservers: [],
      transferLocked: true,
      transferPending: false,
      registrant: A_REGISTRANT,
      authCode: null,
      dsRecords: [],
      transfer: null,
      request: null,
    };
    this.held.set(name, { ...registered, ...this.held.get(name), ...facts });
  }

  /** Sets the registry's data of a name that another registrar sponsors, unlocked and with this auth code. */
  holdElsewhere(name: string, code: string, facts: Partial<RegistryDomain> = {}): void {
    this.hold(name, { sponsoredByUs: false, createdByUs: false, transferLocked: false, ...facts });
    this.patch(name, { authCode: { code, expiresAt: addYears(this.clock.now(), 1) } });
  }

  /** Requests a transfer as another registrar, with the name's auth code unless it is given. Returns whether it is accepted. */
  requestTransferOut(name: string, authCode?: string, endsAt?: Date): boolean {
    const { transferLocked, authCode: present } = this.held.get(name) ?? {};
    if (authCode !== undefined && (transferLocked || present?.code !== authCode)) return false;
    const transfer: RegistryTransfer = {
      name: DomainName.fromState(name),
      direction: 'out',
      status: 'pending',
      requestedAt: this.clock.now(),
      ...(endsAt && { endsAt }),
    };
    this.patch(name, { transferPending: true, transfer });
    return true;
  }

  /** Ends the pending transfer of a name as the other registrar or the registry. Completed, it charges a transfer to us. */
  endTransfer(name: string, status: 'completed' | 'rejected' | 'cancelled'): void {
    const { transfer, request, expiresAt } = this.pendingTransfer(name);
    const { endsAt: _endsAt, ...ended } = { ...transfer, status };
    this.patch(name, { transferPending: false, transfer: ended, request: null });
    if (status !== 'completed') return;
    this.patch(name, { sponsoredByUs: request !== null, authCode: null });
    if (!request) return;
    this.charges.push({ kind: 'transfer', name, amount: request.price });
    this.patch(name, {
      transfer: { ...ended, charged: request.price },
      registrant: request.registrant,
      expiresAt: addYears(expiresAt, request.term.years),
    });
  }

  /** From now on, reads show the name as it is now. */
  lagReads(name: string): void {
    this.lagging.set(name, this.held.get(name));
  }

  /** Ends `lagReads`. */
  catchUp(name: string): void {
    this.lagging.delete(name);
  }

  /** Makes the name available. */
  letGo(name: string): void {
    this.held.delete(name);
  }

  protected pendingTransfer(name: string): Held & { readonly transfer: RegistryTransfer } {
    const held = this.held.get(name);
    if (held?.transfer?.status !== 'pending') throw new RegistryRejected('status', `No transfer of ${name} is pending`);
    return { ...held, transfer: held.transfer };
  }

  protected shown(name: string): Held | undefined {
    return this.lagging.has(name) ? this.lagging.get(name) : this.held.get(name);
  }

  protected visibleTo(held: Held, authCode: string | undefined): RegistryDomain {
    const isWhole = !this.showsDatesByCode || held.sponsoredByUs || held.authCode?.code === authCode;
    return { ...this.factsOf(held), ...(!isWhole && { createdAt: new Date(0), expiresAt: new Date(0) }) };
  }

  protected patch(name: string, part: Partial<Held>): void {
    const held = this.held.get(name);
    if (!held) throw new TypeError(`${name} is not registered`);
    this.held.set(name, { ...held, ...part });
  }

  protected factsOf({
    registrant: _registrant,
    authCode: _authCode,
    dsRecords: _dsRecords,
    transfer: _transfer,
    request: _request,
    ...facts
  }: Held): RegistryDomain {
    if (!this.estimateOf || facts.phaseEndsAt === undefined) return facts;
    return { ...facts, phaseEndsAt: this.estimateOf(facts.phaseEndsAt), phaseEndIsEstimate: true };
  }

  protected requireSponsored(name: DomainName): Held {
    const held = this.held.get(name.value);
    if (!held?.sponsoredByUs) throw new RegistryRejected('not_held', `${name.value} is not held by us`);
    return held;
  }

  protected alive(name: DomainName): Held {
    const held = this.requireSponsored(name);
    if (DYING.includes(held.phase) || held.transferPending)
      throw new RegistryRejected(
        'status',
        `${name.value} is ${held.transferPending ? 'being transferred' : held.phase}`,
      );
    return held;
  }

  protected change(name: DomainName, part: Partial<Held>): RegistryDomain {
    const changed = { ...this.requireSponsored(name), ...part };
    this.held.set(name.value, changed);
    return this.factsOf(this.shown(name.value) ?? changed);
  }

  protected charge(kind: Charge['kind'], { value: name }: DomainName, told: Money, amount: Money): Money {
    if (told.minor !== amount.minor || told.currency !== amount.currency)
      throw new RegistryRejected('price_changed', `${name} costs another amount`);
    this.charges.push({ kind, name, amount });
    return amount;
  }

  protected quote(name: string): RestorablePrice {
    return this.prices.get(name) ?? DEFAULT_PRICE;
  }
}
