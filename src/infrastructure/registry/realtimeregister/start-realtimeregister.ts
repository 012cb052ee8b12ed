import {
  contactIssues,
  JsonClient,
  policyOf,
  readVendorSettings,
  validateVendorSettings,
  type Issue,
  type Money,
  type RegistryContext,
  type RegistryFeature,
  type RunningRegistry,
  type SettingsContext,
  type VendorAccount,
} from '../../../adapter';
import { RealtimeRegisterClient } from './realtimeregister-client';
import { rejecting, RealtimeRegisterDomains } from './realtimeregister-domains';
import { RealtimeRegisterRegistry } from './realtimeregister-registry';

const ACCOUNT: VendorAccount = {
  urls: { production: 'https://api.yoursrs.com', sandbox: 'https://api.yoursrs-ote.com' },
  currencies: ['EUR', 'USD'],
  credentials: {
    customer: { type: 'string', minLength: 3, maxLength: 40 },
    api_key: { type: 'string', minLength: 1 },
  },
};

interface Credentials {
  readonly customer: string;
  readonly api_key: string;
}

/** Transfers away are decided by gateway customers only, which have registry accounts of their own. */
const UNSUPPORTED: readonly RegistryFeature[] = ['auto_renew', 'decide_transfer', 'hosted_zone'];

export function validateRealtimeRegisterSettings(context: SettingsContext): readonly Issue[] {
  return validateVendorSettings(ACCOUNT, context);
}

/** The factory of `adapter: realtimeregister`. @throws SettingsRejected */
export async function startRealtimeRegister(context: RegistryContext): Promise<RunningRegistry> {
  const { credentials, address, isSandbox, timeoutMs } = readVendorSettings<Credentials>(ACCOUNT, context);
  const { customer, api_key } = credentials;
  const http = new JsonClient({
    vendor: 'Realtime Register',
    url: address,
    headers: { Authorization: `ApiKey ${api_key}` },
    timeoutMs,
  });
  const { clock, currency, stored, tlds } = context;
  const policies = tlds.map((rules) => ({
    ...policyOf(rules),
    unsupported: UNSUPPORTED,
    glue: 'any' as const,
    registrantIssues: contactIssues({ vendor: 'Realtime Register', needsFirstName: false, streetLines: 3 }),
  }));
  const client = new RealtimeRegisterClient(http, customer);
  const domains = new RealtimeRegisterDomains(client, policies, currency, clock);
  return {
    port: new RealtimeRegisterRegistry(client, domains, customer, clock, stored),
    diagnostics: { address, isSandbox, account: () => accountOf(client, customer, currency) },
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
