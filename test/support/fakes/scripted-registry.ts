import type { Clock } from '../../../src/application/ports/system/clock';
import { RegistryRejected, RegistryUnavailable } from '../../../src/application/ports/registry/registry-errors';
import type {
  AuthCode,
  Availability,
  ChargedDomain,
  GlueHost,
  RenewalPrices,
  RegistrationRequest,
  RegistryDomain,
  RegistryMessage,
} from '../../../src/application/ports/registry/registry-port';
import { LimitedRegistry } from '../../../src/infrastructure/registry/limited-registry';
import { listedFee, type PriceList } from '../../../src/infrastructure/registry/price-list';
import type { RegistryAdapter } from '../../../src/infrastructure/registry/registry-adapter';
import { DomainName } from '../../../src/domain/registration/domain-name';
import type { Nameservers } from '../../../src/domain/registration/nameservers';
import type { Registrant } from '../../../src/domain/registration/registrant';
import type { RegistrationTerm } from '../../../src/domain/registration/registration-term';
import { TldPolicies, type TldPolicy } from '../../../src/domain/registration/tld-policy';
import { addDays, addYears, sameDay } from '../../../src/domain/shared/calendar';
import { plus, type Money } from '../../../src/domain/shared/money';
import { A_REGISTRANT } from '../data/a-domain';
import { RegistryScript, type RegistryCommand, type Turn } from './registry-script';
import { SOME_TLDS } from '../data/some-tlds';

export interface RegistryCall {
  readonly command: RegistryCommand;
  readonly name?: string;
  readonly transactionId?: string;
}

export interface Charge {
  readonly kind: 'register' | 'renew' | 'restore';
  readonly name: string;
  readonly amount: Money;
}

interface Held extends RegistryDomain {
  readonly registrant: Registrant;
  readonly authCode: AuthCode | null;
}

const TRANSACTION_ID = /^[A-Za-z0-9-]{3,64}$/;
const MAX_YEARS_AHEAD = 10;
const DYING: readonly string[] = ['redemption', 'pending_restore', 'pending_delete'];
const DEFAULT_PRICE: PriceList = {
  registration: { minor: 10_00, currency: 'USD' },
  renewal: { minor: 12_00, currency: 'USD' },
  restore: { minor: 80_00, currency: 'USD' },
};

/**
 * A fake registry that implements the port, records calls and charges, and scripts single calls. Time changes nothing: tests
 * set phases with `hold`. A renewal does not end the auto-renew grace period, as RFC 3915 allows.
 */
export class ScriptedRegistry extends LimitedRegistry implements RegistryAdapter {
  protected readonly vendor = 'The scripted registry';
  /** Every received call, also those without a response. */
  readonly calls: RegistryCall[] = [];
  readonly charges: Charge[] = [];
  private readonly held = new Map<string, Held>();
  private readonly prices = new Map<string, PriceList>();
  private readonly script = new RegistryScript();
  private readonly transactionIds = new Set<string>();
  private readonly messages: RegistryMessage[] = [];
  private readonly suffixes: TldPolicies;
  private reachable = true;
  private tellsPhaseEnds = true;
  private serial = 0;

  /** The same for every account. */
  forAccount(): this {
    return this;
  }

  constructor(
    private readonly clock: Clock,
    private readonly tlds: readonly TldPolicy[] = SOME_TLDS,
  ) {
    super();
    this.suffixes = new TldPolicies(tlds);
  }

  /** Scripts the next call of `command`. Several scripts apply in order. */
  next(command: RegistryCommand): Turn {
    return this.script.next(command);
  }

  /** Rejects every call from now on. */
  goDown(): void {
    this.reachable = false;
  }

  /** From now on reports no end of phases: `phaseEndsAt` is an estimate one hour ahead. */
  hidePhaseEnds(): void {
    this.tellsPhaseEnds = false;
  }

  comeUp(): void {
    this.reachable = true;
  }

