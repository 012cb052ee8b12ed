import type { MigrationInterface, QueryRunner } from 'typeorm';
import { foreignKey, tableOptions } from '../table-options';

const DOMAINS_AT_ONCE = 500;

interface Row {
  readonly id: string;
  readonly account_id: string;
  readonly name: string;
  readonly nameservers: string;
  readonly auto_renew: number;
  readonly transfer_locked: number;
}

const INDEXES: Readonly<Record<string, string>> = {
  domains_by_auto_renewal: 'account_id, auto_renew, id, name',
  domains_by_transfer_lock: 'account_id, transfer_locked, id, name',
  domains_by_status_and_id: 'account_id, status, id, name',
};

/** Tags of domains, the terms by which lists are filtered, and jobs that change many domains. */
export class TagsAndBulkJobs1795373000000 implements MigrationInterface {
  static readonly expandOnly = true;
  readonly name = 'TagsAndBulkJobs1795373000000';

  async up(runner: QueryRunner): Promise<void> {
    const options = await tableOptions(runner);
    await runner.query('ALTER TABLE domains ADD COLUMN tags TEXT NULL');
    for (const [index, columns] of Object.entries(INDEXES))
      await runner.query(`CREATE INDEX ${index} ON domains (${columns})`);
    await runner.query(`CREATE TABLE domain_terms (
      account_id VARCHAR(40) NOT NULL,
      term VARCHAR(260) NOT NULL,
      name VARCHAR(253) NOT NULL,
      domain_id VARCHAR(40) NOT NULL,
      PRIMARY KEY (account_id, term, name, domain_id)
    )${options === '' ? ' WITHOUT ROWID' : options}`);
    await runner.query('CREATE INDEX terms_of_domain ON domain_terms (domain_id)');
    await this.addTerms(runner);
    await runner.query(`CREATE TABLE bulk_jobs (
      id VARCHAR(40) NOT NULL PRIMARY KEY,
      account_id VARCHAR(40) NOT NULL,
      actor VARCHAR(60) NOT NULL,
      action ${options === '' ? 'TEXT' : 'MEDIUMTEXT'} NOT NULL,
      total INTEGER NOT NULL,
      undoes VARCHAR(40) NULL,
      created_at BIGINT NOT NULL,
      updated_at BIGINT NOT NULL,
      finished_at BIGINT NULL,
      ${foreignKey(runner, 'bulk_jobs', 'account_id', 'accounts (id)')}
    )${options}`);
    await runner.query('CREATE INDEX bulk_jobs_of_account ON bulk_jobs (account_id, created_at, id)');
    await runner.query('CREATE INDEX bulk_jobs_to_do ON bulk_jobs (finished_at, created_at, id)');
    await runner.query(`CREATE TABLE bulk_items (
      job_id VARCHAR(40) NOT NULL,
      domain_id VARCHAR(40) NOT NULL,
      name VARCHAR(253) NOT NULL,
      operation_id VARCHAR(40) NOT NULL,
      own_action TEXT NULL,
      undo_action TEXT NULL,
      undoable SMALLINT NOT NULL,
      state VARCHAR(12) NOT NULL,
      attempts INTEGER NOT NULL,
      error TEXT NULL,
      PRIMARY KEY (job_id, domain_id),
      ${foreignKey(runner, 'bulk_items', 'job_id', 'bulk_jobs (id)')}
    )${options}`);
    await runner.query('CREATE INDEX bulk_items_by_state ON bulk_items (job_id, state, attempts, name)');
    await runner.query('CREATE INDEX bulk_items_undoable ON bulk_items (job_id, state, undoable)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE bulk_items');
    await runner.query('DROP TABLE bulk_jobs');
    await runner.query('DROP TABLE domain_terms');
    const table = runner.dataSource.options.type === 'mysql' ? ' ON domains' : '';
    for (const index of Object.keys(INDEXES)) await runner.query(`DROP INDEX ${index}${table}`);
    await runner.query('ALTER TABLE domains DROP COLUMN tags');
  }

  private async addTerms(runner: QueryRunner): Promise<void> {
    const ignore = runner.dataSource.options.type === 'mysql' ? 'INSERT IGNORE' : 'INSERT OR IGNORE';
    let after = '';
    for (;;) {
      const rows: readonly Row[] = await runner.manager.query(
        "SELECT id, account_id, name, nameservers, auto_renew, transfer_locked FROM domains WHERE id > ? AND status <> 'gone' ORDER BY id LIMIT ?",
        [after, DOMAINS_AT_ONCE],
      );
      if (rows.length === 0) return;
      const terms = rows.flatMap((row) =>
        termsOf(row).map((term) => [row.account_id, term, row.name, row.id] as const),
      );
      await runner.query(
        `${ignore} INTO domain_terms (account_id, term, name, domain_id) VALUES ${terms.map(() => '(?, ?, ?, ?)').join(', ')}`,
        terms.flat(),
      );
      after = rows.at(-1)?.id ?? after;
    }
  }
}

/** As the service wrote them when this migration was made. */
function termsOf({ name, nameservers, auto_renew, transfer_locked }: Row): readonly string[] {
  const hosts = new Set(JSON.parse(nameservers) as string[]);
  return [
    `tld:${name.slice(name.indexOf('.') + 1)}`,
    ...[...hosts].map((host) => `ns:${host}`),
    ...(auto_renew === 1 ? [] : ['renew:off']),
    ...(transfer_locked === 1 ? [] : ['lock:off']),
  ];
}
