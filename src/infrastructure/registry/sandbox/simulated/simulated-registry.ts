import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '../../../../application/ports/system/clock';
import { RegistryRejected } from '../../../../application/ports/registry/registry-errors';
import type {
  AuthCode,
  Availability,
  ChargedDomain,
  GlueHost,
  RenewalPrices,
  RegistrationRequest,
  RegistryDomain,
  RegistryMessage,
} from '../../../../application/ports/registry/registry-port';
import type {
  LedgerEntry,
  RegistryFault,
  RegistrySandbox,
} from '../../../../application/ports/registry/registry-sandbox';
import { ConfigurationError } from '../../../../config';
import { DomainName } from '../../../../domain/registration/domain-name';
import type { Nameservers } from '../../../../domain/registration/nameservers';
import type { Registrant } from '../../../../domain/registration/registrant';
import { RegistrationTerm } from '../../../../domain/registration/registration-term';
import type { TldPolicy } from '../../../../domain/registration/tld-policy';
import type { Money } from '../../../../domain/shared/money';
import { LimitedRegistry } from '../../limited-registry';
import { listedFee } from '../../price-list';
import type { RegistryAdapter } from '../../registry-adapter';
import { FaultInjector } from './fault-injector';
import { PRICE_LIST } from './price-list';
import type { Charge, NoticeKind, Outcome, Registration } from './registration';
import { RegistryClock } from './registry-clock';
import { digestOf, createAuthCode, RegistryCore, type DecisionContext } from './registry-core';
import type { RegistryStore } from './registry-store';
import { CURRENCY_ISSUE, PRICE_LIST_CURRENCY, pricesOf, type TldOffer } from './tld-offer';
import {
  delegate,
  lockTransfers,
  remove,
  renew,
  replaceRegistrant,
  requestTransfer,
  restore,
  restorePrice,
  setAuthCode,
} from './transitions';

export interface SimulatedRegistrySettings {
  readonly store: RegistryStore;
  /** Real time. The registry adds its own offset. */
  readonly clock: Clock;
  /** The service's currency, ISO 4217. */
  readonly currency: string;
  /** Our registrar id. */
  readonly registrar?: string;
  /** Minimum duration of each response; 0 if absent. */
  readonly latencyMs?: number;
  readonly priceList?: readonly TldOffer[];
  /** The suffixes of the price list to serve; all if absent. Names registered under others stay. */
  readonly serves?: ReadonlySet<string>;
}

/** Kinds that the port does not have are `changed`. */
const KINDS: Readonly<Record<NoticeKind, RegistryMessage['kind']>> = {
  changed: 'changed',
  transfer_requested: 'changed',
  transfer_ended: 'changed',
  transferred_in: 'changed',
  transferred_out: 'transferred_out',
  deleted: 'deleted',
};

/** Maximum delay until an idle process notices that another one has advanced the clock. */
const CLOCK_REFRESH_MS = 2_000;
/** The registrar that requests transfers in the sandbox. */
const ANOTHER_REGISTRAR = 'another';

/**
 * The reference adapter: a registry with storage, ledger, rejections and the RFC 3915 lifecycle.
 * Like a real registry it never reads the service's tables.
 */
export class SimulatedRegistry extends LimitedRegistry implements RegistryAdapter, RegistrySandbox {
  protected readonly vendor = 'The simulated registry';
  /** The registry's time as last read. Every response and every two seconds refresh it. */
  readonly clock: Clock;
  private clockRefresh: NodeJS.Timeout | undefined;
  private readonly core: RegistryCore;
  private readonly faultInjector: FaultInjector;
  private readonly store: RegistryStore;
  private readonly registrar: string;
  private readonly latencyMs: number;
  private readonly served: readonly TldPolicy[];

  /** @throws ConfigurationError if `currency` is not the price list's */
  constructor({
    store,
    clock,
    currency,
    registrar = 'namewright',
    latencyMs = 0,
    priceList = PRICE_LIST,
    serves,
  }: SimulatedRegistrySettings) {
    super();
    if (currency !== PRICE_LIST_CURRENCY) throw new ConfigurationError([CURRENCY_ISSUE]);
    const registryClock = new RegistryClock(clock);
    this.clock = registryClock;
    this.core = new RegistryCore(store, registryClock, priceList);
    this.faultInjector = new FaultInjector(store);
    this.store = store;
    this.registrar = registrar;
    this.latencyMs = latencyMs;
    this.served = serves ? priceList.filter(({ suffix }) => serves.has(suffix)) : priceList;
  }

