import {
  contactIssues,
  policyOf,
  readVendorSettings,
  validateVendorSettings,
  type Issue,
  type RegistryContext,
  type RegistryDiagnostics,
  type RegistryFeature,
  type RunningRegistry,
  type SettingsContext,
  type VendorAccount,
} from '../../../adapter';
import { NamecomAccount } from './namecom-account';
import { NamecomClient, READ } from './namecom-client';
import { CURRENCY, toMoney } from './namecom-mapping';
import { NamecomRegistry } from './namecom-registry';

const ACCOUNT: VendorAccount = {
  urls: { production: 'https://api.name.com', sandbox: 'https://api.dev.name.com' },
  currencies: [CURRENCY],
  credentials: {
    username: { type: 'string', minLength: 1, pattern: '^[^:\\s]+$' },
    token: { type: 'string', minLength: 1, pattern: '^\\S+$' },
  },
};

interface Credentials {
  readonly username: string;
  readonly token: string;
}

/** What name.com lacks for all TLDs. A name can be deleted in its add grace period only. */
const UNSUPPORTED: readonly RegistryFeature[] = [
  'auto_renew',
  'restore',
  'delete',
  'withdraw_auth_code',
  'decide_transfer',
  'messages',
];

export function validateNamecomSettings(context: SettingsContext): readonly Issue[] {
  return validateVendorSettings(ACCOUNT, context);
}

/** The factory of `adapter: namecom`. @throws SettingsRejected */
export async function startNamecom(context: RegistryContext): Promise<RunningRegistry> {
  const { credentials, address, isSandbox, timeoutMs } = readVendorSettings<Credentials>(ACCOUNT, context);
  const { username, token } = credentials;
  // The sandbox's users have this suffix.
  const user = isSandbox && !username.endsWith('-test') ? `${username}-test` : username;
  const client = new NamecomClient({ url: address, username: user, token, timeoutMs });
  const tlds = context.tlds.map((rules) => ({
    ...policyOf(rules),
    unsupported: UNSUPPORTED,
    glue: 'any' as const,
    registrantIssues: contactIssues({ vendor: 'name.com', needsFirstName: true, streetLines: 2 }),
  }));
  return {
    port: new NamecomRegistry(client, tlds, context.clock, context.stored),
    diagnostics: diagnosticsOf(client, address, isSandbox),
    close: async () => undefined,
  };
}

function diagnosticsOf(client: NamecomClient, address: string, isSandbox: boolean): RegistryDiagnostics {
  const account = new NamecomAccount(client);
  return {
    address,
    isSandbox,
    account: async () => {
      const { username, serverTime } = await account.get(READ.hello, '/hello');
      const balance = toMoney((await account.get(READ.balance, '/accountinfo/balance')).balance);
      const isTime = !Number.isNaN(Date.parse(serverTime));
      return { user: username, ...(balance && { balance }), ...(isTime && { serverTime: new Date(serverTime) }) };
    },
  };
}
