import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The EPP server's own tables in 0.1.0, beside those of the simulated registry; later changes are migrations of their own. */
export class EppServerSchema1764090000002 implements MigrationInterface {
  /** The simulated registry works beside tables that it does not know. */
  static readonly expandOnly = true;
  readonly name = 'EppServerSchema1764090000002';

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
