import type { EntityManager } from 'typeorm';
import { monotonicFactory } from 'ulid';
import { RegistryUnavailable } from '../../../application/ports/registry/registry-errors';
import type { GlueHost } from '../../../application/ports/registry/registry-port';
import { StorageUnavailable } from '../../../application/ports/storage/storage-unavailable';
import type { Registrant } from '../../../domain/registration/registrant';
import type { DatabaseContent, DatabaseLocation } from '../../persistence/database/data-source';
import { Database } from '../../persistence/database/database';
import { isDuplicate } from '../../persistence/database/database-errors';
import { nextDueAt } from './lifecycle';
import { SimulatedRegistrySchema1763700000000 } from './migrations/1763700000000-simulated-registry-schema';
import { RegistrationDetails1763712000000 } from './migrations/1763712000000-registration-details';
import type { Charge, Notice, Registration, RegistrationDetails } from './registration';
import type { QueuedNotice, RegistryRecords, RegistryStore, StoredFault } from './registry-store';

/** In the order in which they are applied. */
export const SIMULATED_MIGRATIONS = [SimulatedRegistrySchema1763700000000, RegistrationDetails1763712000000];
const CONTENT: DatabaseContent = { migrations: SIMULATED_MIGRATIONS, migrationsTableName: 'simreg_migrations' };

/** The registry's store in SQL: a SQLite file or tables in a MySQL database, behind connections of its own in either case. */
export class SqlRegistryStore implements RegistryStore {
  /** `database` is given by whoever keeps tables of its own in it, with our migrations among its own. */
  constructor(
    location: DatabaseLocation,
    private readonly database: Database = new Database(location, CONTENT),
  ) {}

  async open(): Promise<void> {
    await this.database.open();
  }

  async close(): Promise<void> {
    await this.database.close();
  }

  async read<T>(work: (records: RegistryRecords) => Promise<T>): Promise<T> {
    return inOurWords(work(new SqlRecords({ rows: (text, values) => this.database.query(text, values), execute: refuseToWrite, forUpdate: '' })));
  }

  async change<T>(work: (records: RegistryRecords) => Promise<T>): Promise<T> {
    const { forUpdate } = this.database;
    return inOurWords(this.database.transaction((manager) => work(new SqlRecords({ ...sqlOf(manager), forUpdate }))));
  }
}

type SqlValue = string | number | null;

interface Sql {
  rows<T>(text: string, values?: readonly SqlValue[]): Promise<T[]>;
  /** Answers how many rows were changed. */
  execute(text: string, values?: readonly SqlValue[]): Promise<number>;
  readonly forUpdate: string;
}

function sqlOf(manager: EntityManager): Pick<Sql, 'rows' | 'execute'> {
  return {
    rows: async <T>(text: string, values: readonly SqlValue[] = []) => manager.query<T[]>(text, [...values]),
    execute: async (text, values = []) => (await manager.queryRunner?.query(text, [...values], true))?.affected ?? 0,
  };
}

async function refuseToWrite(): Promise<never> {
  throw new TypeError('reading changes nothing');
}

/** What goes wrong between the registry and its store is, to whoever asks the registry, an answer that never came. */
async function inOurWords<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    throw error instanceof StorageUnavailable ? new RegistryUnavailable('The simulated registry cannot use its store', undefined, { cause: error }) : error;
  }
}

interface RegistrationRow {
  readonly name: string;
  readonly sponsor: string;
  readonly creator: string;
  readonly created_at: number;
  readonly expires_at: number;
  readonly phase: Registration['phase'];
  readonly phase_ends_at: number | null;
  readonly auto_renewed_from: number | null;
  readonly add_grace_ends_at: number | null;
  readonly refundable: number;
  readonly transfer_locked: number;
  readonly transfer_to: string | null;
  readonly transfer_ends_at: number | null;
  readonly auth_code_digest: string | null;
  readonly auth_code_expires_at: number | null;
  readonly nameservers: string;
  readonly glue: string;
  readonly registrant: string;
  readonly details: string | null;
  /** Derived; what is due is found by it. */
  readonly next_due_at: number;
}

const COLUMNS = [
  'name', 'sponsor', 'creator', 'created_at', 'expires_at', 'phase', 'phase_ends_at', 'auto_renewed_from', 'add_grace_ends_at', 'refundable',
  'transfer_locked', 'transfer_to', 'transfer_ends_at', 'auth_code_digest', 'auth_code_expires_at', 'nameservers', 'glue', 'registrant', 'details', 'next_due_at',
] as const satisfies readonly (keyof RegistrationRow)[];

