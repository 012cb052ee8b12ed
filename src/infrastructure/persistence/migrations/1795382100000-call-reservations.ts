import type { MigrationInterface, QueryRunner } from 'typeorm';
import { tableOptions } from '../table-options';

/** When the next call to each registry may be sent, by any process. */
export class CallReservations1795382100000 implements MigrationInterface {
  static readonly expandOnly = true;
  readonly name = 'CallReservations1795382100000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `CREATE TABLE call_reservations (registry VARCHAR(40) NOT NULL PRIMARY KEY, free_at BIGINT NOT NULL)${await tableOptions(runner)}`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE call_reservations');
  }
}
