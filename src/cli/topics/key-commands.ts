import type { FindCreatedKeys } from '../../application/access/api-keys/find-created-keys';
import type { IssueApiKey, IssuedKey } from '../../application/access/api-keys/issue-api-key';
import type { RevokeApiKey } from '../../application/access/api-keys/revoke-api-key';
import { parseKeyPlace, presetsFor, type KeyPreset } from '../../application/access/key-presets/key-presets';
import type { AccountReader, ApiKeyReader } from '../../application/ports/access/accounts-and-api-keys';
import type { ListPosition } from '../../application/ports/storage/page';
import { parseDisplayName } from '../../domain/access/account';
import { OPERATOR } from '../../domain/access/actor';
import { actorOfKey, type ApiKey, isScope, SCOPES, type Scope } from '../../domain/access/api-key';
import { describeLimits } from '../../domain/access/describe-limits';
import { ValidationError } from '../../domain/shared/validation-error';
import { shownLimits } from '../../http/api/resources/access/keys';
import { LIMIT_OPTIONS, parseLimits, parseExpiry } from '../key-limit-options';
import { table, type CommandSpec } from '../command-spec';
import { UsageError } from '../usage-error';

const PAGE_SIZE = 500;

export const KEY_USAGE = `  key create --account ID --name NAME --scope READ|WRITE|ADMIN [limits]
                                        creates an API key and prints it; it cannot be shown again
  key create-tsig --account ID --name NAME [--scope READ|WRITE] [limits]
                                        creates a TSIG key for dynamic updates (RFC 2136) and prints it in the format of
                                        nsupdate -y; it cannot be shown again. --scope READ: only zone transfers
  key create-for PURPOSE --account ID --name NAME --domain NAME|tag:TAG... [--record NAME]
                                        creates a key that may do only what a program needs, and prints it with the
                                        configuration of the program. PURPOSE: certificates, certificates-https, router,
                                        host, cluster, monitoring, deploys, zone. --record: the host, relative to the
                                        domain
  limits: [--domain NAME]... [--tag TAG]... [--record NAME]... [--type TYPE]...
          [--action read|write|register|renew|transfer|settings]... [--network CIDR]... [--expires TIME]
          [--unused-after DAYS] [--per-order N] [--per-day N] [--per-month N] [--propose]
                                        only these domains, domains with one of these tags, owner names (_acme-challenge,
                                        *.lan), record types, actions and networks; what the key may spend, in the
                                        currency of all prices; --propose: writes are proposals, which someone else
                                        accepts
  key list --account ID [--limit N] [--after KEYID]
                                        lists key id, scope, state, creation date, name and limits, newest first;
                                        --limit: at most N keys; --after: keys older than KEYID
  key revoke KEYID                      revokes an API key or TSIG key immediately, and prints the keys that were
                                        created with it, which keep working`;

/** The services that key commands use. */
export interface KeyServices {
  readonly accounts: Pick<AccountReader, 'find'>;
  readonly apiKeys: ApiKeyReader;
  readonly issueApiKey: Pick<IssueApiKey, 'execute' | 'executeTsig'>;
  readonly findCreatedKeys: Pick<FindCreatedKeys, 'execute'>;
  readonly revokeApiKey: Pick<RevokeApiKey, 'execute'>;
  /** The currency of all prices (ISO 4217). */
  readonly currency: string;
  /** What programs are configured with: the URL of the service, without trailing slash, and the APIs that are switched on. */
  readonly programs: { readonly url: string; readonly apis: readonly string[] };
}