  /** Sets the registry's data of a name. We sponsor it unless `sponsoredByUs` is false. */
  hold(name: string, facts: Partial<RegistryDomain> = {}): void {
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
    };
    this.held.set(name, { ...registered, ...this.held.get(name), ...facts });
  }

  /** Makes the name available. */
  letGo(name: string): void {
    this.held.delete(name);
  }

  /** Fees of one year, and of terms that are not a multiple of it. */
  setPrice(name: string, price: Partial<PriceList>): void {
    this.prices.set(name, { ...this.quote(name), ...price });
  }

  /** Adds a message to the queue. */
  send(message: Pick<RegistryMessage, 'kind'> & { readonly name?: string; readonly text?: string }): void {
    const { kind, name, text = kind } = message;
    this.messages.push({
      id: this.serialNumber('message'),
      at: this.clock.now(),
      kind,
      text,
      ...(name !== undefined && { name: DomainName.fromState(name) }),
    });
  }

  callsOf(command: RegistryCommand): readonly RegistryCall[] {
    return this.calls.filter((call) => call.command === command);
  }

  policies(): readonly TldPolicy[] {
    return this.tlds;
  }

  check(names: readonly DomainName[], term?: RegistrationTerm): Promise<readonly Availability[]> {
    return this.answer({ command: 'check' }, () =>
      names.map((name): Availability => {
        const policy = this.suffixes.forName(name);
        if (!policy || this.held.has(name.value)) return { name, available: false };
        const list = this.quote(name.value);
        const registration = listedFee(list, 'registration', term?.years ?? policy.years.min);
        return {
          name,
          available: true,
          price: { registration, renewal: listedFee(list, 'renewal', policy.renewalYears.min), restore: list.restore },
        };
      }),
    );
  }

  price(name: DomainName, term?: RegistrationTerm): Promise<RenewalPrices> {
    return this.answer({ command: 'price', name: name.value }, () => {
      const policy = this.suffixes.forName(name);
      if (!policy) throw new RegistryRejected('unavailable', `.${name.parent} is not a TLD of this registry`);
      const list = this.quote(name.value);
      return { renewal: listedFee(list, 'renewal', term?.years ?? policy.renewalYears.min), restore: list.restore };
    });
  }

  register({ name, term, registrant, nameservers, price, transactionId }: RegistrationRequest): Promise<ChargedDomain> {
    return this.carryOut('register', name, transactionId, () => {
      if (!this.suffixes.forName(name) || this.held.has(name.value))
        throw new RegistryRejected('unavailable', `${name.value} is taken`);
      const charged = this.charge(
        'register',
        name,
        price,
        listedFee(this.quote(name.value), 'registration', term.years),
      );
      const now = this.clock.now();
      this.hold(name.value, { createdAt: now, expiresAt: addYears(now, term.years), nameservers: nameservers.hosts });
      return { ...this.change(name, { registrant }), charged };
    });
  }

  info(name: DomainName): Promise<RegistryDomain | undefined> {
    return this.answer({ command: 'info', name: name.value }, () => {
      const held = this.held.get(name.value);
      return held && this.factsOf(held);
    });
  }

  registrant(name: DomainName): Promise<Registrant | undefined> {
    return this.answer({ command: 'registrant', name: name.value }, () => this.held.get(name.value)?.registrant);
  }

  renew(
    name: DomainName,
    currentExpiry: Date,
    { years }: RegistrationTerm,
    transactionId: string,
    price?: Money,
  ): Promise<ChargedDomain> {
    return this.carryOut('renew', name, transactionId, () => {
      const { expiresAt } = this.alive(name);
      if (!sameDay(expiresAt, currentExpiry))
        throw new RegistryRejected('expiry_differs', `${name.value} does not expire on the date quoted`);
      const extended = addYears(expiresAt, years);
      if (extended > addYears(this.clock.now(), MAX_YEARS_AHEAD))
        throw new RegistryRejected('policy', 'No registration reaches more than ten years ahead');
      const amount = listedFee(this.quote(name.value), 'renewal', years);
      const charged = this.charge('renew', name, price ?? amount, amount);
      return { ...this.change(name, { expiresAt: extended }), charged };
    });
  }

  setNameservers(
    name: DomainName,
    { hosts }: Nameservers,
    _glue: readonly GlueHost[],
    transactionId: string,
  ): Promise<RegistryDomain> {
    return this.carryOut('setNameservers', name, transactionId, () => {
      this.alive(name);
      return this.change(name, { nameservers: hosts });
    });
  }

  setRegistrant(name: DomainName, registrant: Registrant, transactionId: string): Promise<void> {
    return this.carryOut('setRegistrant', name, transactionId, () => {
      this.alive(name);
      this.change(name, { registrant });
    });
  }

  setTransferLock(name: DomainName, transferLocked: boolean, transactionId: string): Promise<RegistryDomain> {
    return this.carryOut('setTransferLock', name, transactionId, () => {
      this.alive(name);
      return this.change(name, { transferLocked });
    });
  }

  issueAuthCode(name: DomainName, transactionId: string): Promise<AuthCode> {
    return this.carryOut('issueAuthCode', name, transactionId, () => {
      this.alive(name);
      const authCode = {
        code: this.serialNumber('auth-code'),
        expiresAt: addDays(this.clock.now(), this.suffixes.forName(name)?.periods.authCode ?? 0),
      };
      this.change(name, { authCode });
      return authCode;
    });
  }

  withdrawAuthCode(name: DomainName, transactionId: string): Promise<void> {
    return this.carryOut('withdrawAuthCode', name, transactionId, () => {
      this.requireSponsored(name);
      this.change(name, { authCode: null });
    });
  }

  restore(name: DomainName, price: Money, transactionId: string): Promise<ChargedDomain> {
    return this.carryOut('restore', name, transactionId, () => {
      const { phase, expiresAt } = this.requireSponsored(name);
      if (phase !== 'redemption') throw new RegistryRejected('status', `${name.value} is not in its redemption period`);
      const expired = expiresAt <= this.clock.now();
      const years = this.suffixes.forName(name)?.renewalYears.min ?? 1;
      const list = this.quote(name.value);
      const charged = this.charge(
        'restore',
        name,
        price,
        expired ? plus(list.restore, listedFee(list, 'renewal', years)) : list.restore,
      );
      return {
        ...this.change(name, { phase: 'registered', expiresAt: expired ? addYears(expiresAt, years) : expiresAt }),
        charged,
      };
    });
  }

  delete(name: DomainName, transactionId: string): Promise<RegistryDomain | undefined> {
    return this.carryOut('delete', name, transactionId, () => {
      const { createdAt, phase, expiresAt } = this.alive(name);
      const { addGrace, redemption } = this.suffixes.forName(name)?.periods ?? { addGrace: 0, redemption: 0 };
      if (this.clock.now() < addDays(createdAt, addGrace)) {
        this.letGo(name.value);
        return undefined;
      }
      const taken = phase === 'auto_renew_grace' ? addYears(expiresAt, -1) : expiresAt;
      return this.change(name, {
        phase: 'redemption',
        phaseEndsAt: addDays(this.clock.now(), redemption),
        expiresAt: taken,
      });
    });
  }

  poll(): Promise<RegistryMessage | undefined> {
    return this.answer({ command: 'poll' }, () => this.messages[0]);
  }

  acknowledge(messageId: string): Promise<void> {
    return this.answer({ command: 'acknowledge' }, () => {
      const index = this.messages.findIndex(({ id }) => id === messageId);
      if (index >= 0) this.messages.splice(index, 1);
    });
  }

  private async answer<T>(call: RegistryCall, effect: () => T): Promise<T> {
    this.calls.push(call);
    if (!this.reachable) throw new RegistryUnavailable();
    return this.script.meet(call.command, effect);
  }

  /** A rejected command changes nothing, but uses up its transaction id. */
  private carryOut<T>(
    command: RegistryCommand,
    { value: name }: DomainName,
    transactionId: string,
    effect: () => T,
  ): Promise<T> {
    return this.answer({ command, name, transactionId }, () => {
      if (!TRANSACTION_ID.test(transactionId) || this.transactionIds.has(transactionId))
        throw new RegistryRejected('policy', 'The transaction id is malformed or was used before');
      this.transactionIds.add(transactionId);
      return effect();
    });
  }

  private requireSponsored(name: DomainName): Held {
    const held = this.held.get(name.value);
    if (!held?.sponsoredByUs) throw new RegistryRejected('not_held', `${name.value} is not held by us`);
    return held;
  }

  private alive(name: DomainName): Held {
    const held = this.requireSponsored(name);
    if (DYING.includes(held.phase) || held.transferPending)
      throw new RegistryRejected(
        'status',
        `${name.value} is ${held.transferPending ? 'being transferred' : held.phase}`,
      );
    return held;
  }

  private change(name: DomainName, part: Partial<Held>): RegistryDomain {
    const changed = { ...this.requireSponsored(name), ...part };
    this.held.set(name.value, changed);
    return this.factsOf(changed);
  }

  private charge(kind: Charge['kind'], { value: name }: DomainName, told: Money, amount: Money): Money {
    if (told.minor !== amount.minor || told.currency !== amount.currency)
      throw new RegistryRejected('price_changed', `${name} costs another amount`);
    this.charges.push({ kind, name, amount });
    return amount;
  }

  private quote(name: string): PriceList {
    return this.prices.get(name) ?? DEFAULT_PRICE;
  }

  private factsOf({ registrant: _registrant, authCode: _authCode, ...facts }: Held): RegistryDomain {
    if (this.tellsPhaseEnds || facts.phaseEndsAt === undefined) return facts;
    return { ...facts, phaseEndsAt: addDays(this.clock.now(), 1 / 24), phaseEndIsEstimate: true };
  }

  private serialNumber(what: string): string {
    this.serial += 1;
    return `${what}-${this.serial}`;
  }
}
