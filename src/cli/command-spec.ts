/** Options that take a value. */
export const OPTIONS = [
  'account',
  'name',
  'scope',
  'email',
  'role',
  'algorithm',
  'key',
  'secondary',
  'dir',
  'members-may-transfer',
  'controls-sandbox',
  'limit',
  'after',
] as const;
/** Options that take a value and may be repeated. */
export const LISTS = ['primary'] as const;
/** Options that are there or not. */
export const FLAGS = ['signs', 'revoke-keys'] as const;

type Given = Readonly<Partial<Record<(typeof OPTIONS)[number], string | undefined>>>;
type Lists = Readonly<Partial<Record<(typeof LISTS)[number], readonly string[] | undefined>>>;
type Flags = Readonly<Partial<Record<(typeof FLAGS)[number], boolean | undefined>>>;
export type Options = Given & Lists & Flags;

/** A command that asks `S` for what it does. */
export interface CommandSpec<S> {
  readonly required: readonly (keyof Options)[];
  readonly optional: readonly (keyof Options)[];
  /** It is for a database whose secret key is lost; every other command refuses to work with another key. */
  readonly formerKeyIsLost?: boolean;
  /** Names of the values that follow the command, all of which must be there. */
  readonly operands?: readonly string[];
  readonly prepare: (options: Options, ...operands: readonly string[]) => (services: S) => Promise<Answer>;
}

export interface Answer {
  readonly json: unknown;
  readonly text: string;
}

/** Tabs between columns, for cut and awk; a name is last and holds none. */
export function table(rows: readonly (readonly string[])[]): string {
  return rows.map((row) => row.join('\t')).join('\n');
}
