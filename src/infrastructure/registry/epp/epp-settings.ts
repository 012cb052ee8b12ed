import { isIP } from 'node:net';
import type { RegistryContext } from '../registry-adapter';
import type { Issue } from '../../../domain/shared/issue';
import { SettingsRejected } from '../settings-rejected';
import { validateSchema } from '../../settings/yaml-file';
import { passwordsOf, type EppPasswordPair } from './session/epp-passwords';
import type { SessionSettings } from './session/epp-session';
import type { PoolSettings } from './session/epp-session-pool';
import type { RegistryFeature } from '../../../domain/registration/names/tld-policy';
import { loadProfile } from './profiles/load-profile';
import type { RegistryProfile } from './profiles/profile';
import {
  overriddenProfile,
  PROFILE_PROPERTIES,
  profileIssues,
  unknownOptions,
  type WrittenProfileSettings,
} from './profiles/profile-settings';
import { rfc } from './profiles/rfc';
import { sessionProfileOf } from './session/session-profile';

interface EppSettings {
  readonly session: Omit<SessionSettings, 'credentials'> & {
    readonly clientId: string;
    readonly passwords: EppPasswordPair;
  };
  /** Where to connect if the host of `session` cannot be reached, in this order. */
  readonly furtherHosts: readonly string[];
  readonly pool: PoolSettings;
  /** With the settings of the registries file applied. */
  readonly profile: RegistryProfile;
  readonly namesFile: string | undefined;
  readonly unsupported: readonly RegistryFeature[];
}

interface WrittenEppSettings extends WrittenProfileSettings {
  readonly host: string | readonly string[];
  readonly local_address?: string;
  readonly port?: number;
  readonly server_name?: string;
  readonly ca?: string;
  readonly certificate?: string;
  readonly private_key?: string;
  readonly private_key_passphrase?: string;
  readonly client_id: string;
  readonly password: string;
  readonly names_file?: string;
  readonly sessions?: number;
  readonly keep_alive_seconds?: number;
  readonly session_minutes?: number;
  readonly connect_seconds?: number;
  readonly greeting_seconds?: number;
  readonly command_seconds?: number;
}

const TEXT = { type: 'string', minLength: 1 } as const;
const PEM = { type: 'string', pattern: '-----BEGIN [A-Z ]+-----' } as const;
const SECONDS = { type: 'number', exclusiveMinimum: 0, maximum: 600 } as const;

const SCHEMA = {
  type: 'object',
  additionalProperties: false,
  required: ['host', 'client_id', 'password'],
  properties: {
    host: { type: ['string', 'array'], minLength: 1, minItems: 1, maxItems: 10, uniqueItems: true, items: TEXT },
    local_address: TEXT,
    port: { type: 'integer', minimum: 1, maximum: 65_535 },
    server_name: TEXT,
    ca: PEM,
    certificate: PEM,
    private_key: PEM,
    private_key_passphrase: TEXT,
    client_id: { type: 'string', minLength: 3, maxLength: 16 },
    password: { type: 'string', minLength: 6 },
    ...PROFILE_PROPERTIES,
    names_file: TEXT,
    sessions: { type: 'integer', minimum: 1, maximum: 200 },
    keep_alive_seconds: SECONDS,
    session_minutes: { type: 'number', exclusiveMinimum: 0, maximum: 100_000 },
    connect_seconds: SECONDS,
    greeting_seconds: SECONDS,
    command_seconds: SECONDS,
  },
} as const;

const PASSWORD_ISSUE: Issue = {
  path: 'password',
  message: 'must be one line or, during a change, the new password and below it the current one',
};

type SettingsOf = Pick<RegistryContext, 'name' | 'settings'> & Partial<Pick<RegistryContext, 'tlds' | 'folder'>>;

