import type { MigrationInterface, QueryRunner } from 'typeorm';

const INDEXES: Readonly<Record<string, string>> = {
  domains_by_account: 'account_id, created_at, id',
  domains_by_expiry: 'account_id, expires_at, id',
  domains_by_status_and_expiry: 'account_id, status, expires_at, id',
  domains_by_status_and_creation: 'account_id, status, created_at, id',
};

/** Adds the name to the indexes of the domain lists. On MySQL one statement replaces each, because older versions force them by name. */
export class NamesInDomainLists1795343700000 implements MigrationInterface {
  static readonly expandOnly = true;
  readonly name = 'NamesInDomainLists1795343700000';

  async up(runner: QueryRunner): Promise<void> {
    for (const [index, columns] of Object.entries(INDEXES)) await replaceIndex(runner, index, `${columns}, name`);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const [index, columns] of Object.entries(INDEXES)) await replaceIndex(runner, index, columns);
  }
}

async function replaceIndex(runner: QueryRunner, index: string, columns: string): Promise<void> {
  if (runner.dataSource.options.type === 'mysql') {
    await runner.query(`ALTER TABLE domains DROP INDEX ${index}, ADD INDEX ${index} (${columns})`);
    return;
  }
  await runner.query(`DROP INDEX ${index}`);
  await runner.query(`CREATE INDEX ${index} ON domains (${columns})`);
}
