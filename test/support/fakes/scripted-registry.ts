import type { Clock } from '../../../src/application/ports/system';
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
import type { NamePage } from '../../../src/application/ports/registry/registries';
import type { RegistryTransfer, TransferRequest } from '../../../src/application/ports/registry/registry-transfers';
import type { DsRecord } from '../../../src/domain/dns/delegation/ds-record';
import { listedFee } from '../../../src/infrastructure/registry/price-list';
import type { RegistryAdapter } from '../../../src/infrastructure/registry/registry-adapter';
import { DomainName } from '../../../src/domain/shared/domain-name';
import type { Nameservers } from '../../../src/domain/registration/nameservers';
import type { Registrant } from '../../../src/domain/registration/registrant';
import type { RegistrationTerm } from '../../../src/domain/registration/registration-term';
import { TldPolicies, type TldPolicy } from '../../../src/domain/registration/names/tld-policy';
import { addDays, addYears, sameDay } from '../../../src/domain/shared/time/calendar';
import { isSame, plus, type Money } from '../../../src/domain/shared/money';
import { DYING, ScriptedNames } from './scripted-names';
import { RegistryScript, type RegistryCommand, type Turn } from './registry-script';
import { SOME_TLDS } from '../data/some-tlds';

interface RegistryCall {
  readonly command: RegistryCommand;
  readonly name?: string;
  readonly transactionId?: string;
  readonly idempotencyKey?: string | undefined;
}

const TRANSACTION_ID = /^[A-Za-z0-9-]{3,64}$/;
const MAX_YEARS_AHEAD = 10;

/**
 * A fake registry that implements the port, records calls and charges, and scripts single calls. Time changes nothing: tests
 * set phases with `hold`. A renewal does not end the auto-renew grace period, as RFC 3915 allows.
 */
export class ScriptedRegistry extends ScriptedNames implements RegistryAdapter {
  protected readonly vendor = 'The scripted registry';
  /** Every received call, also those without a response. */
  readonly calls: RegistryCall[] = [];
  private readonly script = new RegistryScript();
  private readonly transactionIds = new Set<string>();
  private readonly messages: RegistryMessage[] = [];
  private readonly tlds: readonly TldPolicy[];
  private readonly suffixes: TldPolicies;
  /** Addresses of nameservers. */
  readonly glue = new Map<string, readonly string[]>();
  /** Whether a released name stays until the other registrar accepts it. */
  waitsForOtherRegistrar = false;
  /** In a page of `list`. */
  namesPerPage = 100;
  private reachable = true;
  private serial = 0;

  /** The same for every account. */
  forAccount(): this {
    return this;
  }

  constructor(clock: Clock, tlds: readonly TldPolicy[] = SOME_TLDS) {
    super(clock);
    this.tlds = tlds.map((policy) => ({
      unsupported: ['registrar_renewal', 'hosted_zone'],
      glue: 'any',
      ...policy,
    }));
    this.suffixes = new TldPolicies(this.tlds);
  }

  /** Scripts the next call of `command`. Several scripts apply in order. */
  next(command: RegistryCommand): Turn {
    return this.script.next(command);
  }

  /** Rejects every call from now on. */
  goDown(): void {
    this.reachable = false;
  }

