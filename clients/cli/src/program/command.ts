import type { Session } from './session.ts';

export interface OptionSpec {
  readonly type: 'string' | 'boolean';
  readonly multiple?: true;
  /** What stands for the value in the help: `YEARS`. */
  readonly value?: string;
  readonly description: string;
}

export type Options = Readonly<Record<string, OptionSpec>>;

type ValueOf<S extends OptionSpec> = S extends { type: 'boolean' }
  ? boolean
  : S extends { multiple: true }
    ? string[]
    : string;
export type Values<O extends Options> = { readonly [N in keyof O]?: ValueOf<O[N]> };

/** What a program that calls this one learns from it. */
export const EXIT = { done: 0, failed: 1, different: 2 } as const;
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

interface Definition<O extends Options> {
  /** As it is typed: `records add`. */
  readonly name: string;
  /** `ZONE`, `[NAME]` if it can be left out, `CONTENT…` if there can be more. */
  readonly arguments?: readonly string[];
  readonly summary: string;
  /** Further sentences of the help; one line each. */
  readonly details?: readonly string[];
  readonly options?: O;
  /** Command lines that work in this order; a test runs them. */
  readonly examples: readonly string[];
  readonly run: (session: Session, args: readonly string[], values: Values<O>) => Promise<ExitCode | void>;
}

export interface Command extends Required<Omit<Definition<Options>, 'run'>> {
  readonly run: (
    session: Session,
    args: readonly string[],
    values: Readonly<Record<string, unknown>>,
  ) => Promise<ExitCode | void>;
}

export function command<const O extends Options>(definition: Definition<O>): Command {
  const { run, ...rest } = definition;
  return {
    arguments: [],
    details: [],
    options: {},
    ...rest,
    // `parse` makes the values from the same options.
    run: (session, args, values) => run(session, args, values as Values<O>),
  };
}
