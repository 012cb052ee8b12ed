import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { EntitySchema, type EntityManager, type EntitySchemaOptions } from 'typeorm';
import { settleAll } from '../../../application/shared/settle-all';
import type { Columns, RowWith } from './columns';
import {
  compileMapping,
  type MappedRow,
  type Mapping,
  type RestOfRow,
  type StateWith,
  type StorableState,
} from './mapping';

/** A row of a table, as the driver returns it. */
export type RowOf<T> = T extends EntitySchema<infer Row> ? Row : never;

interface Keys {
  /** Names and columns. */
  readonly indices?: Readonly<Record<string, readonly string[]>>;
  readonly uniques?: Readonly<Record<string, readonly string[]>>;
  /** Table and columns that a column refers to, by the name of the constraint. */
  readonly references?: readonly (readonly [column: string, table: string, column: string])[];
}

/** An entity schema that also maps rows to the states of entities: `stateOf` and `rowOf`. */
export class Table<C extends Columns> extends EntitySchema<RowWith<C>> {
  readonly mapping: Mapping<C>;

  constructor(
    options: EntitySchemaOptions<RowWith<C>>,
    name: string,
    readonly columns: C,
  ) {
    super(options);
    this.mapping = compileMapping(name, columns);
  }
}

/** The one definition of a table's columns: rows, inserts, updates and look-ups follow from it. Migrations create what it says. */
export function table<const C extends Columns>(
  tableName: string,
  columns: C,
  { indices = {}, uniques = {}, references = [] }: Keys = {},
): Table<C> {
  const options: EntitySchemaOptions<RowWith<C>> = {
    name: tableName,
    tableName,
    columns,
    indices: [...indexed(indices, false), ...indexed(uniques, true)],
    foreignKeys: references.map(([column, target, referenced]) => ({
      name: `${tableName}_${column}`,
      target,
      columnNames: [column],
      referencedColumnNames: [referenced],
    })),
  };
  return new Table(options, tableName, columns);
}

export function stateOf<C extends Columns>({ mapping }: Table<C>, row: NoInfer<MappedRow<C>>): StateWith<C> {
  return mapping.stateOf(row);
}

/** Maps rows that have only some of the columns. */
export function mappingOf<C extends Columns, const Name extends keyof C & string>(
  { columns, options }: Table<C>,
  names: readonly Name[],
): Mapping<Pick<C, Name>> {
  const some = Object.fromEntries(names.map((name) => [name, columns[name]])) as Pick<C, Name>;
  return compileMapping(options.name, some);
}

/** @param rest the columns that are not part of the state; without them, the row lacks them */
export function rowOf<C extends Columns>(table: Table<C>, state: NoInfer<StorableState<C>>): MappedRow<C>;
export function rowOf<C extends Columns>(
  table: Table<C>,
  state: NoInfer<StorableState<C>>,
  rest: NoInfer<RestOfRow<C>>,
): RowWith<C>;
export function rowOf<C extends Columns>(
  { mapping }: Table<C>,
  state: StorableState<C>,
  rest?: RestOfRow<C>,
): MappedRow<C> | RowWith<C> {
  return rest ? mapping.wholeRowOf(state, rest) : mapping.rowOf(state);
}

function indexed(keys: NonNullable<Keys['indices']>, unique: boolean) {
  return Object.entries(keys).map(([name, columns]) => ({ name, columns: [...columns], unique }));
}

/** The columns of a table for a hand-written SELECT or INSERT: all of them, or all but some. */
export function columnsOf<Row>(schema: EntitySchema<Row>, { except = [], prefix = '' }: Selection<Row> = {}): string {
  return Object.keys(schema.options.columns)
    .filter((name) => !(except as readonly string[]).includes(name))
    .map((name) => `${prefix}${name}`)
    .join(', ');
}

interface Selection<Row> {
  readonly except?: readonly (keyof Row & string)[];
  /** `alias.` */
  readonly prefix?: string;
}

/** From so many rows on, SQLite gets them as one text: every single value would be copied to the thread that writes. */
const MANY_ROWS = 20;

