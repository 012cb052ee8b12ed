import type { MigrationInterface, QueryRunner } from 'typeorm';
import { dropIndex } from '../table-options';

/**
 * A lease is kept by beats and not by a clock; `held_until` stays for the versions before, which may still run. How far a
 * secondary is known to have caught up is kept, so that the next process that sends NOTIFY does not compare every zone.
 */
export class NotifyByHeartbeat1764060000000 implements MigrationInterface {
  readonly name = 'NotifyByHeartbeat1764060000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE leases ADD COLUMN beats BIGINT NOT NULL DEFAULT 0');
    await runner.query('ALTER TABLE secondaries ADD COLUMN caught_up_to BIGINT NOT NULL DEFAULT 0');
    await runner.query('CREATE INDEX zones_in_order_of_change ON zones (changed_at, domain_id)');
    await dropIndex(runner, 'zones_by_change', 'zones');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('CREATE INDEX zones_by_change ON zones (changed_at)');
    await dropIndex(runner, 'zones_in_order_of_change', 'zones');
    await runner.query('ALTER TABLE secondaries DROP COLUMN caught_up_to');
    await runner.query('ALTER TABLE leases DROP COLUMN beats');
  }
}
