import type { Issue } from '../../../domain/shared/issue';
import type { SettingsContext } from '../registry-adapter';
import { validateSchema } from '../../settings/yaml-file';
import { SettingsRejected } from '../settings-rejected';
import { addressIssues } from './vendor-values';

/** What the settings of a vendor's adapter consist of. */
export interface VendorAccount {
  /** Without `sandbox`, the credentials decide: the setting `sandbox` says that they are of the vendor's test system. */
  readonly urls: { readonly production: string; readonly sandbox?: string };
  /** The currencies that the vendor charges in. */
  readonly currencies: readonly string[];
  /** The JSON schema of each credential, the account first. All are required. */
  readonly credentials: Readonly<Record<string, object>>;
}

export interface VendorSettings<Credentials> {
  readonly credentials: Credentials;
  readonly address: string;
  readonly isSandbox: boolean;
  /** The time limit of one request. */
  readonly timeoutMs: number;
}

interface CommonSettings {
  readonly sandbox?: boolean;
  /** Replaces the vendor's address. */
  readonly url?: string;
  readonly timeout_seconds?: number;
}

const COMMON = {
  sandbox: { type: 'boolean' },
  url: { type: 'string' },
  timeout_seconds: { type: 'number', exclusiveMinimum: 0, maximum: 600 },
} as const;
const DEFAULT_TIMEOUT_SECONDS = 20;

export function validateVendorSettings(
  { credentials, currencies }: VendorAccount,
  { settings, currency }: Pick<SettingsContext, 'settings' | 'currency'>,
): readonly Issue[] {
  const result = validateSchema<CommonSettings>(settings, {
    type: 'object',
    additionalProperties: false,
    required: Object.keys(credentials),
    properties: { ...credentials, ...COMMON },
  });
  if ('issues' in result) return result.issues;
  const { url } = result.value;
  const [account = ''] = Object.keys(credentials);
  const message = `names an account that is charged in ${currencies.join(' or ')}: set CURRENCY`;
  return [
    ...(url === undefined ? [] : addressIssues('url', url)),
    ...(currencies.includes(currency) ? [] : [{ path: account, message }]),
  ];
}

/** @throws SettingsRejected with all issues */
export function readVendorSettings<Credentials>(
  account: VendorAccount,
  context: Pick<SettingsContext, 'settings' | 'currency'>,
): VendorSettings<Credentials> {
  const issues = validateVendorSettings(account, context);
  if (issues.length > 0) throw new SettingsRejected(issues);
  const { sandbox = false, url, timeout_seconds, ...credentials } = context.settings as CommonSettings & Credentials;
  return {
    credentials: credentials as Credentials,
    address: url ?? (sandbox ? account.urls.sandbox : undefined) ?? account.urls.production,
    isSandbox: sandbox,
    timeoutMs: Math.round((timeout_seconds ?? DEFAULT_TIMEOUT_SECONDS) * 1_000),
  };
}
