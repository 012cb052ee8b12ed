import type { MigrationInterface, QueryRunner } from 'typeorm';
import { addColumn } from '../table-options';

/**
 * Who issued each set-up link and created each key (as `actorText` writes it), and a counter that a transaction raises to
 * serialize changes to an account's people, links and keys.
 */
export class LinkIssuers1764040000000 implements MigrationInterface {
  readonly name = 'LinkIssuers1764040000000';

  async up(runner: QueryRunner): Promise<void> {
    await addColumn(runner, 'accounts', 'access_version', 'INTEGER NOT NULL DEFAULT 0');
    await addColumn(runner, 'setup_links', 'issued_by', 'VARCHAR(60) NULL');
    await addColumn(runner, 'api_keys', 'created_by', 'VARCHAR(60) NULL');
    const created = await runner.manager.query<{ subject: string; actor: string }[]>(
      "SELECT subject, actor FROM audit_log WHERE action = 'key.created'",
    );
    for (const { subject, actor } of created)
      await runner.query('UPDATE api_keys SET created_by = ? WHERE key_id = ?', [actor, subject]);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE api_keys DROP COLUMN created_by');
    await runner.query('ALTER TABLE setup_links DROP COLUMN issued_by');
    await runner.query('ALTER TABLE accounts DROP COLUMN access_version');
  }
}
