import type { MigrationInterface, QueryRunner } from 'typeorm';
import { addColumn, addUniqueIndex, dropIndex } from '../table-options';

/**
 * A person's e-mail is theirs within an account, not in the whole service: otherwise an invitation would tell which e-mails
 * exist elsewhere. The column email keeps its UNIQUE constraint and holds a value of no meaning for people who come now.
 */
export class PeopleByAddress1764040000003 implements MigrationInterface {
  readonly name = 'PeopleByAddress1764040000003';

  async up(runner: QueryRunner): Promise<void> {
    await addColumn(runner, 'users', 'address', 'VARCHAR(254) NULL');
    await runner.query('UPDATE users SET address = email WHERE address IS NULL');
    await addUniqueIndex(runner, 'users_by_address', 'users', 'address, account_id');
  }

  async down(runner: QueryRunner): Promise<void> {
    await dropIndex(runner, 'users_by_address', 'users');
    await runner.query('ALTER TABLE users DROP COLUMN address');
  }
}
