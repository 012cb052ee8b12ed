import { createHash, randomBytes } from 'node:crypto';
import type { EntityManager } from 'typeorm';
import type { Clock } from '../../../application/ports/clock';
import { RegistryRejected } from '../../../application/ports/registry-errors';
import type { AuthCode, Availability, PriceQuote, RegistrationRequest, RegistryDomain, RegistryPort } from '../../../application/ports/registry-port';
import { DomainName } from '../../../domain/registration/domain-name';
import type { Nameservers } from '../../../domain/registration/nameservers';
import type { Registrant } from '../../../domain/registration/registrant';
import type { RegistrationTerm } from '../../../domain/registration/registration-term';
import { TldPolicies, type TldPolicy } from '../../../domain/registration/tld-policy';
import { addDays, addYears, sameDay } from '../../../domain/shared/calendar';
import { times, type Money } from '../../../domain/shared/money';
import type { Database } from '../../persistence/database';
import { isDuplicate } from '../../persistence/database-errors';
import { PRICE_LIST, PRICE_LIST_CURRENCY, type TldOffer } from './price-list';
import { isReserved } from './reserved-names';

interface RegisteredRow {
  readonly name: string;
  readonly created_at: number;
  readonly expires_at: number;
  readonly transfer_locked: number;
  readonly nameservers: string;
}

interface Charge {
  readonly kind: 'register' | 'renew';
  readonly name: DomainName;
  readonly years: number;
  readonly amount: Money;
  readonly transactionId: string;
}

const COLUMNS = 'name, created_at, expires_at, transfer_locked, nameservers';
const MAX_YEARS_AHEAD = 10;
/** 128 random bits, as RFC 9154 asks, in 32 characters that no form and no quotation mark can spoil. */
const AUTH_CODE_BYTES = 16;

/**
 * The reference adapter: a registry of our own making that remembers, charges and refuses as a real one does. Its
 * store is its own, as if it were elsewhere; our domain tables are never its source.
 */
export class SimulatedRegistry implements RegistryPort {
  private readonly offers = new TldPolicies<TldOffer>(PRICE_LIST);

  /** @throws TypeError where the service counts in another currency than the price list */
  constructor(
    private readonly store: Database,
    private readonly clock: Clock,
    currency: string,
  ) {
    if (currency !== PRICE_LIST_CURRENCY) throw new TypeError(`CURRENCY is ${currency}, but the simulated registry's prices are in ${PRICE_LIST_CURRENCY}`);
  }

  policies(): readonly TldPolicy[] {
    return PRICE_LIST;
  }

  async check(names: readonly DomainName[]): Promise<readonly Availability[]> {
    const taken = await this.heldAmong(names);
    return names.map((name): Availability => {
      const offer = this.offers.forName(name);
      if (!offer || isReserved(name.value) || taken.has(name.value)) return { name, available: false };
      return { name, available: true, price: quote(offer) };
    });
  }

  async price(name: DomainName): Promise<PriceQuote> {
    return quote(this.offerFor(name));
  }

  async register({ name, term, registrant, nameservers, price, transactionId }: RegistrationRequest): Promise<RegistryDomain> {
    const offer = this.offerFor(name);
    if (isReserved(name.value)) throw new RegistryRejected('unavailable', `${name.value} is reserved`);
    assertPolicy(offer, term, nameservers);
    const amount = times(quote(offer).registration, term.years);
    if (amount.minor !== price.minor) throw new RegistryRejected('price_changed', `${name.value} costs another amount now`);
    return this.store.transaction(async (manager) => {
      const now = this.clock.now();
      await insertDomain(manager, name, [now.getTime(), addYears(now, term.years).getTime(), 1, JSON.stringify(nameservers.hosts), JSON.stringify(registrant)]);
      await charge(manager, { kind: 'register', name, years: term.years, amount, transactionId }, now);
      return this.held(manager, name);
    });
  }

  async info(name: DomainName): Promise<RegistryDomain | undefined> {
    const [row] = await this.store.query<RegisteredRow>(`SELECT ${COLUMNS} FROM simreg_domains WHERE name = ?`, [name.value]);
    return row && toDomain(row);
  }

  async renew(name: DomainName, currentExpiry: Date, term: RegistrationTerm, transactionId: string): Promise<RegistryDomain> {
    const offer = this.offerFor(name);
    return this.store.transaction(async (manager) => {
      const now = this.clock.now();
      const { expiresAt } = await this.held(manager, name);
      if (!sameDay(expiresAt, currentExpiry)) throw new RegistryRejected('expiry_differs', `${name.value} expires on another day than the one quoted`);
      const extended = addYears(expiresAt, term.years);
      if (extended > addYears(now, MAX_YEARS_AHEAD)) throw new RegistryRejected('policy', 'No registration may reach more than ten years ahead');
      await manager.query('UPDATE simreg_domains SET expires_at = ? WHERE name = ?', [extended.getTime(), name.value]);
      await charge(manager, { kind: 'renew', name, years: term.years, amount: times(quote(offer).renewal, term.years), transactionId }, now);
      return this.held(manager, name);
    });
  }

