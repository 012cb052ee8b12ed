import { parseArgs } from 'node:util';
import type { ChangeAccountSettings } from '../application/access/change-account-settings';
import type { CreateAccount } from '../application/access/create-account';
import type { AccountReader } from '../application/ports/access/accounts-and-api-keys';
import type { DeadLetterReader } from '../application/ports/registry/registries';
import { parseDisplayName, type Account } from '../domain/access/account';
import { OPERATOR } from '../domain/access/actor';
import type { Config } from '../config';
import { BACKUP_COMMANDS, BACKUP_USAGE, type BackupServices } from './topics/backup-commands';
import { FLAGS, LISTS, OPTIONS, table, type CommandOutput, type CommandSpec, type Options } from './command-spec';
import { CONNECT_COMMANDS, CONNECT_USAGE, type ConnectServices } from './topics/domain-connect-commands';
import { DNS_COMMANDS, DNS_USAGE, type DnsServices } from './topics/dns-commands';
import { DNSSEC_COMMANDS, DNSSEC_USAGE, type DnssecServices } from './topics/dnssec-commands';
import { DOCTOR_COMMANDS, DOCTOR_USAGE, type DoctorServices } from './topics/doctor-commands';
import { EVENT_COMMANDS, EVENT_USAGE, type EventServices } from './topics/event-commands';
import { KEY_COMMANDS, KEY_USAGE, type KeyServices } from './topics/key-commands';
import { MESSAGE_COMMANDS, MESSAGE_USAGE } from './topics/message-commands';
import { OPERATION_COMMANDS, OPERATION_USAGE, type OperationServices } from './topics/operation-commands';
import { REGISTRAR_COMMANDS, REGISTRAR_USAGE, type RegistrarServices } from './topics/registrar-commands';
import { SECRET_KEY_COMMANDS, SECRET_KEY_USAGE, type SecretKeyServices } from './topics/secret-key-commands';
import { UsageError } from './usage-error';
import { USER_COMMANDS, USER_USAGE, type UserServices } from './topics/user-commands';

export const USAGE = `Usage: npm run --silent admin -- <command> [options]

Commands:
  account create --name NAME            creates an account and prints its id
  account change --account ID [--members-may-transfer yes|no] [--controls-sandbox yes|no]
                                        sets whether managers may unlock, transfer and delete domains, and whether the
                                        account may control the simulated registry's clock and faults (default: no)
  account trust --account ID            lets the account host zones without proof that their names are its own
  account distrust --account ID         asks the account for that proof from now on; zones that it has stay
  account list                          lists id, creation date and name of all accounts
${KEY_USAGE}
${USER_USAGE}
${REGISTRAR_USAGE}
${OPERATION_USAGE}
${DOCTOR_USAGE}
${DNS_USAGE}
${DNSSEC_USAGE}
${CONNECT_USAGE}
${MESSAGE_USAGE}
${EVENT_USAGE}
${SECRET_KEY_USAGE}
${BACKUP_USAGE}
  migrate                               migrates the database schema and lists the migrations that were run
  import-sqlite FILE                    copies a SQLite database and its simulated registry to the empty MySQL database
                                        in DATABASE_URL; stop all processes that use FILE first

Options:
  --json                                print JSON
  --help                                print this text

Uses the database in DATABASE_URL. The server may be running unless a command says otherwise.`;

/** The services that commands use. */
export interface CommandServices
  extends
    KeyServices,
    UserServices,
    SecretKeyServices,
    RegistrarServices,
    OperationServices,
    DoctorServices,
    EventServices {
  readonly accounts: AccountReader;
  readonly createAccount: Pick<CreateAccount, 'execute'>;
  readonly changeAccountSettings: Pick<ChangeAccountSettings, 'execute'>;
  readonly dns: DnsServices;
  readonly dnssec: DnssecServices;
  readonly connect: ConnectServices;
  readonly deadLetters: DeadLetterReader;
  /** Names of the migrations that were run when the database was opened. */
  readonly migrated: readonly string[];
  /** Returns the number of copied rows by table. */
  readonly importSqlite: (file: string) => Promise<Readonly<Record<string, number>>>;
}

/** A parsed command line. `run` returns the text for standard output. */
export type Command =
  | { readonly kind: 'help' }
  | {
      readonly kind: 'run';
      readonly replaceLostKey: boolean;
      readonly run: (services: CommandServices) => Promise<string>;
    };

