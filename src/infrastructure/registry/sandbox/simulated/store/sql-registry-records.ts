import { monotonicFactory } from 'ulid';
import { wasNew } from '../../../../persistence/database/database-errors';
import { randomFractions } from '../../../../system/random/random-fractions';
import type { Charge, Notice, Registration } from '../registration';
import { REGISTRATION_COLUMNS, toRegistration, toRow, type RegistrationRow } from './registration-row';
import type { QueuedNotice, RegistryRecords, StoredFault } from './registry-store';

export type SqlValue = string | number | null;

export interface Sql {
  rows<T>(text: string, values?: readonly SqlValue[]): Promise<T[]>;
  /** Returns the number of changed rows. */
  execute(text: string, values?: readonly SqlValue[]): Promise<number>;
  readonly forUpdate: string;
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

const INSERT_REGISTRATION = `INSERT INTO simreg_registrations (${REGISTRATION_COLUMNS.join(', ')}) VALUES (${placesFor(REGISTRATION_COLUMNS)})`;
const UPDATE_REGISTRATION = `UPDATE simreg_registrations SET ${REGISTRATION_COLUMNS.map((column) => `${column} = ?`).join(', ')} WHERE name = ?`;
const AGING = [
  { table: 'simreg_charges', column: 'charged_at' },
  { table: 'simreg_transactions', column: 'used_at' },
] as const;
/** SQLite takes 32,766 parameters, MySQL 65,535. */
const MAX_PLACES = 1_000;

/** Monotonic ids, which keep the order of entries with the same time. */
const nextId = monotonicFactory(randomFractions());

/** The registry's records within one transaction, in SQL for SQLite and MySQL. */
export class SqlRegistryRecords implements RegistryRecords {
  constructor(private readonly sql: Sql) {}

  async clockOffset(): Promise<number> {
    const [row] = await this.sql.rows<{ value: number }>(
      `SELECT value FROM simreg_settings WHERE name = 'clock_offset_ms'`,
    );
    return row?.value ?? 0;
  }

  async moveClock(milliseconds: number): Promise<void> {
    await this.sql.execute(`UPDATE simreg_settings SET value = value + ? WHERE name = 'clock_offset_ms'`, [
      milliseconds,
    ]);
  }

  async find(names: readonly string[]): Promise<readonly Registration[]> {
    return this.select(names, '');
  }

  async lock(names: readonly string[]): Promise<readonly Registration[]> {
    return this.select(names, ` ORDER BY name${this.sql.forUpdate}`);
  }

  async sponsoredBy(registrar: string, after: string, limit: number): Promise<readonly Registration[]> {
    const rows = await this.sql.rows<RegistrationRow>(
      'SELECT * FROM simreg_registrations WHERE sponsor = ? AND name > ? ORDER BY name LIMIT ?',
      [registrar, after, limit],
    );
    return rows.map(toRegistration);
  }

  async after(after: string, limit: number): Promise<readonly Registration[]> {
    const rows = await this.sql.rows<RegistrationRow>(
      'SELECT * FROM simreg_registrations WHERE name > ? ORDER BY name LIMIT ?',
      [after, limit],
    );
    return rows.map(toRegistration);
  }

  async due(now: Date, limit: number): Promise<readonly string[]> {
    const rows = await this.sql.rows<{ name: string }>(
      'SELECT name FROM simreg_registrations WHERE next_due_at <= ? ORDER BY next_due_at LIMIT ?',
      [now.getTime(), limit],
    );
    return rows.map(({ name }) => name);
  }

  async add(registration: Registration): Promise<boolean> {
    return wasNew(this.sql.execute(INSERT_REGISTRATION, valuesOf(registration)));
  }

  async save(registration: Registration): Promise<void> {
    await this.sql.execute(UPDATE_REGISTRATION, [...valuesOf(registration), registration.name]);
  }

  async remove(name: string): Promise<void> {
    await this.sql.execute('DELETE FROM simreg_registrations WHERE name = ?', [name]);
  }

