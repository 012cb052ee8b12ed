import type { QueryRunner } from 'typeorm';
import { foreignKey } from '../../table-options';

/** What differs between SQLite and MySQL in the statements of the initial schema. */
export interface Dialect {
  /** A foreign key from a column of a table to `target`, as `table (column)`. */
  readonly references: (table: string, column: string, target: string) => string;
  /** SQLite keeps the rows of such a table in the order of its primary key, as InnoDB always does. */
  readonly withoutRowid: string;
  /** The type of a primary key that counts by itself. */
  readonly sequence: string;
  /** A text of up to 16 MiB. */
  readonly mediumText: string;
  /** A text of up to 4 GiB. */
  readonly longText: string;
}

export function dialectOf(runner: QueryRunner): Dialect {
  const isMysql = runner.dataSource.options.type === 'mysql';
  return {
    references: (table, column, target) => foreignKey(runner, table, column, target),
    withoutRowid: isMysql ? '' : ' WITHOUT ROWID',
    sequence: isMysql ? 'BIGINT NOT NULL AUTO_INCREMENT' : 'INTEGER NOT NULL',
    mediumText: isMysql ? 'MEDIUMTEXT' : 'TEXT',
    longText: isMysql ? 'LONGTEXT' : 'TEXT',
  };
}