export const KEY_COMMANDS: Readonly<Record<string, CommandSpec<KeyServices>>> = {
  'key create': {
    required: ['account', 'name', 'scope'],
    optional: LIMIT_OPTIONS,
    prepare: ({ account: accountId = '', name: nameText = '', scope: scopeText = '', ...options }) => {
      const name = parseDisplayName(nameText);
      const scope = parseScope(scopeText);
      const expiresAt = parseExpiry(options);
      const toLimits = parseLimits(options);
      return async ({ issueApiKey, currency }) => {
        const limits = toLimits(currency);
        const { key, text } = await issueApiKey.execute({ accountId, actor: OPERATOR, name, scope, expiresAt, limits });
        return { json: { key: text, ...presentKey(key) }, text };
      };
    },
  },
  'key create-tsig': {
    required: ['account', 'name'],
    optional: ['scope', ...LIMIT_OPTIONS],
    prepare: ({ account: accountId = '', name: nameText = '', scope = 'WRITE', ...options }) => {
      const name = parseDisplayName(nameText);
      if (!isScope(scope) || scope === 'ADMIN') throw ValidationError.of('scope', 'must be READ or WRITE');
      const expiresAt = parseExpiry(options);
      const toLimits = parseLimits(options);
      return async ({ issueApiKey, currency }) => {
        const limits = toLimits(currency);
        const command = { accountId, actor: OPERATOR, name, scope, expiresAt, limits };
        const issued = await issueApiKey.executeTsig(command);
        return { json: presentTsigKey(issued), text: issued.text };
      };
    },
  },
  'key create-for': {
    required: ['account', 'name', 'domain'],
    optional: ['record'],
    operands: ['PURPOSE'],
    prepare: ({ account: accountId = '', name: nameText = '', domain = [], record = [] }, purpose = '') => {
      const name = parseDisplayName(nameText);
      if (record.length > 1) throw new UsageError('key create-for accepts one --record');
      return async ({ issueApiKey, programs }) => {
        const preset = findPreset(purpose, programs.apis);
        const place = parseKeyPlace(preset, domain, record[0] ?? '');
        const command = { accountId, actor: OPERATOR, name, scope: preset.scope, limits: preset.limits(place) };
        const issued = await (preset.type === 'tsig' ? issueApiKey.executeTsig(command) : issueApiKey.execute(command));
        const { keyId } = issued.key.toState();
        const configurations = preset.configurations({ ...place, ...programs, keyId, text: issued.text });
        const json = preset.type === 'tsig' ? presentTsigKey(issued) : { key: issued.text, ...presentKey(issued.key) };
        return {
          json: { ...json, configurations },
          text: [issued.text, ...configurations.map(({ title, text }) => `# ${title}\n${text}`)].join('\n\n'),
        };
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
          throw ValidationError.of('after', 'must be the id of an API key of the account');
        const from = position && { createdAt: position.createdAt, id: position.keyId };
        const keys = await keysOf(apiKeys, account, limit, from);
        return { json: keys.map(presentKey), text: table(keys.map(rowOf)) };
      };
    },
  },
  'key revoke': {
    required: [],
    optional: [],
    operands: ['KEYID'],
    prepare:
      (_options, keyId = '') =>
      async ({ revokeApiKey, findCreatedKeys }) => {
        const key = await revokeApiKey.execute({ actor: OPERATOR, keyId });
        const { accountId } = key.toState();
        const created = await findCreatedKeys.execute({ accountId, creator: actorOfKey(key.toState()) });
        const createdIds = created.map((each) => each.toState().keyId);
        return {
          json: { ...presentKey(key), created_keys: createdIds },
          text: [`${keyId} was revoked`, ...createdIds.map((id) => `${id}, created with it, still works`)].join('\n'),
        };
      },
  },
};

function parseScope(text: string): Scope {
  if (!isScope(text)) throw new UsageError(`--scope must be one of ${SCOPES.join(', ')}`);
  return text;
}

function parseLimit(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new UsageError('--limit must be a positive number');
  return Number(text);
}

function findPreset(purpose: string, apis: readonly string[]): KeyPreset {
  const presets = presetsFor(apis);
  const preset = presets.find(({ id }) => id === purpose);
  if (preset) return preset;
  throw ValidationError.of(
    'PURPOSE',
    `must be one of ${presets.map(({ id }) => id).join(', ')}; others need an API in COMPATIBILITY_APIS`,
  );
}

/** Newest first. */
async function keysOf(
  apiKeys: ApiKeyReader,
  accountId: string,
  limit = Number.MAX_SAFE_INTEGER,
  from?: ListPosition,
): Promise<readonly ApiKey[]> {
  const keys: ApiKey[] = [];
  for (let after = from; keys.length < limit;) {
    const page = await apiKeys.page(accountId, {}, Math.min(limit - keys.length, PAGE_SIZE), after);
    keys.push(...page);
    const last = page.at(-1)?.toState();
    if (!last || page.length < PAGE_SIZE) return keys;
    after = { createdAt: last.createdAt, id: last.keyId };
  }
  return keys;
}

function rowOf(key: ApiKey): readonly string[] {
  const { key_id, scope, state, created_at, name } = presentKey(key);
  const { limits } = key.toState();
  return [key_id, scope, state, created_at, name, ...(limits ? [describeLimits(limits)] : [])];
}

/** All fields except the digest of the secret; limits as the REST API shows them. */
function presentKey(key: ApiKey) {
  const { keyId, accountId, name, scope, limits, createdAt, revokedAt, expiresAt, lastUsedAt } = key.toState();
  return {
    key_id: keyId,
    account_id: accountId,
    name,
    scope,
    limits: limits && shownLimits(limits),
    state: key.status(new Date()),
    created_at: createdAt.toISOString(),
    revoked_at: revokedAt?.toISOString() ?? null,
    expires_at: expiresAt?.toISOString() ?? null,
    last_used_at: lastUsedAt?.toISOString() ?? null,
  };
}

function presentTsigKey({ key, text }: IssuedKey) {
  const [algorithm, name, secret] = text.split(':');
  const { keyId, scope, limits } = key.toState();
  return { key_id: keyId, name, algorithm, secret, scope, limits: limits && shownLimits(limits) };
}
