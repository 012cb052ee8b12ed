import type { MigrationInterface, QueryRunner } from 'typeorm';
import { dropIndex, tableOptions } from '../table-options';

/**
 * What the hidden primary needs. `zones.changed_at` is for whoever looks for changes of other processes; the version of
 * the catalog has a row of its own, because every change of what is served moves it.
 */
export class HiddenPrimary1763630000000 implements MigrationInterface {
  readonly name = 'HiddenPrimary1763630000000';

  async up(runner: QueryRunner): Promise<void> {
    const options = await tableOptions(runner);
    await runner.query('ALTER TABLE zones ADD COLUMN changed_at BIGINT NOT NULL DEFAULT 0');
    await runner.query('CREATE INDEX zones_by_change ON zones (changed_at)');
    await runner.query('CREATE INDEX domains_of_name ON domains (name)');
    await runner.query('CREATE INDEX dns_records_in_sets ON dns_records (domain_id, name, type, id)');
    await dropIndex(runner, 'dns_records_by_name', 'dns_records');
    await runner.query(`CREATE TABLE dns_catalog (
      id INTEGER NOT NULL PRIMARY KEY,
      version BIGINT NOT NULL
    )${options}`);
    await runner.query('INSERT INTO dns_catalog (id, version) VALUES (1, 1)');
    await runner.query(`CREATE TABLE tsig_keys (
      name VARCHAR(63) NOT NULL PRIMARY KEY,
      algorithm VARCHAR(20) NOT NULL,
      sealed_secret TEXT NOT NULL,
      created_at BIGINT NOT NULL,
      revoked_at BIGINT NULL
    )${options}`);
    await runner.query(`CREATE TABLE secondaries (
      name VARCHAR(63) NOT NULL PRIMARY KEY,
      address VARCHAR(45) NOT NULL,
      port INTEGER NOT NULL,
      key_name VARCHAR(63) NOT NULL,
      signs SMALLINT NOT NULL,
      created_at BIGINT NOT NULL,
      FOREIGN KEY (key_name) REFERENCES tsig_keys (name)
    )${options}`);
    await runner.query(`CREATE TABLE leases (
      name VARCHAR(40) NOT NULL PRIMARY KEY,
      owner VARCHAR(40) NOT NULL,
      held_until BIGINT NOT NULL
    )${options}`);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of ['leases', 'secondaries', 'tsig_keys', 'dns_catalog'])
      await runner.query(`DROP TABLE ${table}`);
    await runner.query('CREATE INDEX dns_records_by_name ON dns_records (domain_id, name)');
    await dropIndex(runner, 'dns_records_in_sets', 'dns_records');
    await dropIndex(runner, 'domains_of_name', 'domains');
    await dropIndex(runner, 'zones_by_change', 'zones');
    await runner.query('ALTER TABLE zones DROP COLUMN changed_at');
  }
}