const COMMANDS: Readonly<Record<string, CommandSpec<CommandServices>>> = {
  'account create': {
    required: ['name'],
    optional: [],
    prepare: ({ name: text = '' }) => {
      const name = parseDisplayName(text);
      return async ({ createAccount }) => {
        const account = await createAccount.execute({ actor: OPERATOR, name });
        return { json: presentAccount(account), text: account.id };
      };
    },
  },
  'account change': {
    required: ['account'],
    optional: ['members-may-transfer', 'controls-sandbox', 'approval-rules'],
    prepare: ({
      account: accountId = '',
      'members-may-transfer': transfer,
      'controls-sandbox': control,
      'approval-rules': approvalRules,
    }) => {
      if (approvalRules !== undefined && approvalRules !== 'none')
        throw new UsageError('--approval-rules must be none: owners set rules in the dashboard');
      const settings = {
        ...(transfer !== undefined && { membersMayTransfer: parseYesOrNo('members-may-transfer', transfer) }),
        ...(control !== undefined && { controlsSandbox: parseYesOrNo('controls-sandbox', control) }),
        ...(approvalRules !== undefined && { approvalRules: null }),
      };
      if (Object.keys(settings).length === 0)
        throw new UsageError('account change requires --members-may-transfer, --controls-sandbox or --approval-rules');
      return async ({ changeAccountSettings }) => {
        const account = presentAccount(await changeAccountSettings.execute({ accountId, actor: OPERATOR, settings }));
        return { json: account, text: `${account.id} was changed` };
      };
    },
  },
  'account trust': trustCommand(true),
  'account distrust': trustCommand(false),
  'account list': {
    required: [],
    optional: [],
    prepare:
      () =>
      async ({ accounts }) => {
        const all = (await accounts.all()).map(presentAccount);
        return { json: all, text: table(all.map(({ id, created_at, name }) => [id, created_at, name])) };
      },
  },
  ...KEY_COMMANDS,
  ...USER_COMMANDS,
  ...REGISTRAR_COMMANDS,
  ...OPERATION_COMMANDS,
  ...DOCTOR_COMMANDS,
  ...DNS_COMMANDS,
  ...DNSSEC_COMMANDS,
  ...CONNECT_COMMANDS,
  ...MESSAGE_COMMANDS,
  ...EVENT_COMMANDS,
  ...SECRET_KEY_COMMANDS,
  // Opening the database has already run the migrations.
  migrate: {
    required: [],
    optional: [],
    prepare:
      () =>
      async ({ migrated }) => ({
        json: { migrated },
        text:
          migrated.length === 0
            ? 'The database schema is already up to date'
            : ['The database schema is now up to date. Migrations that were run:', ...migrated].join('\n'),
      }),
  },
  'import-sqlite': {
    required: [],
    optional: [],
    operands: ['FILE'],
    prepare:
      (_options, file = '') =>
      async ({ importSqlite }) => {
        const counts = await importSqlite(file);
        return { json: counts, text: table(Object.entries(counts).map(([name, rows]) => [String(rows), name])) };
      },
  },
};

function trustCommand(isTrusted: boolean): CommandSpec<CommandServices> {
  return {
    required: ['account'],
    optional: [],
    prepare:
      ({ account: accountId = '' }) =>
      async ({ changeAccountSettings }) => {
        const settings = { isTrusted };
        const account = presentAccount(await changeAccountSettings.execute({ accountId, actor: OPERATOR, settings }));
        return { json: account, text: `${account.id} is ${isTrusted ? 'trusted' : 'no longer trusted'}` };
      },
  };
}

/** Parses a command line and validates what does not need the database. @throws UsageError, ValidationError */
export function parseCommand(argv: readonly string[]): Command {
  const { help, json, ...given } = parse(argv);
  if (help) return { kind: 'help' };
  const { spec, options, operands } = findCommand(COMMANDS, given);
  const run = spec.prepare(options, ...operands);
  return {
    kind: 'run',
    replaceLostKey: spec.replaceLostKey ?? false,
    run: async (services) => write(await run(services), json),
  };
}