const INSERT_REGISTRATION = `INSERT INTO simreg_registrations (${COLUMNS.join(', ')}) VALUES (${placesFor(COLUMNS)})`;
const UPDATE_REGISTRATION = `UPDATE simreg_registrations SET ${COLUMNS.map((column) => `${column} = ?`).join(', ')} WHERE name = ?`;
/** SQLite takes 32,766 parameters, MySQL 65,535. */
const MAX_PLACES = 1_000;

/** Ids in the order of writing, which breaks the tie between things that happened at one instant. */
const nextId = monotonicFactory();

class SqlRecords implements RegistryRecords {
  constructor(private readonly sql: Sql) {}

  async clockOffset(): Promise<number> {
    const [row] = await this.sql.rows<{ value: number }>(`SELECT value FROM simreg_settings WHERE name = 'clock_offset_ms'`);
    return row?.value ?? 0;
  }

  async moveClock(milliseconds: number): Promise<void> {
    await this.sql.execute(`UPDATE simreg_settings SET value = value + ? WHERE name = 'clock_offset_ms'`, [milliseconds]);
  }

  async find(names: readonly string[]): Promise<readonly Registration[]> {
    return this.select(names, '');
  }

  async lock(names: readonly string[]): Promise<readonly Registration[]> {
    return this.select(names, ` ORDER BY name${this.sql.forUpdate}`);
  }

  async due(now: Date, limit: number): Promise<readonly string[]> {
    const rows = await this.sql.rows<{ name: string }>('SELECT name FROM simreg_registrations WHERE next_due_at <= ? ORDER BY next_due_at LIMIT ?', [now.getTime(), limit]);
    return rows.map(({ name }) => name);
  }

  async add(registration: Registration): Promise<boolean> {
    return this.insertNew(INSERT_REGISTRATION, valuesOf(registration));
  }

  async save(registration: Registration): Promise<void> {
    await this.sql.execute(UPDATE_REGISTRATION, [...valuesOf(registration), registration.name]);
  }

  async remove(name: string): Promise<void> {
    await this.sql.execute('DELETE FROM simreg_registrations WHERE name = ?', [name]);
  }

  async useTransactionId(registrar: string, transactionId: string, at: Date): Promise<boolean> {
    return this.insertNew('INSERT INTO simreg_transactions (registrar, transaction_id, used_at) VALUES (?, ?, ?)', [registrar, transactionId, at.getTime()]);
  }

  async book(charges: readonly Charge[]): Promise<void> {
    const columns = 'id, registrar, charged_at, kind, name, years, amount, transaction_id';
    for (const { registrar, at, kind, name, years, amount, transactionId } of charges) {
      const values = [nextId(), registrar, at.getTime(), kind, name, years, amount, transactionId];
      await this.sql.execute(`INSERT INTO simreg_charges (${columns}) VALUES (${placesFor(values)})`, values);
    }
  }

  async charges(registrar: string, ofName?: string): Promise<readonly Charge[]> {
    const [condition, values] = ofName === undefined ? ['', []] : [' AND name = ?', [ofName]];
    const rows = await this.sql.rows<ChargeRow>(`SELECT * FROM simreg_charges WHERE registrar = ?${condition} ORDER BY charged_at, id`, [registrar, ...values]);
    return rows.map(({ charged_at, kind, name, years, amount, transaction_id }) => ({
      registrar, at: new Date(charged_at), kind, name, years, amount, transactionId: transaction_id,
    }));
  }

  async notify(notices: readonly Notice[]): Promise<void> {
    for (const { registrar, at, kind, name, text } of notices) {
      const values = [nextId(), registrar, at.getTime(), kind, name, text];
      await this.sql.execute(`INSERT INTO simreg_notices (id, registrar, noticed_at, kind, name, message) VALUES (${placesFor(values)})`, values);
    }
  }

  async oldestNotice(registrar: string): Promise<QueuedNotice | undefined> {
    const [row] = await this.sql.rows<NoticeRow>('SELECT * FROM simreg_notices WHERE registrar = ? ORDER BY noticed_at, id LIMIT 1', [registrar]);
    return row && { id: row.id, registrar, at: new Date(row.noticed_at), kind: row.kind, name: row.name, text: row.message };
  }

  async countNotices(registrar: string): Promise<number> {
    const [row] = await this.sql.rows<{ count: number }>('SELECT COUNT(*) AS count FROM simreg_notices WHERE registrar = ?', [registrar]);
    return row?.count ?? 0;
  }

  async dropNotice(registrar: string, id: string): Promise<void> {
    await this.sql.execute('DELETE FROM simreg_notices WHERE id = ? AND registrar = ?', [id, registrar]);
  }

  async faults(): Promise<readonly StoredFault[]> {
    return this.sql.rows<StoredFault>('SELECT id, kind, target, remaining, milliseconds FROM simreg_faults ORDER BY id');
  }

