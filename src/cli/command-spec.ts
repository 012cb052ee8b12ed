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
  'approval-rules',
  'limit',
  'after',
  'registry',
  'names',
  'expires',
  'unused-after',
  'per-order',
  'per-day',
  'per-month',
  'at',
  'binlogs',
  'as',
] as const;
/** Options that take a value and may be repeated. */
export const LISTS = ['primary', 'domain', 'record', 'type', 'action', 'network', 'tag'] as const;
/** Options without a value. */
export const FLAGS = [
  'signs',
  'revoke-keys',
  'dry-run',
  'live-sandbox',
  'fix',
  'with-key',
  'replace',
  'all-domains',
  'uncertain',
  'propose',
] as const;

type Given = Readonly<Partial<Record<(typeof OPTIONS)[number], string | undefined>>>;
type Lists = Readonly<Partial<Record<(typeof LISTS)[number], readonly string[] | undefined>>>;
type Flags = Readonly<Partial<Record<(typeof FLAGS)[number], boolean | undefined>>>;
export type Options = Given & Lists & Flags;

/** A command that uses the services `S`. */
export interface CommandSpec<S> {
  readonly required: readonly (keyof Options)[];
  readonly optional: readonly (keyof Options)[];
  /** Whether to accept a secret key other than the database's, which all other commands reject. */
  readonly replaceLostKey?: boolean;
  /** Names of the required values after the command. */
  readonly operands?: readonly string[];
  readonly prepare: (options: Options, ...operands: readonly string[]) => (services: S) => Promise<CommandOutput>;
}

export interface CommandOutput {
  readonly json: unknown;
  readonly text: string;
}

/** Columns are separated by tabs, for cut and awk. Names come last and contain no tabs. */
export function table(rows: readonly (readonly string[])[]): string {
  return rows.map((row) => row.join('\t')).join('\n');
}
