import type { NamePage } from '../../../../application/ports/registry/registries';
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
import type { RegistrySandbox } from '../../../../application/ports/registry/registry-sandbox';
import type { RegistryTransfer, TransferRequest } from '../../../../application/ports/registry/registry-transfers';
import type { Clock } from '../../../../application/ports/system';
import { ConfigurationError } from '../../../../config';
import type { DsRecord } from '../../../../domain/dns/delegation/ds-record';
import type { DomainName } from '../../../../domain/shared/domain-name';
import type { Nameservers } from '../../../../domain/registration/nameservers';
import type { Registrant } from '../../../../domain/registration/registrant';
import type { RegistrationTerm } from '../../../../domain/registration/registration-term';
import type { RegistryFeature, TldPolicy } from '../../../../domain/registration/names/tld-policy';
import type { Money } from '../../../../domain/shared/money';
import { LimitedRegistry } from '../../limited-registry';
import type { RegistryAdapter } from '../../registry-adapter';
import { FaultInjector } from './fault-injector';
import { minorUnits, renewalPrices, toAvailability, toListedName, toMessage, toRegistryDomain } from './port-mapping';
import { PRICE_LIST } from './offers/price-list';
import { detailsOf, type Outcome, type Registration } from './registration';
import { RegistryClock } from './registry-clock';
import { createAuthCode, RegistryCore, type DecisionContext } from './registry-core';
import type { RegistryStore } from './store/registry-store';
import { SimulatedCalls } from './simulated-calls';
import { SimulatedSandbox } from './simulated-sandbox';
import { SimulatedTransfers } from './simulated-transfers';
import { CURRENCY_ISSUE, PRICE_LIST_CURRENCY, type TldOffer } from './offers/tld-offer';
import {
  delegate,
  lockTransfers,
  remove,
  renew,
  replaceGlue,
  replaceRegistrant,
  restore,
  restorePrice,
  setAuthCode,
  setDsRecords,
} from './transitions';

interface SimulatedRegistrySettings {
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
  readonly namesPerPage?: number;
}

/** An idle process notices so late that another one has advanced the clock. */
const CLOCK_REFRESH_MS = 2_000;
const NAMES_PER_PAGE = 500;
const UNSUPPORTED: readonly RegistryFeature[] = ['registrar_renewal', 'hosted_zone'];

/** The reference adapter: storage, ledger, rejections, the lifecycle of RFC 3915. Never reads the service's tables. */
export class SimulatedRegistry extends LimitedRegistry implements RegistryAdapter {
  protected readonly vendor = 'The simulated registry';
  /** The registry's time as last read. Every response and every two seconds refresh it. */
  readonly clock: RegistryClock;
  readonly sandbox: RegistrySandbox;
  private clockRefresh: NodeJS.Timeout | undefined;
  private readonly core: RegistryCore;
  private readonly calls: SimulatedCalls;
  private readonly transfers: SimulatedTransfers;
  private readonly store: RegistryStore;
  private readonly served: readonly TldPolicy[];
  private readonly namesPerPage: number;

