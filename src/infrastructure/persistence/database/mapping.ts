import { compileFunction } from 'node:vm';
import { groupedBy } from '../../../domain/shared/grouped-by';
import type { AnyColumn, Codec, Columns, RowWith } from './columns';

type Camel<Name> = Name extends `${infer Word}_${infer Rest}` ? `${Word}${Capitalize<Camel<Rest>>}` : Name & string;
type ValueOf<C> = C extends AnyColumn<infer _Stored, infer Value> ? Value : never;
type MemberOf<Name, C> = C extends { readonly isOptional: true }
  ? never
  : C extends { readonly place: readonly [infer Member extends string] }
    ? Member
    : C extends { readonly place: unknown }
      ? never
      : Camel<Name>;
type PartOf<C, Member> = C extends { readonly place: readonly [Member, infer Part extends string] } ? Part : never;
type CompositeOf<C> = C extends { readonly place: readonly [infer Member extends string, string] } ? Member : never;
type PartsOf<C extends Columns, Member> = {
  readonly [Name in keyof C as PartOf<C[Name], Member>]: C[Name] extends { readonly isPartNull: true }
    ? ValueOf<C[Name]>
    : NonNullable<ValueOf<C[Name]>>;
};
/** `null` if the columns of the member are nullable. */
type NullOf<C extends Columns, Member> = {
  [Name in keyof C]: Member extends CompositeOf<C[Name]> ? Extract<ValueOf<C[Name]>, null> : never;
}[keyof C];

type OptionalMemberOf<Name, C> = C extends { readonly isOptional: true } ? Camel<Name> : never;

type RequiredState<C extends Columns> = {
  readonly [Name in keyof C as MemberOf<Name, C[Name]>]: ValueOf<C[Name]>;
} & {
  readonly [Member in CompositeOf<C[keyof C]>]: PartsOf<C, Member> | NullOf<C, Member>;
};

/** What the columns of a table hold, as the state of an entity. */
export type StateWith<C extends Columns> = RequiredState<C> & {
  readonly [Name in keyof C as OptionalMemberOf<Name, C[Name]>]?: NonNullable<ValueOf<C[Name]>>;
};

/** A state that is to be stored: what it may lack may be null. */
export type StorableState<C extends Columns> = RequiredState<C> & {
  readonly [Name in keyof C as OptionalMemberOf<Name, C[Name]>]?: ValueOf<C[Name]>;
};

/** A row without the columns that a state does not have. */
export type MappedRow<C extends Columns> = {
  readonly [
    Name in keyof RowWith<C> as C[Name] extends { readonly place: readonly [] } ? never : Name
  ]: RowWith<C>[Name];
};

/** The columns of a row that a state does not have. */
export type RestOfRow<C extends Columns> = Omit<RowWith<C>, keyof MappedRow<C>>;

export interface Mapping<C extends Columns> {
  stateOf(this: void, row: MappedRow<C>): StateWith<C>;
  rowOf(this: void, state: StorableState<C>): MappedRow<C>;
  wholeRowOf(this: void, state: StorableState<C>, rest: RestOfRow<C>): RowWith<C>;
}

interface MappedColumn {
  readonly name: string;
  readonly member: string;
  readonly part: string | undefined;
  readonly isNullable: boolean;
  readonly isOptional: boolean;
  readonly isPartNull: boolean;
  /** As source. */
  readonly absent: string;
  readonly codec: Codec<unknown, unknown> | undefined;
}

/**
 * Functions from source, as fast as those written by hand: a loop over columns takes three times as long for each row, and spreading a
 * row into a wider one ten times.
 */