  async addFault({ kind, target, remaining, milliseconds }: Omit<StoredFault, 'id'>): Promise<void> {
    const values = [nextId(), kind, target, remaining, milliseconds];
    await this.sql.execute(`INSERT INTO simreg_faults (id, kind, target, remaining, milliseconds) VALUES (${placesFor(values)})`, values);
  }

  async useFault(id: string): Promise<boolean> {
    const used = await this.sql.execute('UPDATE simreg_faults SET remaining = remaining - 1 WHERE id = ? AND remaining > 0', [id]);
    await this.sql.execute('DELETE FROM simreg_faults WHERE id = ? AND remaining <= 0', [id]);
    return used > 0;
  }

  async clearFaults(): Promise<void> {
    await this.sql.execute('DELETE FROM simreg_faults');
  }

  private async select(names: readonly string[], ending: string): Promise<Registration[]> {
    const found: Registration[] = [];
    for (let start = 0; start < names.length; start += MAX_PLACES) {
      const some = names.slice(start, start + MAX_PLACES);
      const rows = await this.sql.rows<RegistrationRow>(`SELECT * FROM simreg_registrations WHERE name IN (${placesFor(some)})${ending}`, some);
      found.push(...rows.map(toRegistration));
    }
    return found;
  }

  private async insertNew(statement: string, values: readonly SqlValue[]): Promise<boolean> {
    try {
      await this.sql.execute(statement, values);
      return true;
    } catch (error) {
      if (isDuplicate(error)) return false;
      throw error;
    }
  }
}

interface ChargeRow {
  readonly charged_at: number;
  readonly kind: Charge['kind'];
  readonly name: string;
  readonly years: number;
  readonly amount: number;
  readonly transaction_id: string | null;
}

interface NoticeRow {
  readonly id: string;
  readonly noticed_at: number;
  readonly kind: Notice['kind'];
  readonly name: string;
  readonly message: string;
}

function valuesOf(registration: Registration): SqlValue[] {
  const row = toRow(registration);
  return COLUMNS.map((column) => row[column]);
}

function toRow(registration: Registration): RegistrationRow {
  const { transfer, authCode } = registration;
  return {
    name: registration.name,
    sponsor: registration.sponsor,
    creator: registration.creator,
    created_at: registration.createdAt.getTime(),
    expires_at: registration.expiresAt.getTime(),
    phase: registration.phase,
    phase_ends_at: millis(registration.phaseEndsAt),
    auto_renewed_from: millis(registration.autoRenewedFrom),
    add_grace_ends_at: millis(registration.addGraceEndsAt),
    refundable: registration.refundable,
    transfer_locked: Number(registration.transferLocked),
    transfer_to: transfer?.gaining ?? null,
    transfer_ends_at: millis(transfer?.endsAt ?? null),
    auth_code_digest: authCode?.digest ?? null,
    auth_code_expires_at: millis(authCode?.expiresAt ?? null),
    nameservers: JSON.stringify(registration.nameservers),
    glue: JSON.stringify(registration.glue),
    registrant: JSON.stringify(registration.registrant),
    details: registration.details && JSON.stringify(registration.details),
    next_due_at: nextDueAt(registration).getTime(),
  };
}

function toRegistration(row: RegistrationRow): Registration {
  return {
    name: row.name,
    sponsor: row.sponsor,
    creator: row.creator,
    createdAt: new Date(row.created_at),
    expiresAt: new Date(row.expires_at),
    phase: row.phase,
    phaseEndsAt: instant(row.phase_ends_at),
    autoRenewedFrom: instant(row.auto_renewed_from),
    addGraceEndsAt: instant(row.add_grace_ends_at),
    refundable: row.refundable,
    transferLocked: row.transfer_locked === 1,
    transfer: row.transfer_to === null || row.transfer_ends_at === null ? null : { gaining: row.transfer_to, endsAt: new Date(row.transfer_ends_at) },
    authCode: row.auth_code_digest === null || row.auth_code_expires_at === null ? null : { digest: row.auth_code_digest, expiresAt: new Date(row.auth_code_expires_at) },
    nameservers: JSON.parse(row.nameservers) as string[],
    glue: JSON.parse(row.glue) as GlueHost[],
    registrant: JSON.parse(row.registrant) as Registrant | null,
    details: row.details === null ? null : (JSON.parse(row.details) as RegistrationDetails),
  };
}

function millis(date: Date | null): number | null {
  return date ? date.getTime() : null;
}

function instant(epochMillis: number | null): Date | null {
  return epochMillis === null ? null : new Date(epochMillis);
}

function placesFor(values: readonly unknown[]): string {
  return values.map(() => '?').join(', ');
}
