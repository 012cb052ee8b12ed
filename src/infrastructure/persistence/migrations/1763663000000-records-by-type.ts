import type { MigrationInterface, QueryRunner } from 'typeorm';
import { dropIndex } from '../table-options';

/** The few records of a type are found in a zone of very many without going through all of it. */
export class RecordsByType1763663000000 implements MigrationInterface {
  readonly name = 'RecordsByType1763663000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('CREATE INDEX dns_records_by_type ON dns_records (domain_id, type, created_at, id)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await dropIndex(runner, 'dns_records_by_type', 'dns_records');
  }
}