export function compileMapping<C extends Columns>(table: string, columns: C): Mapping<C> {
  const mapped = Object.entries(columns).flatMap(([name, column]) => mappedColumn(table, name, column));
  const codecs = Object.fromEntries(mapped.map(({ name, codec }) => [name, codec]));
  const required = groupedBy(
    mapped.filter(({ isOptional }) => !isOptional),
    ({ member }) => member,
  );
  const members = [...required].map(([member, parts]) => [member, readMember(parts)]);
  const optional = mapped
    .filter(({ isOptional }) => isOptional)
    .map((column) => `if (row.${column.name} !== ${column.absent}) state.${column.member} = ${readColumn(column)};`);
  const written = mapped.map((column) => [column.name, writeColumn(column)]);
  const rest = Object.keys(columns).filter((name) => !mapped.some((column) => column.name === name));
  const whole = [...written, ...rest.map((name) => [name, `rest.${name}`])];
  const source = `return {
    stateOf(row) { try { const state = ${literal(members)}; ${optional.join(' ')} return state; } catch { throw unreadable(row); } },
    rowOf: (state) => (${literal(written)}),
    wholeRowOf: (state, rest) => (${literal(whole)}),
  };`;
  const compiled = compileFunction(source, ['codecs', 'unreadable']) as (...given: readonly unknown[]) => Mapping<C>;
  return compiled(codecs, (row: Readonly<Record<string, unknown>>) => unreadable(table, mapped, row));
}

/** The value is not in the error: it may be secret. */
function unreadable(table: string, columns: readonly MappedColumn[], row: Readonly<Record<string, unknown>>): Error {
  const names = columns.filter(({ name, codec }) => codec && row[name] !== null && !isReadable(codec, row[name]));
  return new Error(`${names.map(({ name }) => `${table}.${name}`).join(', ')} holds a value that cannot be read`);
}

function isReadable(codec: Codec<unknown, unknown>, stored: unknown): boolean {
  try {
    codec.read(stored);
    return true;
  } catch {
    return false;
  }
}

function mappedColumn(
  table: string,
  name: string,
  { place, nullable, isOptional, isPartNull, absent, codec }: AnyColumn<unknown, unknown>,
) {
  const [member, part] = place ?? [camelCase(name)];
  for (const word of [name, member ?? '', part ?? ''])
    if (/\W/.test(word)) throw new TypeError(`${table}.${name}: ${word} is not a name`);
  if (member === undefined) return [];
  const column: MappedColumn = {
    name,
    member,
    part,
    isNullable: nullable === true && codec?.hasNull !== true,
    isOptional: isOptional === true,
    isPartNull: isPartNull === true,
    absent: absent === undefined ? 'null' : `${absent}`,
    codec,
  };
  return [column];
}

function literal(members: readonly (readonly string[])[]): string {
  return `{ ${members.map((member) => member.join(': ')).join(', ')} }`;
}

function readMember(columns: readonly MappedColumn[]): string {
  const parts = columns.filter(({ part }) => part !== undefined);
  if (parts.length === 0) return columns.map((column) => orNull(column, readColumn(column))).join();
  const value = literal(
    parts.map((column) => [
      column.part ?? '',
      column.isPartNull ? orNull(column, readColumn(column)) : readColumn(column),
    ]),
  );
  const nulls = parts
    .filter(({ isNullable, isPartNull }) => isNullable && !isPartNull)
    .map(({ name }) => `row.${name} === null`);
  return nulls.length === 0 ? value : `${nulls.join(' || ')} ? null : ${value}`;
}

function orNull({ name, isNullable, codec }: MappedColumn, value: string): string {
  return isNullable && codec ? `row.${name} === null ? null : ${value}` : value;
}

function readColumn({ name, codec }: MappedColumn): string {
  return codec ? `codecs.${name}.read(row.${name})` : `row.${name}`;
}

function writeColumn({ name, member, part, isNullable, isOptional, isPartNull, absent, codec }: MappedColumn): string {
  if (isOptional)
    return codec
      ? `(state.${member} ?? null) === null ? ${absent} : codecs.${name}.write(state.${member})`
      : `state.${member} ?? null`;
  const value = part === undefined ? `state.${member}` : `state.${member}.${part}`;
  const written = codec ? `codecs.${name}.write(${value})` : value;
  if (!isNullable || (!codec && part === undefined)) return written;
  return `state.${member} === null${isPartNull ? ` || ${value} === null` : ''} ? null : ${written}`;
}

function camelCase(name: string): string {
  return name.replace(/_(.)/g, (_match, letter: string) => letter.toUpperCase());
}
