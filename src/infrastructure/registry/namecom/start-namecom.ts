import {
  addressIssues,
  policyOf,
  SettingsRejected,
  validateSchema,
  type Issue,
  type RegistryContext,
  type RegistryDiagnostics,
  type RegistryFeature,
  type RunningRegistry,
  type SettingsContext,
} from '../../../adapter';
import { NamecomAccount } from './namecom-account';
import { NamecomClient, READ, VENDOR, type NamecomClientSettings } from './namecom-client';
import { CURRENCY, toMoney } from './namecom-mapping';
import { NamecomRegistry } from './namecom-registry';

interface WrittenSettings {
  readonly username: string;
  readonly token: string;
  readonly sandbox?: boolean;
  readonly url?: string;
  readonly request_seconds?: number;
}

const PRODUCTION = 'https://api.name.com';
const SANDBOX = 'https://api.dev.name.com';

const SCHEMA = {
  type: 'object',
  additionalProperties: false,
  required: ['username', 'token'],
  properties: {
    username: { type: 'string', minLength: 1, pattern: '^[^:\\s]+$' },
    token: { type: 'string', minLength: 1, pattern: '^\\S+$' },
    sandbox: { type: 'boolean' },
    url: { type: 'string' },
    request_seconds: { type: 'number', exclusiveMinimum: 0, maximum: 600 },
  },
} as const;

/** What name.com lacks for all TLDs. A name can be deleted in its add grace period only. */
const UNSUPPORTED: readonly RegistryFeature[] = [
  'auto_renew',
  'restore',
  'delete',
  'withdraw_auth_code',
  'decide_transfer',
  'messages',
];

/** The factory of `adapter: namecom`. @throws SettingsRejected */
export async function startNamecom(context: RegistryContext): Promise<RunningRegistry> {
  const result = settingsOf(context);
  if ('issues' in result) throw new SettingsRejected(result.issues);
  const tlds = context.tlds.map((rules) => ({ ...policyOf(rules), unsupported: UNSUPPORTED }));
  const client = new NamecomClient(result.settings);
  return {
    port: new NamecomRegistry(client, tlds, context.clock),
    diagnostics: diagnosticsOf(client, result.settings, context.settings['sandbox'] === true),
    close: async () => undefined,
  };
}

function diagnosticsOf(client: NamecomClient, { url }: NamecomClientSettings, isSandbox: boolean): RegistryDiagnostics {
  const account = new NamecomAccount(client);
  return {
    address: url,
    isSandbox,
    account: async () => {
      const { username, serverTime } = await account.get(READ.hello, '/hello');
      const balance = toMoney((await account.get(READ.balance, '/accountinfo/balance')).balance);
      const isTime = !Number.isNaN(Date.parse(serverTime));
      return { user: username, ...(balance && { balance }), ...(isTime && { serverTime: new Date(serverTime) }) };
    },
  };
}

export function validateNamecomSettings(context: SettingsContext): readonly Issue[] {
  const result = settingsOf(context);
  return 'issues' in result ? result.issues : [];
}

type Result = { readonly settings: NamecomClientSettings } | { readonly issues: readonly Issue[] };

function settingsOf({ settings, currency }: Pick<SettingsContext, 'settings' | 'currency'>): Result {
  const result = validateSchema<WrittenSettings>(settings, SCHEMA);
  if ('issues' in result) return result;
  const { username, token, sandbox = false, url = sandbox ? SANDBOX : PRODUCTION, request_seconds = 20 } = result.value;
  const issues = [
    ...addressIssues('url', url),
    ...(currency === CURRENCY
      ? []
      : [{ path: 'currency', message: `is ${currency}, but ${VENDOR} charges in ${CURRENCY}: set CURRENCY` }]),
  ];
  if (issues.length > 0) return { issues };
  const isTestUser = !sandbox || username.endsWith('-test');
  const user = isTestUser ? username : `${username}-test`;
  return { settings: { url, username: user, token, timeoutMs: Math.round(request_seconds * 1_000) } };
}