  /** Opens the store and migrates it. */
  async open(): Promise<void> {
    await this.store.open();
    await this.core.time();
    this.clockRefresh = setInterval(() => void this.core.time().catch(() => undefined), CLOCK_REFRESH_MS).unref();
  }

  async close(): Promise<void> {
    clearInterval(this.clockRefresh);
    await this.store.close();
  }

  policies(): readonly TldPolicy[] {
    return this.served;
  }

  async check(names: readonly DomainName[], term?: RegistrationTerm): Promise<readonly Availability[]> {
    return this.query(names, async () => {
      const offers = await this.core.check(names);
      return names.map((name, index): Availability => {
        const offered = offers[index];
        return offered
          ? {
              name,
              available: true,
              price: { ...renewalPrices(offered, name), registration: registrationFee(offered, name, term) },
            }
          : { name, available: false };
      });
    });
  }

  async price(name: DomainName, term?: RegistrationTerm): Promise<RenewalPrices> {
    return this.query([name], async () => renewalPrices(this.core.offerFor(name), name, term));
  }

  async register({
    name,
    term,
    registrant,
    nameservers,
    price,
    transactionId,
  }: RegistrationRequest): Promise<ChargedDomain> {
    const wanted = {
      name: name.value,
      years: term.years,
      registrant,
      nameservers: nameservers.hosts,
      price: this.minor(price),
    };
    return {
      ...(await this.commandOn(name, async () => this.core.create(wanted, this.sender(transactionId)))),
      charged: price,
    };
  }

  async info(name: DomainName): Promise<RegistryDomain | undefined> {
    return this.query([name], async () => {
      const held = await this.core.find(name);
      return held && this.toRegistryDomain(held);
    });
  }

  async registrant(name: DomainName): Promise<Registrant | undefined> {
    return this.query([name], async () => {
      const held = await this.core.find(name);
      return held?.sponsor === this.registrar ? (held.registrant ?? undefined) : undefined;
    });
  }

  async renew(
    name: DomainName,
    currentExpiry: Date,
    { years }: RegistrationTerm,
    transactionId: string,
    price?: Money,
  ): Promise<ChargedDomain> {
    let minor = 0;
    const renewed = await this.change(name, transactionId, ({ held, offered, prices, command }) => {
      const outcome = renew(held, { years, currentExpiry }, offered, prices, command);
      minor = prices.renewal(years);
      if (price && minor !== this.minor(price))
        throw new RegistryRejected('price_changed', `The renewal price of ${name.value} has changed`);
      return outcome;
    });
    return { ...renewed, charged: { minor, currency: PRICE_LIST_CURRENCY } };
  }

  async setNameservers(
    name: DomainName,
    { hosts }: Nameservers,
    glue: readonly GlueHost[],
    transactionId: string,
  ): Promise<RegistryDomain> {
    return this.change(name, transactionId, ({ held, offered }) => delegate(held, hosts, glue, offered));
  }

  async setRegistrant(name: DomainName, registrant: Registrant, transactionId: string): Promise<void> {
    await this.change(name, transactionId, ({ held }) => replaceRegistrant(held, registrant));
  }

  async setTransferLock(name: DomainName, locked: boolean, transactionId: string): Promise<RegistryDomain> {
    return this.change(name, transactionId, ({ held }) => lockTransfers(held, locked));
  }

  async issueAuthCode(name: DomainName, transactionId: string): Promise<AuthCode> {
    return this.command(name, async () => {
      const { code, digest, expiresAt } = createAuthCode(
        await this.core.time(),
        this.core.offerFor(name).periods.authCode,
      );
      await this.core.command(name, this.sender(transactionId), ({ held }) => setAuthCode(held, { digest, expiresAt }));
      return { code, expiresAt };
    });
  }

  async withdrawAuthCode(name: DomainName, transactionId: string): Promise<void> {
    await this.change(name, transactionId, ({ held }) => setAuthCode(held, null));
  }

  async restore(name: DomainName, price: Money, transactionId: string): Promise<ChargedDomain> {
    const restored = await this.change(name, transactionId, ({ held, offered, prices, command }) => {
      const outcome = restore(held, offered, prices, command);
      if (restorePrice(held, offered, prices, command.now) !== this.minor(price))
        throw new RegistryRejected('price_changed', `The restore price of ${name.value} has changed`);
      return outcome;
    });
    return { ...restored, charged: price };
  }

  async delete(name: DomainName, transactionId: string): Promise<RegistryDomain | undefined> {
    return this.command(name, async () => {
      const registration = await this.core.command(name, this.sender(transactionId), ({ held, offered, command }) =>
        remove(held, offered, command),
      );
      return registration && this.toRegistryDomain(registration);
    });
  }

