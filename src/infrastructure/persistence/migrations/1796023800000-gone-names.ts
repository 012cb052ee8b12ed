import type { MigrationInterface, QueryRunner } from 'typeorm';
import { tableOptions } from '../table-options';

/** The names that an account had and that no state buys again. Registrations that an older version ends meanwhile are missing. */
export class GoneNames1796023800000 implements MigrationInterface {
  static readonly expandOnly = true;
  readonly name = 'GoneNames1796023800000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `CREATE TABLE IF NOT EXISTS gone_names (
        account_id VARCHAR(40) NOT NULL,
        name VARCHAR(253) NOT NULL,
        PRIMARY KEY (account_id, name)
      )${await tableOptions(runner)}`,
    );
    const ignoring = runner.dataSource.options.type === 'mysql' ? 'INSERT IGNORE' : 'INSERT OR IGNORE';
    // A zone that was kept does not know any more that its name was registered, but its operations may.
    await runner.query(
      `${ignoring} INTO gone_names (account_id, name)
      SELECT account_id, name FROM domains WHERE status = 'transferred_out' OR (status = 'gone' AND registered_at IS NOT NULL)
      UNION SELECT d.account_id, d.name FROM domains d WHERE d.status IN ('hosted', 'unverified', 'gone') AND EXISTS (
        SELECT 1 FROM operations o WHERE o.domain_id = d.id AND o.account_id = d.account_id AND o.status = 'succeeded')
      UNION SELECT s.account_id, s.name FROM desired_states s LEFT JOIN domains d ON d.id = s.domain_id WHERE d.id IS NULL
      UNION SELECT account_id, name FROM account_moves WHERE status = 'accepted'`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE IF EXISTS gone_names');
  }
}
