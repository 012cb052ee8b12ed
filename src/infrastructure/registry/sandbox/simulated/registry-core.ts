import { createHash, randomBytes } from 'node:crypto';
import { RegistryRejected } from '../../../../application/ports/registry/registry-errors';
import type { AuthCode } from '../../../../application/ports/registry/registry-port';
import { LATEST_SANDBOX_TIME } from '../../../../application/ports/registry/registry-sandbox';
import { DomainName } from '../../../../domain/shared/domain-name';
import { TldPolicies } from '../../../../domain/registration/names/tld-policy';
import { addDays, DAY_MS } from '../../../../domain/shared/time/calendar';
import { applyTransitions, type Terms } from './registration-lifecycle';
import type { Outcome, Registration } from './registration';
import type { RegistryClock } from './registry-clock';
import { saveOutcome, type RegistryRecords, type RegistryStore } from './store/registry-store';
import { isNeverForSale } from './offers/reserved-names';
import { minorPricesOf, type Prices, type TldOffer } from './offers/tld-offer';
import { create, type Command, type NewRegistration } from './transitions';

/** EPP's clID and clTRID of a command. */
export interface Sender {
  readonly registrar: string;
  readonly transactionId: string;
}

/** Input of a command's decision: the current registration, and its suffix's policy and prices. */
export interface DecisionContext {
  readonly held: Registration;
  readonly offered: TldOffer;
  readonly prices: Prices;
  readonly command: Command;
}

const TRANSACTION_ID = /^[A-Za-z0-9-]{3,64}$/;
/** 128 random bits (RFC 9154), as 32 hexadecimal digits. */
const AUTH_CODE_BYTES = 16;
const DUE_BATCH = 200;
const PAGE = 500;
/** Six years of the registry's clock. Longer than any refund or repetition looks back. */
const RETENTION_DAYS = 2_192;
const EXPIRED_BATCH = 500;

/** The registry's logic for any number of registrars. Transitions are applied lazily, when a name is read or changed. */
export class RegistryCore {
  private readonly offers: TldPolicies<TldOffer>;

  constructor(
    private readonly store: RegistryStore,
    private readonly clock: RegistryClock,
    priceList: readonly TldOffer[],
  ) {
    this.offers = new TldPolicies(priceList);
  }

  /** @throws RegistryRejected for a name under another suffix */
  offerFor(name: DomainName): TldOffer {
    const offered = this.offers.forName(name);
    if (!offered) throw new RegistryRejected('unavailable', `.${name.parent} is not a TLD of this registry`);
    return offered;
  }

  /** Of a registration, whose suffix is a TLD of this registry. */
  offerOf({ name }: Registration): TldOffer {
    return this.offerFor(DomainName.fromState(name));
  }

  /** Returns the offer of each available name, in order; undefined for one that is not available. */
  async check(names: readonly DomainName[]): Promise<readonly (TldOffer | undefined)[]> {
    const sold = names.filter((name) => this.offers.forName(name) && !isNeverForSale(name.value));
    const held = new Set(sold.length > 0 ? (await this.present(sold)).map(({ name }) => name) : []);
    return names.map((name) => {
      const offered = this.offers.forName(name);
      return offered && sold.includes(name) && !held.has(name.value) ? offered : undefined;
    });
  }

  async find(name: DomainName): Promise<Registration | undefined> {
    return this.offers.forName(name) ? (await this.present([name]))[0] : undefined;
  }

  /** The registrations that a registrar sponsors, by name, after the name `after`. */
  async sponsoredBy(registrar: string, after: string, limit: number): Promise<readonly Registration[]> {
    await this.applyDue();
    return this.store.read((records) => records.sponsoredBy(registrar, after, limit));
  }

  /** The registrations of all registrars, by name. */
  async *registrations(): AsyncIterable<readonly Registration[]> {
    let last: string | undefined = '';
    while (last !== undefined) {
      const after: string = last;
      const [stored, present] = await this.store.read(async (records) => {
        const page = await records.after(after, PAGE);
        return [page, this.afterTransitions(page, await this.clock.read(records))] as const;
      });
      yield present;
      last = stored.at(-1)?.name;
    }
  }

  /** `price` is the agreed price of the whole term, in minor units. */
  async create(wanted: NewRegistration & { readonly price: number }, sender: Sender): Promise<Registration> {
    const name = DomainName.fromState(wanted.name);
    const offered = this.offerFor(name);
    const prices = minorPricesOf(offered, name);
    return this.store.change(async (records) => {
      const now = await this.beginCommand(records, sender);
      if (isNeverForSale(wanted.name) || (await this.lock(records, name, now)))
        throw new RegistryRejected('unavailable', `${wanted.name} is taken`);
      const { registration, charges } = create(wanted, offered, prices, { ...sender, now });
      if (prices.registration(wanted.years) !== wanted.price)
        throw new RegistryRejected('price_changed', `The price of ${wanted.name} has changed`);
      if (!registration || !(await records.add(registration)))
        throw new RegistryRejected('unavailable', `${wanted.name} is taken`);
      await records.book(charges);
      return registration;
    });
  }

