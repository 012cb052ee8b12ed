import type { DatabaseLocation } from '../../../persistence/database/database-location';
import { Database } from '../../../persistence/database/database';
import { wasNew } from '../../../persistence/database/database-errors';
import { SIMULATED_MIGRATIONS, SqlRegistryStore } from '../simulated/store/sql-registry-store';
import { EppServerSchema1764090000002 } from './migrations/1764090000002-epp-server-schema';

/** Only the sponsor may change the object. Times are epoch milliseconds. */
interface Sponsored {
  readonly sponsor: string;
  readonly creator: string;
  readonly createdAt: number;
  readonly updatedBy: string | null;
  readonly updatedAt: number | null;
  /** Client statuses: `clientDeleteProhibited` … */
  readonly statuses: readonly string[];
}

export interface PostalInfo {
  readonly type: 'int' | 'loc';
  readonly name: string;
  readonly org: string | null;
  readonly street: readonly string[];
  readonly city: string;
  readonly sp: string | null;
  readonly pc: string | null;
  readonly cc: string;
}

export interface PhoneNumber {
  readonly number: string;
  readonly extension: string | null;
}

export interface Contact extends Sponsored {
  readonly id: string;
  readonly postalInfos: readonly PostalInfo[];
  readonly voice: PhoneNumber | null;
  readonly fax: PhoneNumber | null;
  readonly email: string;
  /** A registry's extension data, by element name. */
  readonly details?: Readonly<Record<string, string>>;
}

export interface Host extends Sponsored {
  readonly name: string;
  /** In canonical form. */
  readonly addresses: readonly string[];
}

/** SQLite takes 32,766 parameters. */
const MAX_PLACES = 1_000;

/** Stores registrars, contacts and hosts in the SQLite file of the registry. */
export class BackendStore {
  readonly registry: SqlRegistryStore;
  private readonly database: Database;

  constructor(file: string) {
    const location: DatabaseLocation = { kind: 'sqlite', file };
    this.database = new Database(location, {
      migrations: [...SIMULATED_MIGRATIONS, EppServerSchema1764090000002],
      migrationsTableName: 'simreg_migrations',
    });
    this.registry = new SqlRegistryStore(location, this.database);
  }

  async open(): Promise<void> {
    await this.database.open();
  }

  async close(): Promise<void> {
    await this.database.close();
  }

  async passwordHash(registrar: string): Promise<string | undefined> {
    const [row] = await this.database.query<{ password_hash: string }>(
      'SELECT password_hash FROM eppreg_registrars WHERE id = ?',
      [registrar],
    );
    return row?.password_hash;
  }

  async registrars(): Promise<readonly string[]> {
    return (await this.database.query<{ id: string }>('SELECT id FROM eppreg_registrars ORDER BY id')).map(
      ({ id }) => id,
    );
  }

  /** Creates the registrar if it does not exist. */
  async setPassword(registrar: string, passwordHash: string, now: Date): Promise<void> {
    const statement =
      'INSERT INTO eppreg_registrars (id, password_hash, created_at) VALUES (?, ?, ?) ON CONFLICT (id) DO UPDATE SET password_hash = excluded.password_hash';
    await this.write(statement, [registrar, passwordHash, now.getTime()]);
  }

  async contacts(ids: readonly string[]): Promise<readonly Contact[]> {
    return this.contents<Contact>('contacts', 'id', ids);
  }

  async contactCount(): Promise<number> {
    const [row] = await this.database.query<{ total: number }>('SELECT COUNT(*) AS total FROM eppreg_contacts', []);
    return row?.total ?? 0;
  }

  /** Returns false if the id exists. */
  async addContact(contact: Contact): Promise<boolean> {
    return this.add('contacts', 'id', contact.id, contact);
  }

  async saveContact(contact: Contact): Promise<void> {
    await this.write('UPDATE eppreg_contacts SET content = ? WHERE id = ?', [JSON.stringify(contact), contact.id]);
  }

  async removeContact(id: string): Promise<void> {
    await this.write('DELETE FROM eppreg_contacts WHERE id = ?', [id]);
  }

  /** Whether a domain refers to the contact. */
  async contactIsLinked(id: string): Promise<boolean> {
    return (await this.namesWith('details', id)).length > 0;
  }

  async hosts(names: readonly string[]): Promise<readonly Host[]> {
    return this.contents<Host>('hosts', 'name', names);
  }

  async addressesOf(names: readonly string[]): Promise<ReadonlyMap<string, readonly string[]>> {
    const addresses = new Map<string, readonly string[]>();
    for (let start = 0; start < names.length; start += MAX_PLACES)
      for (const host of await this.hosts(names.slice(start, start + MAX_PLACES)))
        addresses.set(host.name, host.addresses);
    return addresses;
  }

  async hostsUnder(domain: string): Promise<readonly Host[]> {
    const rows = await this.database.query<ContentRow>(
      'SELECT content FROM eppreg_hosts WHERE SUBSTR(name, ?) = ? ORDER BY name',
      [-(domain.length + 1), `.${domain}`],
    );
    return rows.map(({ content }) => JSON.parse(content) as Host);
  }

  /** Returns false if the name exists. */
  async addHost(host: Host): Promise<boolean> {
    return this.add('hosts', 'name', host.name, host);
  }

  async saveHost(name: string, host: Host): Promise<void> {
    await this.write('UPDATE eppreg_hosts SET name = ?, content = ? WHERE name = ?', [
      host.name,
      JSON.stringify(host),
      name,
    ]);
  }

  async removeHost(name: string): Promise<void> {
    await this.write('DELETE FROM eppreg_hosts WHERE name = ?', [name]);
  }

  /** The domains that are delegated to the host. */
  async domainsOn(host: string): Promise<readonly string[]> {
    return this.namesWith('nameservers', host);
  }

  /** Domains whose JSON column contains the string. */
  private async namesWith(column: 'details' | 'nameservers', text: string): Promise<readonly string[]> {
    const rows = await this.database.query<{ name: string }>(
      `SELECT name FROM simreg_registrations WHERE INSTR(${column}, ?) > 0`,
      [JSON.stringify(text)],
    );
    return rows.map(({ name }) => name);
  }

  private async contents<T>(
    table: 'contacts' | 'hosts',
    key: 'id' | 'name',
    values: readonly string[],
  ): Promise<readonly T[]> {
    if (values.length === 0) return [];
    const rows = await this.database.query<ContentRow>(
      `SELECT content FROM eppreg_${table} WHERE ${key} IN (${values.map(() => '?').join(', ')})`,
      values,
    );
    return rows.map(({ content }) => JSON.parse(content) as T);
  }

  private async add(
    table: 'contacts' | 'hosts',
    key: 'id' | 'name',
    value: string,
    content: Contact | Host,
  ): Promise<boolean> {
    return wasNew(
      this.write(`INSERT INTO eppreg_${table} (${key}, content) VALUES (?, ?)`, [value, JSON.stringify(content)]),
    );
  }

  private async write(statement: string, values: readonly (string | number)[]): Promise<void> {
    await this.database.transaction(async (manager) => manager.query(statement, [...values]));
  }
}

interface ContentRow {
  readonly content: string;
}