  async poll(): Promise<RegistryMessage | undefined> {
    return this.query([], async () => {
      await this.core.applyDue();
      const notice = await this.store.read((records) => records.oldestNotice(this.registrar));
      return (
        notice && {
          id: notice.id,
          at: notice.at,
          kind: KINDS[notice.kind],
          name: DomainName.fromState(notice.name),
          text: notice.text,
        }
      );
    });
  }

  async acknowledge(messageId: string): Promise<void> {
    await this.command(undefined, async () =>
      this.store.change((records) => records.dropNotice(this.registrar, messageId)),
    );
  }

  async time(): Promise<Date> {
    return this.core.time();
  }

  async advance(days: number): Promise<Date> {
    return this.core.advance(days);
  }

  async injectFault(fault: RegistryFault): Promise<void> {
    await this.faultInjector.inject(fault);
  }

  async faults(): Promise<readonly RegistryFault[]> {
    return this.faultInjector.all();
  }

  async clearFaults(): Promise<void> {
    await this.faultInjector.clear();
  }

  async transferOut(name: DomainName, authCode: string): Promise<Date> {
    const sender = { registrar: ANOTHER_REGISTRAR, transactionId: randomUUID() };
    const registration = await this.core.decide(name, sender, ({ held, offered, command }) =>
      requestTransfer(held, digestOf(authCode), offered, command),
    );
    if (!registration?.transfer) throw new TypeError(`no transfer of ${name.value} is pending`);
    return registration.transfer.endsAt;
  }

  async ledger(name?: DomainName): Promise<readonly LedgerEntry[]> {
    await this.core.applyDue();
    const charges = await this.store.read((records) => records.charges(this.registrar, name?.value));
    return charges.flatMap((charge) => entryOf(charge) ?? []);
  }

  private async change(
    name: DomainName,
    transactionId: string,
    decide: (facts: DecisionContext) => Outcome,
  ): Promise<RegistryDomain> {
    return this.commandOn(name, async () => this.core.command(name, this.sender(transactionId), decide));
  }

  private async commandOn(name: DomainName, work: () => Promise<Registration | undefined>): Promise<RegistryDomain> {
    return this.command(name, async () => {
      const registration = await work();
      if (!registration) throw new TypeError(`${name.value} is not registered`);
      return this.toRegistryDomain(registration);
    });
  }

  private async query<T>(names: readonly DomainName[], work: () => Promise<T>): Promise<T> {
    await this.waitLatency();
    return this.faultInjector.runQuery(
      names.map(({ value }) => value),
      work,
    );
  }

  private async command<T>(name: DomainName | undefined, work: () => Promise<T>): Promise<T> {
    await this.waitLatency();
    return this.faultInjector.runCommand(name?.value, work);
  }

  private async waitLatency(): Promise<void> {
    if (this.latencyMs > 0) await sleep(this.latencyMs);
  }

  private sender(transactionId: string): { readonly registrar: string; readonly transactionId: string } {
    return { registrar: this.registrar, transactionId };
  }

  /** An amount in another currency never equals a price. */
  private minor({ minor, currency }: Money): number {
    return currency === PRICE_LIST_CURRENCY ? minor : NaN;
  }

  private toRegistryDomain(held: Registration): RegistryDomain {
    const name = DomainName.fromState(held.name);
    const addedYears = this.core.offerFor(name).renewalYears.min;
    return {
      name,
      phase: held.phase,
      sponsoredByUs: held.sponsor === this.registrar,
      createdByUs: held.creator === this.registrar,
      createdAt: held.createdAt,
      expiresAt: held.expiresAt,
      ...(addedYears > 1 && { addedYears }),
      nameservers: held.nameservers,
      transferLocked: held.transferLocked,
      transferPending: held.transfer !== null,
      ...(held.phaseEndsAt && { phaseEndsAt: held.phaseEndsAt }),
    };
  }
}

function registrationFee(offered: TldOffer, name: DomainName, term = RegistrationTerm.shortest(offered.years)): Money {
  return listedFee(pricesOf(offered, name), 'registration', term.years);
}

function renewalPrices(
  offered: TldOffer,
  name: DomainName,
  term = RegistrationTerm.shortest(offered.renewalYears),
): Required<RenewalPrices> {
  const list = pricesOf(offered, name);
  return { renewal: listedFee(list, 'renewal', term.years), restore: list.restore };
}

function entryOf({ at, kind, name, years, amount, transactionId }: Charge): LedgerEntry | undefined {
  if (kind === 'transfer') return undefined;
  return {
    at,
    kind,
    name: DomainName.fromState(name),
    years,
    amount: { minor: amount, currency: PRICE_LIST_CURRENCY },
    transactionId,
  };
}
