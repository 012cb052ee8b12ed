import { parseArgs } from 'node:util';
import type { ChangeAccountSettings } from '../application/access/change-account-settings';
import type { CreateAccount } from '../application/access/create-account';
import type { IssueApiKey } from '../application/access/api-keys/issue-api-key';
import type { RevokeApiKey } from '../application/access/api-keys/revoke-api-key';
import type { AccountReader, ApiKeyReader } from '../application/ports/access/access-repositories';
import type { ListPosition } from '../application/ports/storage/list-position';
import type { DeadLetterReader } from '../application/ports/registry/dead-letters';
import { displayName, type Account } from '../domain/access/account';
import { OPERATOR } from '../domain/access/actor';
import type { ApiKey } from '../domain/access/api-key';
import { isScope, SCOPES, type Scope } from '../domain/access/scope';
import { ValidationError } from '../domain/shared/validation-error';
import { FLAGS, LISTS, OPTIONS, table, type CommandSpec, type Options } from './command-spec';
import { DNS_COMMANDS, DNS_USAGE, type DnsServices } from './dns-commands';
import { MESSAGE_COMMANDS, MESSAGE_USAGE } from './message-commands';
import { SECRET_KEY_COMMANDS, SECRET_KEY_USAGE, type SecretKeyServices } from './secret-key-commands';
import { UsageError } from './usage-error';
import { USER_COMMANDS, USER_USAGE, type UserServices } from './user-commands';

const KEYS_AT_A_TIME = 500;

export const USAGE = `Usage: npm run --silent admin -- <command> [options]

Commands:
  account create --name NAME            creates an account and prints its id
  account change --account ID [--members-may-transfer yes|no] [--controls-sandbox yes|no]
                                        whether members may unlock, transfer and delete domains, and whether the account
                                        moves the simulated registry's clock and orders its faults (both no at first)
  account list                          id, creation and name of each account
  key create --account ID --name NAME --scope READ|WRITE|ADMIN
                                        issues a key and prints it, this once
  key list --account ID [--limit N] [--after KEYID]
                                        key id, scope, state, creation and name of each key, newest first:
                                        of all, or of N, those that are older than KEYID
  key revoke KEYID                      revokes a key; it fails from its next request on
${USER_USAGE}
${DNS_USAGE}
${MESSAGE_USAGE}
${SECRET_KEY_USAGE}
  migrate                               brings the database's schema up to date and names the migrations that it ran
  import-sqlite FILE                    brings everything from a SQLite file that no process serves, and from its
                                        simulated registry's, into the empty MySQL database of DATABASE_URL

Options:
  --json                                prints JSON
  --help                                prints this text

The database is the one that DATABASE_URL names, as for the server, which may be running.`;

/** What the commands ask for. */
export interface CommandServices extends UserServices, SecretKeyServices {
  readonly accounts: AccountReader;
  readonly apiKeys: ApiKeyReader;
  readonly createAccount: Pick<CreateAccount, 'execute'>;
  readonly changeAccountSettings: Pick<ChangeAccountSettings, 'execute'>;
  readonly issueApiKey: Pick<IssueApiKey, 'execute'>;
  readonly revokeApiKey: Pick<RevokeApiKey, 'execute'>;
  readonly dns: DnsServices;
  readonly deadLetters: DeadLetterReader;
  /** The names of the migrations that opening the database has run. */
  readonly migrated: readonly string[];
  /** How many rows each table has got. */
  readonly importSqlite: (file: string) => Promise<Readonly<Record<string, number>>>;
}

/** What a command line asks to have done. Its answer is what goes to standard output. */
export type Command =
  | { readonly kind: 'help' }
  | {
      readonly kind: 'run';
      readonly formerKeyIsLost: boolean;
      readonly run: (services: CommandServices) => Promise<string>;
    };

