import type { MigrationInterface, QueryRunner } from 'typeorm';
import { tableOptions } from '../table-options';

/** Requests with an Idempotency-Key. Their operations are no foreign keys: an id is reserved before there is an operation, if there ever is. */
export class KeyedRequests1763620000001 implements MigrationInterface {
  readonly name = 'KeyedRequests1763620000001';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE TABLE keyed_requests (
      account_id VARCHAR(40) NOT NULL,
      idempotency_key VARCHAR(128) NOT NULL,
      fingerprint CHAR(64) NOT NULL,
      operation_id VARCHAR(40) NOT NULL,
      holder VARCHAR(40) NULL,
      held_until BIGINT NULL,
      answer MEDIUMTEXT NULL,
      expires_at BIGINT NOT NULL,
      PRIMARY KEY (account_id, idempotency_key)
    )${await tableOptions(runner)}`);
    await runner.query('CREATE INDEX keyed_requests_held ON keyed_requests (holder)');
    await runner.query('CREATE INDEX keyed_requests_over ON keyed_requests (expires_at)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE keyed_requests');
  }
}
