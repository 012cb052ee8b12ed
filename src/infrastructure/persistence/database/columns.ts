import type { EntitySchemaColumnOptions } from 'typeorm';

/** How a value of a state is stored in a column. */
export interface Codec<Stored, Value> {
  /** It reads and writes NULL, too. Otherwise, NULL is null. */
  readonly hasNull?: true;
  read(stored: Stored): Value;
  write(value: Value): Stored;
}

/** A column that holds values of type `Stored`, which a state has as values of type `Value`. */
export type AnyColumn<Stored, Value> = EntitySchemaColumnOptions & {
  readonly holds?: Stored;
  readonly means?: Value;
  /** SQLite's TEXT holds all of them. */
  readonly typeOnMysql?: 'mediumtext' | 'longtext' | 'bigint';
  /** AUTO_INCREMENT. SQLite does the same for every INTEGER PRIMARY KEY. */
  readonly generatedOnMysql?: boolean;
  readonly codec?: Codec<unknown, unknown>;
  readonly place?: Place;
  readonly isOptional?: boolean;
  readonly isPartNull?: boolean;
  /** Stored if the state lacks the optional member; otherwise NULL. */
  readonly absent?: 0;
};

/** The member of the state, and its member; none if the state does not have the value. */
export type Place = readonly [] | readonly [member: string] | readonly [member: string, part: string];

/** Its member in the state has the name of the column, in camel case. */
export type Column<Stored, Value = Stored> = AnyColumn<Stored, Value> & { readonly place?: undefined };
type PlacedColumn<Stored, Value, P extends Place> = AnyColumn<Stored, Value> & { readonly place: P };

export type Columns = Readonly<Record<string, AnyColumn<unknown, unknown>>>;
export type RowWith<C extends Columns> = {
  readonly [Name in keyof C]: C[Name] extends AnyColumn<infer Stored, infer _Value> ? Stored : never;
};

export function key<S, V>(column: Column<S, V>): Column<S, V> {
  return { ...column, primary: true };
}

/** A primary key that the database numbers in the order of insertion: a row to be inserted has NULL. */
export function sequence(): PlacedColumn<number | null, number | null, readonly []> {
  return { type: 'integer', typeOnMysql: 'bigint', generatedOnMysql: true, primary: true, place: [] };
}

export function nullable<S, V>(column: Column<S, V>): Column<S | null, V | null> {
  return { ...column, nullable: true };
}

export function withDefault<S, V>(column: Column<S, V>, value: S & (number | string)): Column<S, V> {
  return { ...column, default: value };
}

/** The state has the value under another name. */
export function named<const M extends string, S, V>(member: M, column: Column<S, V>): PlacedColumn<S, V, readonly [M]> {
  return { ...column, place: [member] };
}

/** The value is `state[member][part]`. If one of the member's columns is NULL, the member is null. */
export function partOf<const M extends string, const P extends string, S, V>(
  member: M,
  part: P,
  column: Column<S, V>,
): PlacedColumn<S, V, readonly [M, P]> {
  return { ...column, place: [member, part] };
}

/** As `partOf`, of a part that can be null although the member is not. */
export function nullablePartOf<const M extends string, const P extends string, S, V>(
  member: M,
  part: P,
  column: Column<S, V>,
): PlacedColumn<S | null, V | null, readonly [M, P]> & { readonly isPartNull: true } {
  return { ...partOf(member, part, nullable(column)), isPartNull: true };
}

/** The state lacks the member if the column is NULL. */
export function optional<S, V>(column: Column<S, V>): Column<S | null, V | null> & { readonly isOptional: true } {
  return { ...nullable(column), isOptional: true };
}

/** 1 if the state has the member, which is true; 0 if it lacks it. */
export function presence(): Column<number, true> & { readonly isOptional: true } {
  const column = storedIn(withDefault(smallint(), 0), { read: (): true => true, write: () => 1 });
  return { ...column, isOptional: true, absent: 0 };
}

/** The state does not have the value: the repository adds it to the row. */
export function notInState<S, V>(column: Column<S, V>): PlacedColumn<S, V, readonly []> {
  return { ...column, place: [] };
}

export function varchar<T extends string = string>(length: number): Column<T> {
  return { type: 'varchar', length };
}

/** A SHA-256 digest in hexadecimal. */
export function digest(): Column<string> {
  return { type: 'varchar', length: 64 };
}

export function text(): Column<string> {
  return { type: 'text' };
}

/** More than 64 KiB. */
export function longText(typeOnMysql: 'mediumtext' | 'longtext'): Column<string> {
  return { type: 'text', typeOnMysql };
}

export function integer(): Column<number> {
  return { type: 'integer' };
}

export function smallint(): Column<number> {
  return { type: 'smallint' };
}

/** Integers up to 2^53. TypeORM returns them as strings on MySQL, the driver alone as numbers. */
export function bigint(): Column<number> {
  return { type: 'bigint', transformer: { to: (value: number) => value, from: toNumber } };
}

function toNumber(value: string | number | null): number | null {
  return value === null ? null : Number(value);
}

/** The same column, whose values a state has in another form. */
export function storedIn<S, V>(column: Column<S>, codec: Codec<S, V>): Column<S, V> {
  const { means: _stored, ...stored } = column;
  return { ...stored, codec };
}

/** Epoch milliseconds in UTC: docs/decisions/0001. */
export function instant(): Column<number, Date> {
  return storedIn(bigint(), { read: (millis) => new Date(millis), write: (time) => time.getTime() });
}

/** 0 or 1. */
export function flag(column: Column<number> = smallint()): Column<number, boolean> {
  return storedIn(column, { read: (stored) => stored === 1, write: Number });
}

/** A JSON array of base64. */
export function buffers(column: Column<string> = text()): Column<string, readonly Buffer[]> {
  return storedIn<string, readonly Buffer[]>(column, {
    read: (stored) => (JSON.parse(stored) as string[]).map((encoded) => Buffer.from(encoded, 'base64')),
    write: (values) =>
      values.length === 0 ? '[]' : `["${values.map((value) => value.toString('base64')).join('","')}"]`,
  });
}

/** JSON. */
export function json<V>(column: Column<string> = text()): Column<string, V> {
  return storedIn<string, V>(column, {
    read: (stored) => JSON.parse(stored) as V,
    write: (value) => JSON.stringify(value),
  });
}
