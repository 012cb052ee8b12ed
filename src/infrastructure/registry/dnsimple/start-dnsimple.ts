import {
  addressIssues,
  JsonClient,
  policyOf,
  SettingsRejected,
  validateSchema,
  type Issue,
  type RegistryContext,
  type RegistryFeature,
  type RunningRegistry,
  type SettingsContext,
} from '../../../adapter';
import { DnsimpleClient } from './dnsimple-client';
import { rejecting } from './dnsimple-domains';
import { CURRENCY } from './dnsimple-mapping';
import { DnsimpleRegistry } from './dnsimple-registry';

const URLS = { production: 'https://api.dnsimple.com/v2', sandbox: 'https://api.sandbox.dnsimple.com/v2' };

const SETTINGS_SCHEMA = {
  type: 'object',
  additionalProperties: false,
  required: ['account', 'token'],
  properties: {
    account: { type: ['integer', 'string'], pattern: '^[0-9]+$', minimum: 1 },
    token: { type: 'string', minLength: 1 },
    sandbox: { type: 'boolean' },
    url: { type: 'string' },
    timeout_seconds: { type: 'number', exclusiveMinimum: 0, maximum: 600 },
  },
} as const;

interface DnsimpleSettings {
  readonly account: number | string;
  readonly token: string;
  readonly sandbox?: boolean;
  readonly url?: string;
  readonly timeout_seconds?: number;
}

const UNSUPPORTED: readonly RegistryFeature[] = [
  'add_grace',
  'auto_renew',
  'delete',
  'auth_code',
  'withdraw_auth_code',
  'decide_transfer',
  'messages',
];
/** DNSimple registers for one year; the longest renewal is nine. */
const YEARS = { min: 1, max: 1 };
const RENEWAL_YEARS = { min: 1, max: 9 };

export function validateDnsimpleSettings({ settings, currency }: SettingsContext): readonly Issue[] {
  const result = validateSchema<DnsimpleSettings>(settings, SETTINGS_SCHEMA);
  if ('issues' in result) return result.issues;
  const { url } = result.value;
  return [
    ...(url === undefined ? [] : addressIssues('url', url)),
    ...(currency === CURRENCY
      ? []
      : [{ path: 'account', message: `is charged in ${CURRENCY}: set CURRENCY=${CURRENCY}` }]),
  ];
}

/** The factory of `adapter: dnsimple`. @throws SettingsRejected */
export async function startDnsimple(context: RegistryContext): Promise<RunningRegistry> {
  const issues = validateDnsimpleSettings(context);
  if (issues.length > 0) throw new SettingsRejected(issues);
  const settings = context.settings as unknown as DnsimpleSettings;
  const isSandbox = settings.sandbox === true;
  const address = settings.url ?? (isSandbox ? URLS.sandbox : URLS.production);
  const http = new JsonClient({
    vendor: 'DNSimple',
    url: address,
    headers: { Authorization: `Bearer ${settings.token}` },
    timeoutMs: (settings.timeout_seconds ?? 20) * 1_000,
  });
  const policies = context.tlds.map((rules) => ({
    ...policyOf({ renewalYears: RENEWAL_YEARS, years: YEARS, ...rules }),
    unsupported: UNSUPPORTED,
  }));
  const client = new DnsimpleClient(http, String(settings.account));
  return {
    port: new DnsimpleRegistry(client, policies, context.clock),
    diagnostics: { address, isSandbox, account: () => accountOf(client) },
    close: async () => undefined,
  };
}

/** DNSimple charges a payment method, so there is no balance. */
async function accountOf(client: DnsimpleClient): Promise<{ readonly user?: string }> {
  const user = await rejecting(() => client.login());
  return user === undefined ? {} : { user };
}
