import type { MigrationInterface, QueryRunner } from 'typeorm';
import { tableOptions } from '../../../../persistence/table-options';

/** The simulated registry's own tables in 0.1.0; later changes are migrations of their own. `details` belongs to the EPP server. All times are epoch milliseconds, all amounts minor units. */
export class SimulatedRegistrySchema1764090000001 implements MigrationInterface {
  readonly name = 'SimulatedRegistrySchema1764090000001';

  async up(runner: QueryRunner): Promise<void> {
    const options = await tableOptions(runner);
    for (const [table, columns] of TABLES) await runner.query(`CREATE TABLE simreg_${table} (${columns})${options}`);
    for (const [index, place] of INDEXES) await runner.query(`CREATE INDEX simreg_${index} ON simreg_${place}`);
    await runner.query(`INSERT INTO simreg_settings (name, value) VALUES ('clock_offset_ms', 0)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const [table] of TABLES) await runner.query(`DROP TABLE simreg_${table}`);
  }
}

const TABLES: readonly (readonly [name: string, columns: string])[] = [
  [
    'settings',
    `name VARCHAR(32) NOT NULL PRIMARY KEY,
    value BIGINT NOT NULL`,
  ],
  [
    'registrations',
    `name VARCHAR(253) NOT NULL PRIMARY KEY,
    sponsor VARCHAR(32) NOT NULL,
    creator VARCHAR(32) NOT NULL,
    created_at BIGINT NOT NULL,
    expires_at BIGINT NOT NULL,
    phase VARCHAR(20) NOT NULL,
    phase_ends_at BIGINT NULL,
    auto_renewed_from BIGINT NULL,
    add_grace_ends_at BIGINT NULL,
    refundable BIGINT NOT NULL,
    transfer_locked SMALLINT NOT NULL,
    transfer_to VARCHAR(32) NULL,
    transfer_ends_at BIGINT NULL,
    auth_code_digest CHAR(64) NULL,
    auth_code_expires_at BIGINT NULL,
    nameservers TEXT NOT NULL,
    glue TEXT NOT NULL,
    registrant TEXT NOT NULL,
    next_due_at BIGINT NOT NULL,
    details TEXT NULL`,
  ],
  [
    'transactions',
    `registrar VARCHAR(32) NOT NULL,
    transaction_id VARCHAR(64) NOT NULL,
    used_at BIGINT NOT NULL,
    PRIMARY KEY (registrar, transaction_id)`,
  ],
  [
    'charges',
    `id CHAR(26) NOT NULL PRIMARY KEY,
    registrar VARCHAR(32) NOT NULL,
    charged_at BIGINT NOT NULL,
    kind VARCHAR(12) NOT NULL,
    name VARCHAR(253) NOT NULL,
    years INTEGER NOT NULL,
    amount BIGINT NOT NULL,
    transaction_id VARCHAR(64) NULL`,
  ],
  [
    'notices',
    `id CHAR(26) NOT NULL PRIMARY KEY,
    registrar VARCHAR(32) NOT NULL,
    noticed_at BIGINT NOT NULL,
    kind VARCHAR(20) NOT NULL,
    name VARCHAR(253) NOT NULL,
    message TEXT NOT NULL`,
  ],
  [
    'faults',
    `id CHAR(26) NOT NULL PRIMARY KEY,
    kind VARCHAR(12) NOT NULL,
    target VARCHAR(253) NULL,
    remaining INTEGER NULL,
    milliseconds INTEGER NOT NULL`,
  ],
];

const INDEXES: readonly (readonly [name: string, place: string])[] = [
  ['registrations_due', 'registrations (next_due_at)'],
  ['charges_by_age', 'charges (charged_at)'],
  ['transactions_by_age', 'transactions (used_at)'],
  ['charges_in_order', 'charges (registrar, charged_at, id)'],
  ['notices_in_order', 'notices (registrar, noticed_at, id)'],
];
