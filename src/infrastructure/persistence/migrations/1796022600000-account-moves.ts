import type { MigrationInterface, QueryRunner } from 'typeorm';
import { tableOptions } from '../table-options';

/** Domains and zones that another account gets if it accepts; the history that the new account sees begins with its own version. */
export class AccountMoves1796022600000 implements MigrationInterface {
  static readonly expandOnly = true;
  readonly name = 'AccountMoves1796022600000';

  async up(runner: QueryRunner): Promise<void> {
    if (!(await runner.hasColumn('zones', 'history_from')))
      await runner.query('ALTER TABLE zones ADD COLUMN history_from BIGINT NOT NULL DEFAULT 0');
    if (await runner.hasTable('account_moves')) return;
    const isMysql = runner.dataSource.options.type === 'mysql';
    const long = isMysql ? 'MEDIUMTEXT' : 'TEXT';
    const indices = {
      account_moves_of_account: 'account_id, created_at, id',
      account_moves_to_account: 'to_account_id, created_at, id',
      account_moves_of_domain: 'domain_id, status',
      account_moves_by_end: 'expires_at',
    };
    // In one statement, so that an interruption leaves no table without its indices.
    const keys = Object.entries(indices).map(([name, columns]) => `, KEY ${name} (${columns})`);
    await runner.query(
      `CREATE TABLE account_moves (
        id VARCHAR(40) NOT NULL PRIMARY KEY,
        account_id VARCHAR(40) NOT NULL,
        to_account_id VARCHAR(40) NOT NULL,
        domain_id VARCHAR(40) NOT NULL,
        name VARCHAR(253) NOT NULL,
        zones ${long} NOT NULL,
        effects ${long} NOT NULL,
        proposer VARCHAR(60) NOT NULL,
        reason TEXT NOT NULL,
        status VARCHAR(12) NOT NULL,
        decision TEXT NULL,
        created_at BIGINT NOT NULL,
        updated_at BIGINT NOT NULL,
        expires_at BIGINT NOT NULL${isMysql ? keys.join('') : ''}
      )${await tableOptions(runner)}`,
    );
    if (!isMysql)
      for (const [name, columns] of Object.entries(indices))
        await runner.query(`CREATE INDEX ${name} ON account_moves (${columns})`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE IF EXISTS account_moves');
    if (await runner.hasColumn('zones', 'history_from'))
      await runner.query('ALTER TABLE zones DROP COLUMN history_from');
  }
}