/** The configured settings with the defaults of `base`. @throws SettingsRejected */
export function eppSettings(
  { name: registry, settings, tlds = [] }: SettingsOf,
  base: RegistryProfile = rfc,
): EppSettings {
  const result = validateSchema<WrittenEppSettings>(settings, SCHEMA);
  if ('issues' in result) throw new SettingsRejected(result.issues);
  const written = result.value;
  const profile = overriddenProfile(base, written);
  const passwords = passwordsOf(written.password);
  const issues = [
    ...(passwords ? [] : [PASSWORD_ISSUE]),
    ...keyPairIssues(written),
    ...localAddressIssues(written),
    ...unknownOptions(base, written),
    ...profileIssues(
      profile,
      tlds.map(({ suffix }) => suffix),
    ),
  ];
  if (!passwords || issues.length > 0) throw new SettingsRejected(issues);
  const [host = '', ...furtherHosts] = [written.host].flat();
  const commandMs = milliseconds(written.command_seconds, 20);
  return {
    session: {
      registry,
      endpoint: {
        host,
        port: written.port ?? 700,
        serverName: written.server_name,
        ca: written.ca,
        certificate: written.certificate,
        key: written.private_key,
        passphrase: written.private_key_passphrase,
        localAddress: written.local_address,
      },
      clientId: written.client_id,
      passwords,
      timeouts: {
        connectMs: milliseconds(written.connect_seconds, 10),
        greetingMs: milliseconds(written.greeting_seconds, 10),
        commandMs,
      },
      profile: sessionProfileOf(profile),
    },
    furtherHosts,
    pool: {
      registry,
      maxSessions: written.sessions ?? 4,
      keepAliveMs: milliseconds(written.keep_alive_seconds, 60),
      lifetimeMs: milliseconds(written.session_minutes, 4 * 60) * 60,
      acquireTimeoutMs: commandMs,
    },
    profile,
    namesFile: written.names_file,
    unsupported: unsupportedFeatures(profile, written.names_file),
  };
}

/** The settings with the profile that they name. @throws SettingsRejected */
export async function loadEppSettings(context: SettingsOf): Promise<EppSettings> {
  return eppSettings(context, await loadProfile(context.settings['profile'], context.folder ?? process.cwd()));
}

export async function validateEppSettings(context: SettingsOf): Promise<readonly Issue[]> {
  try {
    await loadEppSettings(context);
    return [];
  } catch (error) {
    if (error instanceof SettingsRejected) return error.issues;
    throw error;
  }
}

function unsupportedFeatures(
  { dnssec, authCodes, renewal, scheduledDeletion, transferLock, unsupported }: RegistryProfile,
  namesFile: string | undefined,
): RegistryFeature[] {
  const missing: readonly [RegistryFeature, boolean][] = [
    ['registrar_renewal', scheduledDeletion === 'none'],
    ['hosted_zone', true],
    ['list', namesFile === undefined],
    ['delegation_signers', dnssec.form === 'none'],
    ['auth_code', authCodes.issue === 'none'],
    ['withdraw_auth_code', authCodes.withdraw === 'none'],
    ['renewal', renewal === 'none'],
    ['transfer_lock', transferLock === 'none'],
  ];
  return [...new Set([...missing.flatMap(([feature, isMissing]) => (isMissing ? [feature] : [])), ...unsupported])];
}

function keyPairIssues({ certificate, private_key: key }: WrittenEppSettings): readonly Issue[] {
  if ((certificate === undefined) === (key === undefined)) return [];
  return [
    {
      path: key === undefined ? 'private_key' : 'certificate',
      message: 'is missing: a client certificate needs its private key',
    },
  ];
}

function localAddressIssues({ local_address: address }: WrittenEppSettings): readonly Issue[] {
  return address === undefined || isIP(address) > 0
    ? []
    : [{ path: 'local_address', message: 'must be an IPv4 or IPv6 address' }];
}

function milliseconds(seconds: number | undefined, byDefault: number): number {
  return Math.round((seconds ?? byDefault) * 1_000);
}