  async setNameservers(name: DomainName, nameservers: Nameservers, _transactionId: string): Promise<RegistryDomain> {
    return this.change(name, 'nameservers', JSON.stringify(nameservers.hosts));
  }

  async setRegistrant(name: DomainName, registrant: Registrant, _transactionId: string): Promise<void> {
    await this.change(name, 'registrant', JSON.stringify(registrant));
  }

  async setTransferLock(name: DomainName, locked: boolean, _transactionId: string): Promise<RegistryDomain> {
    return this.change(name, 'transfer_locked', Number(locked));
  }

  async issueAuthCode(name: DomainName, _transactionId: string): Promise<AuthCode> {
    const code = randomBytes(AUTH_CODE_BYTES).toString('hex');
    const expiresAt = addDays(this.clock.now(), this.offerFor(name).authCodeDays);
    const digest = createHash('sha256').update(code).digest('hex');
    await this.store.transaction(async (manager) => {
      await this.held(manager, name);
      await manager.query('UPDATE simreg_domains SET auth_code_digest = ?, auth_code_expires_at = ? WHERE name = ?', [digest, expiresAt.getTime(), name.value]);
    });
    return { code, expiresAt };
  }

  private async change(name: DomainName, column: 'nameservers' | 'registrant' | 'transfer_locked', value: string | number): Promise<RegistryDomain> {
    return this.store.transaction(async (manager) => {
      await this.held(manager, name);
      await manager.query(`UPDATE simreg_domains SET ${column} = ? WHERE name = ?`, [value, name.value]);
      return this.held(manager, name);
    });
  }

  private offerFor(name: DomainName): TldOffer {
    const offer = this.offers.forName(name);
    if (!offer) throw new RegistryRejected('unavailable', `${name.value} is under no TLD of this registry`);
    return offer;
  }

  private async held(manager: EntityManager, name: DomainName): Promise<RegistryDomain> {
    const [row] = await manager.query<RegisteredRow[]>(`SELECT ${COLUMNS} FROM simreg_domains WHERE name = ?${this.store.forUpdate}`, [name.value]);
    if (!row) throw new RegistryRejected('not_held', `${name.value} is not registered`);
    return toDomain(row);
  }

  private async heldAmong(names: readonly DomainName[]): Promise<ReadonlySet<string>> {
    const places = names.map(() => '?').join(', ');
    const rows = await this.store.query<{ name: string }>(`SELECT name FROM simreg_domains WHERE name IN (${places})`, names.map(({ value }) => value));
    return new Set(rows.map(({ name }) => name));
  }
}

async function insertDomain(manager: EntityManager, name: DomainName, values: readonly unknown[]): Promise<void> {
  try {
    const columns = 'name, created_at, expires_at, transfer_locked, nameservers, registrant';
    await manager.query(`INSERT INTO simreg_domains (${columns}) VALUES (?, ?, ?, ?, ?, ?)`, [name.value, ...values]);
  } catch (error) {
    if (isDuplicate(error)) throw new RegistryRejected('unavailable', `${name.value} is registered already`, { cause: error });
    throw error;
  }
}

/** The ledger's key is the transaction id: one that was used before is refused, as real registries do. */
async function charge(manager: EntityManager, { kind, name, years, amount, transactionId }: Charge, now: Date): Promise<void> {
  try {
    const columns = 'transaction_id, charged_at, kind, name, years, amount, currency';
    const values = [transactionId, now.getTime(), kind, name.value, years, amount.minor, amount.currency];
    await manager.query(`INSERT INTO simreg_ledger (${columns}) VALUES (?, ?, ?, ?, ?, ?, ?)`, values);
  } catch (error) {
    if (isDuplicate(error)) throw new RegistryRejected('policy', 'The transaction id was used before', { cause: error });
    throw error;
  }
}

function assertPolicy({ suffix, years, nameservers: counts }: TldOffer, term: RegistrationTerm, { hosts }: Nameservers): void {
  if (term.years < years.min || term.years > years.max) throw new RegistryRejected('policy', `.${suffix} sells ${years.min} to ${years.max} years`);
  if (hosts.length < counts.min || hosts.length > counts.max) throw new RegistryRejected('policy', `.${suffix} asks for ${counts.min} to ${counts.max} nameservers`);
}

function quote({ registration, renewal }: TldOffer): PriceQuote {
  return { registration: { minor: registration, currency: PRICE_LIST_CURRENCY }, renewal: { minor: renewal, currency: PRICE_LIST_CURRENCY } };
}

function toDomain(row: RegisteredRow): RegistryDomain {
  return {
    name: DomainName.restore(row.name),
    ours: true,
    createdByUs: true,
    createdAt: new Date(row.created_at),
    expiresAt: new Date(row.expires_at),
    nameservers: JSON.parse(row.nameservers) as string[],
    transferLocked: row.transfer_locked === 1,
  };
}
