import {
  addressIssues,
  JsonClient,
  policyOf,
  SettingsRejected,
  validateSchema,
  type Issue,
  type Money,
  type RegistryContext,
  type RegistryFeature,
  type RunningRegistry,
  type SettingsContext,
} from '../../../adapter';
import { RealtimeRegisterClient } from './realtimeregister-client';
import { rejecting, RealtimeRegisterDomains } from './realtimeregister-domains';
import { RealtimeRegisterRegistry } from './realtimeregister-registry';

const URLS = { production: 'https://api.yoursrs.com', sandbox: 'https://api.yoursrs-ote.com' };
const CURRENCIES: readonly string[] = ['EUR', 'USD'];

const SETTINGS_SCHEMA = {
  type: 'object',
  additionalProperties: false,
  required: ['customer', 'api_key'],
  properties: {
    customer: { type: 'string', minLength: 3, maxLength: 40 },
    api_key: { type: 'string', minLength: 1 },
    sandbox: { type: 'boolean' },
    url: { type: 'string' },
    timeout_seconds: { type: 'number', exclusiveMinimum: 0, maximum: 600 },
  },
} as const;

interface RealtimeRegisterSettings {
  readonly customer: string;
  readonly api_key: string;
  readonly sandbox?: boolean;
  readonly url?: string;
  readonly timeout_seconds?: number;
}

/** Transfers away are decided by gateway customers only, which have registry accounts of their own. */
const UNSUPPORTED: readonly RegistryFeature[] = ['auto_renew', 'decide_transfer', 'hosted_zone'];

export function validateRealtimeRegisterSettings({ settings, currency }: SettingsContext): readonly Issue[] {
  const result = validateSchema<RealtimeRegisterSettings>(settings, SETTINGS_SCHEMA);
  if ('issues' in result) return result.issues;
  const { url } = result.value;
  return [
    ...(url === undefined ? [] : addressIssues('url', url)),
    ...(CURRENCIES.includes(currency)
      ? []
      : [{ path: 'customer', message: 'is charged in EUR or USD: set CURRENCY to one of them' }]),
  ];
}

/** The factory of `adapter: realtimeregister`. @throws SettingsRejected */
export async function startRealtimeRegister(context: RegistryContext): Promise<RunningRegistry> {
  const issues = validateRealtimeRegisterSettings(context);
  if (issues.length > 0) throw new SettingsRejected(issues);
  const settings = context.settings as unknown as RealtimeRegisterSettings;
  const isSandbox = settings.sandbox === true;
  const address = settings.url ?? (isSandbox ? URLS.sandbox : URLS.production);
  const http = new JsonClient({
    vendor: 'Realtime Register',
    url: address,
    headers: { Authorization: `ApiKey ${settings.api_key}` },
    timeoutMs: (settings.timeout_seconds ?? 20) * 1_000,
  });
  const { clock, currency, tlds } = context;
  const policies = tlds.map((rules) => ({ ...policyOf(rules), unsupported: UNSUPPORTED }));
  const client = new RealtimeRegisterClient(http, settings.customer);
  const domains = new RealtimeRegisterDomains(client, policies, currency, clock);
  return {
    port: new RealtimeRegisterRegistry(client, domains, settings.customer, clock),
    diagnostics: { address, isSandbox, account: () => accountOf(client, settings.customer, currency) },
    close: async () => undefined,
  };
}

async function accountOf(
  client: RealtimeRegisterClient,
  user: string,
  currency: string,
): Promise<{ readonly user: string; readonly balance?: Money }> {
  const credit = (await rejecting(() => client.credit())).find((account) => account.currency === currency);
  return { user, ...(credit && { balance: { minor: credit.balance, currency } }) };
}