  /** Runs a command of the sponsor. Returns the registration afterwards, if any. */
  async command(
    name: DomainName,
    sender: Sender,
    decide: (facts: DecisionContext) => Outcome,
  ): Promise<Registration | undefined> {
    return this.decide(name, sender, (facts) => {
      if (facts.held.sponsor !== sender.registrar)
        throw new RegistryRejected('not_held', `${name.value} is sponsored by another registrar`);
      return decide(facts);
    });
  }

  /** Runs a command of any registrar. */
  async decide(
    name: DomainName,
    sender: Sender,
    decide: (facts: DecisionContext) => Outcome,
  ): Promise<Registration | undefined> {
    const offered = this.offers.forName(name);
    if (!offered) throw new RegistryRejected('not_held', `.${name.parent} is not a TLD of this registry`);
    const prices = minorPricesOf(offered, name);
    return this.store.change(async (records) => {
      const now = await this.beginCommand(records, sender);
      const held = await this.lock(records, name, now);
      if (!held) throw new RegistryRejected('not_held', `${name.value} is not registered`);
      const outcome = decide({ held, offered, prices, command: { ...sender, now } });
      await saveOutcome(records, held, outcome);
      return outcome.registration;
    });
  }

  /** The registry's current time. */
  async time(): Promise<Date> {
    return this.store.read((records) => this.clock.read(records));
  }

  /** Advances the clock and applies the transitions that fall due. Returns the new time. */
  async advance(days: number): Promise<Date> {
    if (!Number.isFinite(days) || days < 0) throw new RangeError('days must be a number of at least 0');
    if (addDays(await this.time(), days) > LATEST_SANDBOX_TIME)
      throw new RangeError(`the sandbox's clock cannot advance beyond ${LATEST_SANDBOX_TIME.toISOString()}`);
    await this.store.change((records) => records.moveClock(Math.round(days * DAY_MS)));
    await this.applyDue();
    return this.time();
  }

  /** Applies all due transitions and removes charges and transaction ids after their retention period, in batches. */
  async applyDue(): Promise<void> {
    const now = await this.time();
    for (;;) {
      const names = await this.store.read((records) => records.due(now, DUE_BATCH));
      if (names.length === 0) break;
      await this.store.change((records) => this.lockAll(records, names, now));
    }
    const before = addDays(now, -RETENTION_DAYS);
    while (await this.store.read((records) => records.hasExpired(before)))
      await this.store.change((records) => records.removeExpired(before, EXPIRED_BATCH));
  }

  /** Applies due transitions without storing them, since reads must not write. */
  private async present(names: readonly DomainName[]): Promise<readonly Registration[]> {
    return this.store.read(async (records) => {
      const now = await this.clock.read(records);
      return this.afterTransitions(await records.find(names.map(({ value }) => value)), now);
    });
  }

  private afterTransitions(registrations: readonly Registration[], now: Date): readonly Registration[] {
    return registrations.flatMap(
      (registration) => applyTransitions(registration, this.termsFor(registration.name), now).registration ?? [],
    );
  }

  private async beginCommand(records: RegistryRecords, { registrar, transactionId }: Sender): Promise<Date> {
    if (!TRANSACTION_ID.test(transactionId))
      throw new RegistryRejected('policy', 'A transaction id has 3 to 64 letters, digits and hyphens');
    const now = await this.clock.read(records);
    if (!(await records.useTransactionId(registrar, transactionId, now)))
      throw new RegistryRejected('policy', 'The transaction id was used before');
    return now;
  }

  private async lock(records: RegistryRecords, name: DomainName, now: Date): Promise<Registration | undefined> {
    return (await this.lockAll(records, [name.value], now))[0];
  }

  /** Locks registrations and applies due transitions. */
  private async lockAll(records: RegistryRecords, names: readonly string[], now: Date): Promise<Registration[]> {
    const present: Registration[] = [];
    for (const registration of await records.lock(names)) {
      const settled = applyTransitions(registration, this.termsFor(registration.name), now);
      await saveOutcome(records, registration, settled);
      if (settled.registration) present.push(settled.registration);
    }
    return present;
  }

  private termsFor(text: string): Terms {
    const name = DomainName.fromState(text);
    const offered = this.offerFor(name);
    return { ...offered, renewal: minorPricesOf(offered, name).renewal };
  }
}

/** A new auth code, and the digest that is stored. */
export function createAuthCode(now: Date, days: number): AuthCode & { readonly digest: string } {
  const code = randomBytes(AUTH_CODE_BYTES).toString('hex');
  return { code, digest: digestOf(code), expiresAt: addDays(now, days) };
}

export function digestOf(code: string): string {
  return createHash('sha256').update(code).digest('hex');
}
