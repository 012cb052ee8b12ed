import type { MigrationInterface, QueryRunner } from 'typeorm';
import { toUnicodeName } from '../../../domain/shared/idna';

interface NamedRow {
  readonly id: string;
  readonly name: string;
}

const BATCH = 500;

/** The Unicode form of internationalized names, so that a part of it finds the domain. NULL for all other names. */
export class UnicodeNames1764030000000 implements MigrationInterface {
  readonly name = 'UnicodeNames1764030000000';

  async up(runner: QueryRunner): Promise<void> {
    if (!(await runner.hasColumn('domains', 'unicode_name')))
      await runner.query('ALTER TABLE domains ADD COLUMN unicode_name VARCHAR(253) NULL');
    for (let last = ''; ;) {
      const rows = (await runner.query(
        "SELECT id, name FROM domains WHERE id > ? AND INSTR(name, 'xn--') > 0 ORDER BY id LIMIT ?",
        [last, BATCH],
      )) as NamedRow[];
      for (const { id, name } of rows)
        await runner.query('UPDATE domains SET unicode_name = ? WHERE id = ?', [toUnicodeName(name) ?? null, id]);
      if (rows.length < BATCH) return;
      last = rows.at(-1)?.id ?? last;
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE domains DROP COLUMN unicode_name');
  }
}
