import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What is stored with a record and not published. */
export class RecordNotes1795860000000 implements MigrationInterface {
  static readonly expandOnly = true;
  readonly name = 'RecordNotes1795860000000';

  async up(runner: QueryRunner): Promise<void> {
    for (const column of COLUMNS)
      if (!(await runner.hasColumn('dns_records', column.name)))
        await runner.query(`ALTER TABLE dns_records ADD COLUMN ${column.name} ${column.type} NULL`);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const { name } of COLUMNS.toReversed())
      if (await runner.hasColumn('dns_records', name))
        await runner.query(`ALTER TABLE dns_records DROP COLUMN ${name}`);
  }
}

const COLUMNS = [
  { name: 'comment', type: 'VARCHAR(500)' },
  { name: 'managed_by', type: 'VARCHAR(64)' },
];
