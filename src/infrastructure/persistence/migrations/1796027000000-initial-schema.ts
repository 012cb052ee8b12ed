import type { MigrationInterface, QueryRunner } from 'typeorm';
import { tableOptions } from '../table-options';
import { accessTables } from './initial-schema/access-tables';
import { dialectOf } from './initial-schema/dialect';
import { dnsTables } from './initial-schema/dns-tables';
import { eventTables } from './initial-schema/event-tables';
import { registrationTables } from './initial-schema/registration-tables';
import { serviceTables } from './initial-schema/service-tables';

/**
 * The schema of 0.1.0. It is never edited: later changes are migrations of their own. Each statement makes one change, because MySQL
 * commits it by itself and an interrupted migration is run again.
 */
export class InitialSchema1796027000000 implements MigrationInterface {
  static readonly replaces = { last: 'DriftOfRecords1796026200000', commit: 'a8ba3d8d2994' };
  readonly name = 'InitialSchema1796027000000';

  async up(runner: QueryRunner): Promise<void> {
    const options = await tableOptions(runner);
    for (const statement of statements(runner))
      await runner.query(CREATED_TABLE.test(statement) ? `${statement}${options}` : statement);
    await runner.query('INSERT INTO dns_catalog (id, version) VALUES (1, 1)');
  }

  async down(runner: QueryRunner): Promise<void> {
    const tables = statements(runner).flatMap((statement) => CREATED_TABLE.exec(statement)?.[1] ?? []);
    for (const table of tables.toReversed()) await runner.query(`DROP TABLE ${table}`);
  }
}

const CREATED_TABLE = /^CREATE TABLE (\w+)/;

function statements(runner: QueryRunner): readonly string[] {
  const dialect = dialectOf(runner);
  return [accessTables, registrationTables, dnsTables, eventTables, serviceTables].flatMap((part) => part(dialect));
}