  /** @throws ConfigurationError if `currency` is not the price list's */
  constructor(settings: SimulatedRegistrySettings) {
    super();
    const { store, clock, currency, serves } = settings;
    const { registrar = 'namewright', latencyMs = 0, priceList = PRICE_LIST } = settings;
    if (currency !== PRICE_LIST_CURRENCY) throw new ConfigurationError([CURRENCY_ISSUE]);
    const faults = new FaultInjector(store);
    this.clock = new RegistryClock(clock);
    this.core = new RegistryCore(store, this.clock, priceList);
    this.calls = new SimulatedCalls(this.core, faults, registrar, latencyMs);
    this.transfers = new SimulatedTransfers(this.core, this.calls);
    this.sandbox = new SimulatedSandbox(this.core, store, faults, registrar);
    this.store = store;
    this.namesPerPage = settings.namesPerPage ?? NAMES_PER_PAGE;
    this.served = priceList
      .filter(({ suffix }) => !serves || serves.has(suffix))
      .map((offered) => ({
        ...offered,
        unsupported: UNSUPPORTED,
        glue: 'own',
        readLagSeconds: offered.readLagSeconds ?? 0,
      }));
  }

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
    return this.calls.query(names, async () => {
      const offers = await this.core.check(names);
      return names.map((name, index) => toAvailability(name, offers[index], term));
    });
  }

  async price(name: DomainName, term?: RegistrationTerm): Promise<RenewalPrices> {
    return this.calls.query([name], async () => renewalPrices(this.core.offerFor(name), name, term));
  }

  async register(request: RegistrationRequest): Promise<ChargedDomain> {
    const { name, term, registrant, nameservers, price } = request;
    const wanted = {
      name: name.value,
      years: term.years,
      registrant,
      nameservers: nameservers.hosts,
      price: minorUnits(price),
    };
    const created = await this.calls.command(name, async () =>
      this.core.create(wanted, this.calls.sender(request.transactionId)),
    );
    return { ...this.toPort(created), charged: price };
  }

  async info(name: DomainName): Promise<RegistryDomain | undefined> {
    const held = await this.calls.find(name);
    return held && this.toPort(held);
  }

  async registrant(name: DomainName): Promise<Registrant | undefined> {
    const held = await this.calls.find(name);
    return held?.sponsor === this.calls.registrar ? (held.registrant ?? undefined) : undefined;
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
      if (price && minor !== minorUnits(price))
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
    const own = glue.filter(({ host }) => host.endsWith(`.${name.value}`));
    return this.change(name, transactionId, ({ held, offered }) => delegate(held, hosts, own, offered));
  }

  async setGlue(name: DomainName, glue: readonly GlueHost[], transactionId: string): Promise<void> {
    await this.change(name, transactionId, ({ held, offered }) => replaceGlue(held, glue, offered));
  }

  async setRegistrant(name: DomainName, registrant: Registrant, transactionId: string): Promise<void> {
    await this.change(name, transactionId, ({ held }) => replaceRegistrant(held, registrant));
  }

  async setTransferLock(name: DomainName, locked: boolean, transactionId: string): Promise<RegistryDomain> {
    return this.change(name, transactionId, ({ held }) => lockTransfers(held, locked));
  }

  async issueAuthCode(name: DomainName, transactionId: string): Promise<AuthCode> {
    const days = this.core.offerFor(name).periods.authCode;
    const { code, digest, expiresAt } = createAuthCode(await this.core.time(), days);
    await this.change(name, transactionId, ({ held }) => setAuthCode(held, { digest, expiresAt }));
    return { code, expiresAt };
  }

  async withdrawAuthCode(name: DomainName, transactionId: string): Promise<void> {
    await this.change(name, transactionId, ({ held }) => setAuthCode(held, null));
  }

  async restore(name: DomainName, price: Money, transactionId: string): Promise<ChargedDomain> {
    const restored = await this.change(name, transactionId, ({ held, offered, prices, command }) => {
      const outcome = restore(held, offered, prices, command);
      if (restorePrice(held, offered, prices, command.now) !== minorUnits(price))
        throw new RegistryRejected('price_changed', `The restore price of ${name.value} has changed`);
      return outcome;
    });
    return { ...restored, charged: price };
  }

  async delete(name: DomainName, transactionId: string): Promise<RegistryDomain | undefined> {
    const left = await this.calls.change(name, transactionId, ({ held, offered, command }) =>
      remove(held, offered, command),
    );
    return left && this.toPort(left);
  }

  override async requestTransfer(request: TransferRequest): Promise<RegistryTransfer> {
    return this.transfers.requestTransfer(request);
  }

  override async transferPrice(name: DomainName, term?: RegistrationTerm): Promise<Money> {
    return this.transfers.transferPrice(name, term);
  }

  override async transferStatus(name: DomainName): Promise<RegistryTransfer | undefined> {
    return this.transfers.transferStatus(name);
  }

  override async cancelTransfer(name: DomainName, transactionId: string): Promise<RegistryTransfer> {
    return this.transfers.cancelTransfer(name, transactionId);
  }

  override async approveTransfer(name: DomainName, transactionId: string): Promise<RegistryTransfer> {
    return this.transfers.approveTransfer(name, transactionId);
  }

  override async rejectTransfer(name: DomainName, transactionId: string): Promise<RegistryTransfer> {
    return this.transfers.rejectTransfer(name, transactionId);
  }

  override async dsRecords(name: DomainName): Promise<readonly DsRecord[]> {
    const held = await this.calls.find(name);
    if (held?.sponsor !== this.calls.registrar)
      throw new RegistryRejected('not_held', `${name.value} is not registered, or sponsored by another registrar`);
    return detailsOf(held).ds;
  }

  override async setDsRecords(
    name: DomainName,
    dsRecords: readonly DsRecord[],
    transactionId: string,
  ): Promise<readonly DsRecord[]> {
    const held = await this.calls.change(name, transactionId, (facts) => setDsRecords(facts.held, dsRecords));
    return held ? detailsOf(held).ds : [];
  }

  override async list(cursor = ''): Promise<NamePage> {
    return this.calls.query([], async () => {
      const page = await this.core.sponsoredBy(this.calls.registrar, cursor, this.namesPerPage);
      const next = page.length < this.namesPerPage ? undefined : page.at(-1)?.name;
      return { names: page.map(toListedName), ...(next !== undefined && { next }) };
    });
  }

  async poll(): Promise<RegistryMessage | undefined> {
    return this.calls.query([], async () => {
      await this.core.applyDue();
      const notice = await this.store.read((records) => records.oldestNotice(this.calls.registrar));
      return notice && toMessage(notice);
    });
  }

  async acknowledge(messageId: string): Promise<void> {
    await this.calls.command(undefined, async () =>
      this.store.change((records) => records.dropNotice(this.calls.registrar, messageId)),
    );
  }

  private async change(
    name: DomainName,
    transactionId: string,
    decide: (facts: DecisionContext) => Outcome,
  ): Promise<RegistryDomain> {
    const held = await this.calls.change(name, transactionId, decide);
    if (!held) throw new TypeError(`${name.value} is not registered`);
    return this.toPort(held);
  }

  private toPort(held: Registration): RegistryDomain {
    return toRegistryDomain(held, this.core.offerOf(held), this.calls.registrar);
  }
}