/** As `parseCommand`, for a command that runs without opening the database, which would migrate it; undefined for others. */
export function parseOfflineCommand(argv: readonly string[]): OfflineCommand | undefined {
  const { help, json, ...given } = parse(argv);
  if (help || given.positionals[0] !== 'backup') return undefined;
  const { spec, options, operands } = findCommand(BACKUP_COMMANDS, given);
  const run = spec.prepare(options, ...operands);
  return async (services, config) => write(await run(services, config), json);
}

type OfflineCommand = (services: BackupServices, config: Config) => Promise<string>;

interface Given {
  readonly options: Options;
  readonly positionals: readonly string[];
}

type Checked = Pick<CommandSpec<never>, 'required' | 'optional' | 'operands'>;

/** @throws UsageError */
function findCommand<S extends Checked>(commands: Readonly<Record<string, S>>, { options, positionals }: Given) {
  if (positionals.length === 0) throw new UsageError('A command is missing');
  const name = Object.keys(commands).find((candidate) =>
    candidate.split(' ').every((word, index) => word === positionals[index]),
  );
  const spec = name === undefined ? undefined : commands[name];
  if (name === undefined || !spec) throw new UsageError(`Unknown command: ${positionals.join(' ')}`);
  const operands = positionals.slice(name.split(' ').length);
  assertOptions(name, spec, options);
  assertOperands(name, spec, operands);
  return { spec, options, operands };
}

function write({ json, text }: CommandOutput, asJson: boolean): string {
  return asJson ? JSON.stringify(json) : text;
}

function parse(argv: readonly string[]): Given & { readonly json: boolean; readonly help: boolean } {
  try {
    const { tokens, ...parsed } = parseArgs({
      args: [...argv],
      options: {
        ...allOf(OPTIONS, { type: 'string' }),
        ...allOf(LISTS, { type: 'string', multiple: true }),
        ...allOf(FLAGS, { type: 'boolean' }),
        json: { type: 'boolean' },
        help: { type: 'boolean' },
      },
      allowPositionals: true,
      strict: true,
      tokens: true,
    });
    const named = tokens.flatMap((token) => (token.kind === 'option' && !isList(token.name) ? [token.name] : []));
    const repeated = named.find((option, index) => named.indexOf(option) < index);
    if (repeated !== undefined) throw new TypeError(`--${repeated} is given more than once`);
    const { json = false, help = false, ...options } = parsed.values;
    return { json, help, options, positionals: parsed.positionals };
  } catch (error) {
    throw new UsageError(error instanceof TypeError ? error.message : String(error), { cause: error });
  }
}

function isList(option: string): boolean {
  return LISTS.some((list) => list === option);
}

function allOf<N extends string, T>(names: readonly N[], option: T): Record<N, T> {
  return Object.fromEntries(names.map((name) => [name, option])) as Record<N, T>;
}

function assertOptions(name: string, { required, optional }: Checked, given: Options): void {
  const missing = required.filter((option) => given[option] === undefined);
  if (missing.length > 0)
    throw new UsageError(`${name} requires ${missing.map((option) => `--${option}`).join(' and ')}`);
  const unknown = [...OPTIONS, ...LISTS, ...FLAGS].filter(
    (option) => given[option] !== undefined && !required.includes(option) && !optional.includes(option),
  );
  if (unknown.length > 0)
    throw new UsageError(`${name} does not accept ${unknown.map((option) => `--${option}`).join(' or ')}`);
}

function assertOperands(name: string, { operands = [] }: Checked, given: readonly string[]): void {
  if (given.length < operands.length)
    throw new UsageError(`${name} requires ${operands.slice(given.length).join(' and ')}`);
  const unexpected = given.slice(operands.length);
  if (unexpected.length > 0) throw new UsageError(`${name} has unexpected arguments: ${unexpected.join(' ')}`);
}

function parseYesOrNo(option: string, text: string): boolean {
  if (text !== 'yes' && text !== 'no') throw new UsageError(`--${option} must be yes or no`);
  return text === 'yes';
}

function presentAccount({ id, name, createdAt, membersMayTransfer, controlsSandbox, isTrusted }: Account) {
  return {
    id,
    name,
    created_at: createdAt.toISOString(),
    members_may_transfer: membersMayTransfer,
    controls_sandbox: controlsSandbox,
    trusted: isTrusted,
  };
}