const COMMANDS: Readonly<Record<string, CommandSpec<CommandServices>>> = {
  'account create': {
    required: ['name'],
    optional: [],
    prepare: ({ name: text = '' }) => {
      const name = displayName(text);
      return async ({ createAccount }) => {
        const account = await createAccount.execute({ actor: OPERATOR, name });
        return { json: presentAccount(account), text: account.id };
      };
    },
  },
  'account change': {
    required: ['account'],
    optional: ['members-may-transfer', 'controls-sandbox'],
    prepare: ({ account: accountId = '', 'members-may-transfer': transfer, 'controls-sandbox': control }) => {
      const settings = {
        ...(transfer !== undefined && { membersMayTransfer: parseYesOrNo('members-may-transfer', transfer) }),
        ...(control !== undefined && { controlsSandbox: parseYesOrNo('controls-sandbox', control) }),
      };
      if (Object.keys(settings).length === 0)
        throw new UsageError('account change needs --members-may-transfer or --controls-sandbox');
      return async ({ changeAccountSettings }) => {
        const account = presentAccount(await changeAccountSettings.execute({ accountId, actor: OPERATOR, settings }));
        return { json: account, text: `${account.id} is changed` };
      };
    },
  },
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
  'key create': {
    required: ['account', 'name', 'scope'],
    optional: [],
    prepare: ({ account: accountId = '', name: nameText = '', scope: scopeText = '' }) => {
      const name = displayName(nameText);
      const scope = parseScope(scopeText);
      return async ({ issueApiKey }) => {
        const { key, text } = await issueApiKey.execute({ accountId, actor: OPERATOR, name, scope });
        return { json: { key: text, ...presentKey(key) }, text };
      };
    },
  },
  'key list': {
    required: ['account'],
    optional: ['limit', 'after'],
    prepare: ({ account = '', limit: limitText, after }) => {
      const limit = limitText === undefined ? undefined : parseLimit(limitText);
      return async ({ accounts, apiKeys }) => {
        if (!(await accounts.find(account))) throw ValidationError.of('account', 'is not known');
        const position = after === undefined ? undefined : (await apiKeys.find(after))?.toState();
        if (after !== undefined && position?.accountId !== account)
          throw ValidationError.of('after', 'must be the id of a key of the account');
        const from = position && { createdAt: position.createdAt, id: position.keyId };
        const keys = (await keysOf(apiKeys, account, limit, from)).map((key) => presentKey(key));
        return {
          json: keys,
          text: table(
            keys.map(({ key_id, scope, state, created_at, name }) => [key_id, scope, state, created_at, name]),
          ),
        };
      };
    },
  },
  'key revoke': {
    required: [],
    optional: [],
    operands: ['KEYID'],
    prepare:
      (_options, keyId = '') =>
      async ({ revokeApiKey }) => {
        const key = presentKey(await revokeApiKey.execute({ actor: OPERATOR, keyId }));
        return { json: key, text: `${key.key_id} is revoked` };
      },
  },
  ...USER_COMMANDS,
  ...DNS_COMMANDS,
  ...MESSAGE_COMMANDS,
  ...SECRET_KEY_COMMANDS,
  // Opening the database migrates it: nothing is left to do but to say what was done.
  migrate: {
    required: [],
    optional: [],
    prepare:
      () =>
      async ({ migrated }) => ({
        json: { migrated },
        text:
          migrated.length === 0
            ? 'The database was up to date: nothing was done'
            : ['The database is up to date now. Migrations that were run:', ...migrated].join('\n'),
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

/** Understands a command line and checks what can be checked without a database. @throws UsageError, ValidationError */
export function parseCommand(argv: readonly string[]): Command {
  const { values, positionals } = parse(argv);
  const { json = false, help = false, ...options } = values;
  if (help) return { kind: 'help' };
  if (positionals.length === 0) throw new UsageError('A command is missing');

  const name = Object.keys(COMMANDS).find((candidate) =>
    candidate.split(' ').every((word, index) => word === positionals[index]),
  );
  const spec = name === undefined ? undefined : COMMANDS[name];
  if (name === undefined || !spec) throw new UsageError(`Unknown command: ${positionals.join(' ')}`);
  const operands = positionals.slice(name.split(' ').length);
  assertOptions(name, spec, options);
  assertOperands(name, spec, operands);

  const run = spec.prepare(options, ...operands);
  return {
    kind: 'run',
    formerKeyIsLost: spec.formerKeyIsLost ?? false,
    run: async (services) => {
      const answer = await run(services);
      return json ? JSON.stringify(answer.json) : answer.text;
    },
  };
}

function parse(argv: readonly string[]) {
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
    return parsed;
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

function assertOptions(
  name: string,
  { required, optional }: Pick<CommandSpec<never>, 'required' | 'optional'>,
  given: Options,
): void {
  const missing = required.filter((option) => given[option] === undefined);
  if (missing.length > 0) throw new UsageError(`${name} needs ${missing.map((option) => `--${option}`).join(' and ')}`);
  const unknown = [...OPTIONS, ...LISTS, ...FLAGS].filter(
    (option) => given[option] !== undefined && !required.includes(option) && !optional.includes(option),
  );
  if (unknown.length > 0)
    throw new UsageError(`${name} takes no ${unknown.map((option) => `--${option}`).join(' and no ')}`);
}

function assertOperands(
  name: string,
  { operands = [] }: Pick<CommandSpec<never>, 'operands'>,
  given: readonly string[],
): void {
  if (given.length < operands.length)
    throw new UsageError(`${name} needs ${operands.slice(given.length).join(' and ')}`);
  const surplus = given.slice(operands.length);
  if (surplus.length > 0) throw new UsageError(`${name} does not know what to do with: ${surplus.join(' ')}`);
}

function parseScope(text: string): Scope {
  if (!isScope(text)) throw new UsageError(`--scope must be one of ${SCOPES.join(', ')}`);
  return text;
}

function parseYesOrNo(option: string, text: string): boolean {
  if (text !== 'yes' && text !== 'no') throw new UsageError(`--${option} must be yes or no`);
  return text === 'yes';
}

function parseLimit(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new UsageError('--limit must be a positive number');
  return Number(text);
}

/** Newest first, `limit` at most, read page by page. */
async function keysOf(
  apiKeys: ApiKeyReader,
  accountId: string,
  limit = Number.MAX_SAFE_INTEGER,
  from?: ListPosition,
): Promise<readonly ApiKey[]> {
  const keys: ApiKey[] = [];
  for (let after = from; keys.length < limit;) {
    const page = await apiKeys.page(accountId, {}, Math.min(limit - keys.length, KEYS_AT_A_TIME), after);
    keys.push(...page);
    const last = page.at(-1)?.toState();
    if (!last || page.length < KEYS_AT_A_TIME) return keys;
    after = { createdAt: last.createdAt, id: last.keyId };
  }
  return keys;
}

function presentAccount({ id, name, createdAt, membersMayTransfer, controlsSandbox }: Account) {
  return {
    id,
    name,
    created_at: createdAt.toISOString(),
    members_may_transfer: membersMayTransfer,
    controls_sandbox: controlsSandbox,
  };
}

/** Everything but the secret's digest. */
function presentKey(key: ApiKey) {
  const { keyId, accountId, name, scope, createdAt, revokedAt, expiresAt, lastUsedAt } = key.toState();
  return {
    key_id: keyId,
    account_id: accountId,
    name,
    scope,
    state: key.status(new Date()),
    created_at: createdAt.toISOString(),
    revoked_at: revokedAt?.toISOString() ?? null,
    expires_at: expiresAt?.toISOString() ?? null,
    last_used_at: lastUsedAt?.toISOString() ?? null,
  };
}
