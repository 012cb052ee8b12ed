import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The EPP front's own tables, beside those of the simulated registry. All times are epoch milliseconds. */
export class FrontSchema1763713000000 implements MigrationInterface {
  /** The simulated registry works beside tables that it does not know. */
  static readonly expandOnly = true;
  readonly name = 'FrontSchema1763713000000';

  async up(runner: QueryRunner): Promise<void> {
    for (const [table, columns] of TABLES) await runner.query(`CREATE TABLE eppreg_${table} (${columns})`);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const [table] of TABLES) await runner.query(`DROP TABLE eppreg_${table}`);
  }
}

const TABLES: readonly (readonly [name: string, columns: string])[] = [
  [
    'registrars',
    `id VARCHAR(16) NOT NULL PRIMARY KEY,
    password_hash VARCHAR(80) NOT NULL,
    created_at BIGINT NOT NULL`,
  ],
  [
    'contacts',
    `id VARCHAR(16) NOT NULL PRIMARY KEY,
    content TEXT NOT NULL`,
  ],
  [
    'hosts',
    `name VARCHAR(253) NOT NULL PRIMARY KEY,
    content TEXT NOT NULL`,
  ],
];
