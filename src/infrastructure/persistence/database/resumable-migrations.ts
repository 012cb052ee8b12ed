import { setTimeout as sleep } from 'node:timers/promises';
import type { MigrationInterface, QueryRunner } from 'typeorm';
import type { DatabaseContent } from './data-source';
import { codeOf } from './database-errors';

/** A migration as TypeORM takes it; the class has its name, which ends in its timestamp. */
export interface MigrationClass {
  new (): MigrationInterface;
  readonly name: string;
  /** Versions of the service that do not know it can work with its schema. */
  readonly expandOnly?: boolean;
  /** It takes the place of earlier migrations: the last of them, and a commit that has that one and none of the later ones. */
  readonly replaces?: { readonly last: string; readonly commit: string };
}

/** MySQL's error codes for statements that an interrupted migration has already executed. */
const DONE_BEFORE: readonly (readonly [statement: RegExp, code: string])[] = [
  [/^\s*CREATE TABLE\b/i, 'ER_TABLE_EXISTS_ERROR'],
  [/^\s*ALTER TABLE \w+ ADD COLUMN\b/i, 'ER_DUP_FIELDNAME'],
  [/^\s*ALTER TABLE \w+ DROP COLUMN\b/i, 'ER_CANT_DROP_FIELD_OR_KEY'],
  [/^\s*CREATE (UNIQUE )?INDEX\b/i, 'ER_DUP_KEYNAME'],
  [/^\s*DROP INDEX\b/i, 'ER_CANT_DROP_FIELD_OR_KEY'],
  [/^\s*DROP TABLE\b/i, 'ER_BAD_TABLE_ERROR'],
  [/^\s*INSERT\b/i, 'ER_DUP_ENTRY'],
];

/**
 * While a statement waits for a table that a transaction uses, every other statement on that table waits behind it. While it waits for a
 * transaction on a table that refers to its table, that transaction may wait for it, and MariaDB notices no deadlock.
 */
const TABLE_LOCK_SECONDS = 1;
const PAUSE_MS = 1_000;
const MAX_LOCK_WAITS = 60;

export function migrationsOf({ migrations = [] }: DatabaseContent): readonly MigrationClass[] {
  return Object.values(migrations) as MigrationClass[];
}

/**
 * The same migrations for MySQL, which commits each DDL statement separately: when they run again after an interruption, they skip
 * completed statements. Each statement makes one change. While they wait for a table, processes of an earlier version go on using it.
 */
export function resumable(content: DatabaseContent): DatabaseContent {
  return { ...content, migrations: migrationsOf(content).map(resumableMigration) };
}

function resumableMigration(Migration: MigrationClass): MigrationClass {
  return class implements MigrationInterface {
    static readonly name = Migration.name;
    readonly name = Migration.name;
    private readonly migration = new Migration();

    async up(runner: QueryRunner): Promise<void> {
      await runner.query(
        `SET SESSION lock_wait_timeout = ${TABLE_LOCK_SECONDS}, innodb_lock_wait_timeout = ${TABLE_LOCK_SECONDS}`,
      );
      return this.migration.up(passingOverDone(runner));
    }

    down(runner: QueryRunner): Promise<void> {
      return this.migration.down(passingOverDone(runner));
    }
  };
}

function passingOverDone(runner: QueryRunner): QueryRunner {
  const query = async (sql: string, parameters?: unknown[]): Promise<unknown> => {
    try {
      return await betweenTransactions(() => runner.query(sql, parameters));
    } catch (error) {
      if (DONE_BEFORE.some(([statement, code]) => statement.test(sql) && codeOf(error) === code)) return [];
      throw error;
    }
  };
  return new Proxy(runner, {
    get: (target, property) => {
      if (property === 'query') return query;
      const value = Reflect.get(target, property, target) as unknown;
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });
}

/** Repeats a statement that did not get the lock of its table. It has changed nothing then. */
async function betweenTransactions(send: () => Promise<unknown>): Promise<unknown> {
  for (let waits = 1; ; waits += 1) {
    try {
      return await send();
    } catch (error) {
      if (codeOf(error) !== 'ER_LOCK_WAIT_TIMEOUT' || waits === MAX_LOCK_WAITS) throw error;
    }
    await sleep(PAUSE_MS);
  }
}