/** One INSERT of whole rows. TypeORM takes ten times as long to write one, which the writes of every record creation would pay. */
export async function insertRows<Row extends object>(
  manager: EntityManager,
  table: EntitySchema<Row>,
  rows: readonly Row[],
): Promise<void> {
  if (rows.length === 0) return;
  const columns = Object.keys(table.options.columns) as (keyof Row)[];
  const insertion = `INSERT INTO ${table.options.tableName} (${columnsOf(table)})`;
  const values = rows.map((row) => columns.map((column) => row[column]));
  if (rows.length >= MANY_ROWS && manager.connection.options.type !== 'mysql') {
    const members = columns.map((_column, index) => `value ->> ${index}`).join(', ');
    await manager.query(`${insertion} SELECT ${members} FROM json_each(?)`, [JSON.stringify(values)]);
    return;
  }
  const places = `(${columns.map(() => '?').join(', ')})`;
  await manager.query(`${insertion} VALUES ${rows.map(() => places).join(', ')}`, values.flat());
}

/** Adds to a counter of `table` that has `key` as its primary key; inserts it if it does not exist. */
export async function addToCounter(
  manager: EntityManager,
  table: string,
  key: Readonly<Record<string, string | number>>,
  counter: string,
  by: number,
): Promise<void> {
  const columns = Object.keys(key).join(', ');
  const places = Object.keys(key).map(() => '?');
  const onDuplicate =
    manager.connection.options.type === 'mysql'
      ? `ON DUPLICATE KEY UPDATE ${counter} = ${counter} + VALUES(${counter})`
      : `ON CONFLICT (${columns}) DO UPDATE SET ${counter} = ${counter} + excluded.${counter}`;
  await manager.query(`INSERT INTO ${table} (${columns}, ${counter}) VALUES (${places.join(', ')}, ?) ${onDuplicate}`, [
    ...Object.values(key),
    by,
  ]);
}

/** `?, ?, ?`: one placeholder for each value. */
export function placeholders(values: readonly unknown[]): string {
  return values.map(() => '?').join(', ');
}

/** Times are stored as epoch milliseconds: docs/decisions/0001. */
export function fromMillis(millis: number): Date {
  return new Date(millis);
}

export function fromNullableMillis(millis: number | null): Date | null {
  return millis === null ? null : fromMillis(millis);
}

interface Size {
  readonly count: number;
  /** In characters. */
  readonly length: number;
}

/** Escaping as much takes a few milliseconds of the event loop. It is far below the largest packet of a server. */
export const STATEMENT_LENGTH = 131_072;

/** Lists of items that are together no larger than `most`; an item that is larger by itself has its own. */
export function* packed<T>(items: Iterable<T>, most: Size, sizeOf: (item: T) => Size): Generator<readonly T[]> {
  let list: T[] = [];
  let [count, length] = [0, 0];
  for (const item of items) {
    const size = sizeOf(item);
    if (list.length > 0 && (count + size.count > most.count || length + size.length > most.length)) {
      yield list;
      [list, count, length] = [[], 0, 0];
    }
    list.push(item);
    count += size.count;
    length += size.length;
  }
  if (list.length > 0) yield list;
}

/** Sending these takes a few milliseconds of the event loop if each has 500 rows. */
const SENT_AT_ONCE = 4;
/** Bounds the memory of what is sent and not yet executed. */
const UNANSWERED = 40;

/**
 * Sends the statements of a transaction in their order without waiting for each result: if its locks are held for a round trip per
 * statement, every other writer waits for whatever else the event loop does.
 */
export async function sendStatements(statements: Iterable<() => Promise<unknown>>): Promise<void> {
  const sent: Promise<unknown>[] = [];
  for (const send of statements) {
    const result = send();
    // It is thrown at the end.
    result.catch(() => undefined);
    sent.push(result);
    if (sent.length % UNANSWERED === 0) await settleAll(sent);
    else if (sent.length % SENT_AT_ONCE === 0) await yieldToEventLoop();
  }
  await settleAll(sent);
}