  async useTransactionId(registrar: string, transactionId: string, at: Date): Promise<boolean> {
    return wasNew(
      this.sql.execute('INSERT INTO simreg_transactions (registrar, transaction_id, used_at) VALUES (?, ?, ?)', [
        registrar,
        transactionId,
        at.getTime(),
      ]),
    );
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
    const rows = await this.sql.rows<ChargeRow>(
      `SELECT * FROM simreg_charges WHERE registrar = ?${condition} ORDER BY charged_at, id`,
      [registrar, ...values],
    );
    return rows.map(({ charged_at, kind, name, years, amount, transaction_id }) => ({
      registrar,
      at: new Date(charged_at),
      kind,
      name,
      years,
      amount,
      transactionId: transaction_id,
    }));
  }

  async hasExpired(before: Date): Promise<boolean> {
    for (const { table, column } of AGING) {
      const rows = await this.sql.rows(`SELECT 1 FROM ${table} WHERE ${column} <= ? LIMIT 1`, [before.getTime()]);
      if (rows.length > 0) return true;
    }
    return false;
  }

  /** All rows up to the time of the last one of the batch: SQLite has no DELETE with LIMIT. */
  async removeExpired(before: Date, limit: number): Promise<void> {
    for (const { table, column } of AGING) {
      const [last] = await this.sql.rows<{ at: number }>(
        `SELECT ${column} AS at FROM ${table} WHERE ${column} <= ? ORDER BY ${column} LIMIT 1 OFFSET ?`,
        [before.getTime(), limit - 1],
      );
      await this.sql.execute(`DELETE FROM ${table} WHERE ${column} <= ?`, [last?.at ?? before.getTime()]);
    }
  }

  async notify(notices: readonly Notice[]): Promise<void> {
    for (const { registrar, at, kind, name, text } of notices) {
      const values = [nextId(), registrar, at.getTime(), kind, name, text];
      await this.sql.execute(
        `INSERT INTO simreg_notices (id, registrar, noticed_at, kind, name, message) VALUES (${placesFor(values)})`,
        values,
      );
    }
  }

  async oldestNotice(registrar: string): Promise<QueuedNotice | undefined> {
    const [row] = await this.sql.rows<NoticeRow>(
      'SELECT * FROM simreg_notices WHERE registrar = ? ORDER BY noticed_at, id LIMIT 1',
      [registrar],
    );
    return (
      row && { id: row.id, registrar, at: new Date(row.noticed_at), kind: row.kind, name: row.name, text: row.message }
    );
  }

  async countNotices(registrar: string): Promise<number> {
    const [row] = await this.sql.rows<{ count: number }>(
      'SELECT COUNT(*) AS count FROM simreg_notices WHERE registrar = ?',
      [registrar],
    );
    return row?.count ?? 0;
  }

  async dropNotice(registrar: string, id: string): Promise<void> {
    await this.sql.execute('DELETE FROM simreg_notices WHERE id = ? AND registrar = ?', [id, registrar]);
  }

  async faults(): Promise<readonly StoredFault[]> {
    return this.sql.rows<StoredFault>(
      'SELECT id, kind, target, remaining, milliseconds FROM simreg_faults ORDER BY id',
    );
  }

  async addFault({ kind, target, remaining, milliseconds }: Omit<StoredFault, 'id'>): Promise<void> {
    const values = [nextId(), kind, target, remaining, milliseconds];
    await this.sql.execute(
      `INSERT INTO simreg_faults (id, kind, target, remaining, milliseconds) VALUES (${placesFor(values)})`,
      values,
    );
  }

  async useFault(id: string): Promise<boolean> {
    const used = await this.sql.execute(
      'UPDATE simreg_faults SET remaining = remaining - 1 WHERE id = ? AND remaining > 0',
      [id],
    );
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
      const rows = await this.sql.rows<RegistrationRow>(
        `SELECT * FROM simreg_registrations WHERE name IN (${placesFor(some)})${ending}`,
        some,
      );
      found.push(...rows.map(toRegistration));
    }
    return found;
  }
}

function valuesOf(registration: Registration): SqlValue[] {
  const row = toRow(registration);
  return REGISTRATION_COLUMNS.map((column) => row[column]);
}

function placesFor(values: readonly unknown[]): string {
  return values.map(() => '?').join(', ');
}
