import {
  contactIssues,
  JsonClient,
  policyOf,
  readVendorSettings,
  validateVendorSettings,
  type Issue,
  type RegistryContext,
  type RegistryFeature,
  type RunningRegistry,
  type SettingsContext,
  type VendorAccount,
} from '../../../adapter';
import { DnsimpleClient } from './dnsimple-client';
import { rejecting } from './dnsimple-domains';
import { CURRENCY } from './dnsimple-mapping';
import { DnsimpleRegistry } from './dnsimple-registry';

const ACCOUNT: VendorAccount = {
  urls: { production: 'https://api.dnsimple.com/v2', sandbox: 'https://api.sandbox.dnsimple.com/v2' },
  currencies: [CURRENCY],
  credentials: {
    account: { type: ['integer', 'string'], pattern: '^[0-9]+$', minimum: 1 },
    token: { type: 'string', minLength: 1 },
  },
};

interface Credentials {
  readonly account: number | string;
  readonly token: string;
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

export function validateDnsimpleSettings(context: SettingsContext): readonly Issue[] {
  return validateVendorSettings(ACCOUNT, context);
}

/** The factory of `adapter: dnsimple`. @throws SettingsRejected */
export async function startDnsimple(context: RegistryContext): Promise<RunningRegistry> {
  const { credentials, address, isSandbox, timeoutMs } = readVendorSettings<Credentials>(ACCOUNT, context);
  const http = new JsonClient({
    vendor: 'DNSimple',
    url: address,
    headers: { Authorization: `Bearer ${credentials.token}` },
    timeoutMs,
  });
  const policies = context.tlds.map((rules) => ({
    ...policyOf({ renewalYears: RENEWAL_YEARS, years: YEARS, ...rules }),
    unsupported: UNSUPPORTED,
    registrantIssues: contactIssues({ vendor: 'DNSimple', needsFirstName: true, streetLines: 2 }),
  }));
  const client = new DnsimpleClient(http, String(credentials.account));
  return {
    port: new DnsimpleRegistry(client, policies, context.clock, context.stored),
    diagnostics: { address, isSandbox, account: () => accountOf(client) },
    close: async () => undefined,
  };
}

/** DNSimple charges a payment method, so there is no balance. */
async function accountOf(client: DnsimpleClient): Promise<{ readonly user?: string }> {
  const user = await rejecting(() => client.login());
  return user === undefined ? {} : { user };
}