  comeUp(): void {
    this.reachable = true;
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

  register(request: RegistrationRequest): Promise<ChargedDomain> {
    const { name, term, registrant, nameservers, price } = request;
    return this.carryOut('register', name, request, () => {
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

  info(name: DomainName, authCode?: string): Promise<RegistryDomain | undefined> {
    return this.answer({ command: 'info', name: name.value }, () => {
      const held = this.shown(name.value);
      return held && this.visibleTo(held, authCode);
    });
  }

  registrant(name: DomainName): Promise<Registrant | undefined> {
    return this.answer({ command: 'registrant', name: name.value }, () => this.shown(name.value)?.registrant);
  }

  renew(
    name: DomainName,
    currentExpiry: Date,
    { years }: RegistrationTerm,
    transactionId: string,
    price?: Money,
    idempotencyKey?: string,
  ): Promise<ChargedDomain> {
    return this.carryOut('renew', name, { transactionId, idempotencyKey }, () => {
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
    glue: readonly GlueHost[],
    transactionId: string,
  ): Promise<RegistryDomain> {
    return this.carryOut('setNameservers', name, transactionId, () => {
      this.alive(name);
      for (const { host, addresses } of glue) this.glue.set(host, addresses);
      return this.change(name, { nameservers: hosts });
    });
  }

  setGlue(name: DomainName, glue: readonly GlueHost[], transactionId: string): Promise<void> {
    return this.carryOut('setGlue', name, transactionId, () => {
      this.alive(name);
      for (const { host, addresses } of glue) if (this.glue.has(host)) this.glue.set(host, addresses);
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

  restore(name: DomainName, price: Money, transactionId: string, idempotencyKey?: string): Promise<ChargedDomain> {
    return this.carryOut('restore', name, { transactionId, idempotencyKey }, () => {
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

  override transferPrice(name: DomainName, term?: RegistrationTerm): Promise<Money> {
    return this.answer({ command: 'transferPrice', name: name.value }, () => this.transferFee(name, term?.years));
  }

  override requestTransfer(request: TransferRequest): Promise<RegistryTransfer> {
    const { name, term, authCode, price } = request;
    return this.carryOut('requestTransfer', name, request, () => {
      const held = this.held.get(name.value);
      if (!held) throw new RegistryRejected('not_held', `${name.value} is not registered`);
      if (held.sponsoredByUs) throw new RegistryRejected('policy', `${name.value} is ours already`);
      if (held.transferPending || held.transferLocked || DYING.includes(held.phase))
        throw new RegistryRejected('status', `${name.value} is locked, being transferred or being deleted`);
      if (held.authCode?.code !== authCode) throw new RegistryRejected('auth_code', 'The auth code is wrong');
      if (!isSame(price, this.transferFee(name, term.years)))
        throw new RegistryRejected('price_changed', `${name.value} costs another amount`);
      const requestedAt = this.clock.now();
      const endsAt = addDays(requestedAt, this.suffixes.forName(name)?.periods.transfer ?? 0);
      const transfer: RegistryTransfer = { name, direction: 'in', status: 'pending', requestedAt, endsAt };
      this.patch(name.value, { transferPending: true, transfer, request });
      return transfer;
    });
  }

  override transferStatus(name: DomainName): Promise<RegistryTransfer | undefined> {
    return this.answer(
      { command: 'transferStatus', name: name.value },
      () => this.shown(name.value)?.transfer ?? undefined,
    );
  }

  override cancelTransfer(name: DomainName, transactionId: string): Promise<RegistryTransfer> {
    return this.carryOut('cancelTransfer', name, transactionId, () => this.decide(name.value, 'in', 'cancelled'));
  }

  override approveTransfer(name: DomainName, transactionId: string): Promise<RegistryTransfer> {
    return this.carryOut('approveTransfer', name, transactionId, () => this.decide(name.value, 'out', 'completed'));
  }

  override rejectTransfer(name: DomainName, transactionId: string): Promise<RegistryTransfer> {
    return this.carryOut('rejectTransfer', name, transactionId, () => this.decide(name.value, 'out', 'rejected'));
  }

  release(name: DomainName, _registrarTag: string, transactionId: string): Promise<void> {
    return this.carryOut('release', name, transactionId, () => {
      this.alive(name);
      if (!this.waitsForOtherRegistrar) this.change(name, { sponsoredByUs: false });
    });
  }

  override dsRecords(name: DomainName): Promise<readonly DsRecord[]> {
    return this.answer({ command: 'dsRecords', name: name.value }, () => this.requireSponsored(name).dsRecords);
  }

  override setDsRecords(
    name: DomainName,
    dsRecords: readonly DsRecord[],
    transactionId: string,
  ): Promise<readonly DsRecord[]> {
    return this.carryOut('setDsRecords', name, transactionId, () => {
      this.requireSponsored(name);
      this.patch(name.value, { dsRecords });
      return dsRecords;
    });
  }

  /** Pages of `namesPerPage`. */
  override list(cursor = ''): Promise<NamePage> {
    return this.answer({ command: 'list' }, () => {
      const ours = [...this.held.values()].filter(({ sponsoredByUs }) => sponsoredByUs);
      const left = ours
        .map(({ name, expiresAt }) => ({ name, expiresAt }))
        .filter(({ name }) => name.value > cursor)
        .toSorted((one, other) => (one.name.value < other.name.value ? -1 : 1));
      const names = left.slice(0, this.namesPerPage);
      const next = left.length > names.length ? names.at(-1)?.name.value : undefined;
      return { names, ...(next !== undefined && { next }) };
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
    ids: string | (Pick<RegistryCall, 'idempotencyKey'> & { readonly transactionId: string }),
    effect: () => T,
  ): Promise<T> {
    const { transactionId, idempotencyKey } = typeof ids === 'string' ? { transactionId: ids } : ids;
    return this.answer(
      { command, name, transactionId, ...(idempotencyKey !== undefined && { idempotencyKey }) },
      () => {
        if (!TRANSACTION_ID.test(transactionId) || this.transactionIds.has(transactionId))
          throw new RegistryRejected('policy', 'The transaction id is malformed or was used before');
        this.transactionIds.add(transactionId);
        return effect();
      },
    );
  }

  private transferFee(name: DomainName, years = this.suffixes.forName(name)?.renewalYears.min ?? 1): Money {
    return listedFee(this.quote(name.value), 'renewal', years);
  }

  private decide(
    name: string,
    direction: RegistryTransfer['direction'],
    status: 'completed' | 'rejected' | 'cancelled',
  ): RegistryTransfer {
    if (this.pendingTransfer(name).transfer.direction !== direction)
      throw new RegistryRejected('status', `The transfer of ${name} is for the other registrar to decide`);
    this.endTransfer(name, status);
    return this.held.get(name)?.transfer ?? this.pendingTransfer(name).transfer;
  }

  private serialNumber(what: string): string {
    this.serial += 1;
    return `${what}-${this.serial}`;
  }
}
