import type { RegistryContext } from '../registry-adapter';
import type { Issue } from '../../../domain/shared/issue';
import { SettingsRejected } from '../settings-rejected';
import { validateSchema } from '../routing/yaml-file';
import type { SessionSettings } from './session/epp-session';
import type { PoolSettings } from './session/epp-session-pool';
import type { RegistryFeature } from '../../../domain/registration/tld-policy';
import type { SignerMode } from './mapping/security';
import type { HostMode } from './mapping/commands/domain-commands';

export interface EppSettings {
  readonly session: SessionSettings;
  readonly pool: PoolSettings;
  readonly hostMode: HostMode;
  /** Contact types of a domain in addition to its registrant. All refer to the registrant's contact. */
  readonly contactTypes: readonly string[];
  readonly namesPerCheck: number;
  /** How the registry takes DS records; undefined if it does not. */
  readonly signerMode: SignerMode | undefined;
  readonly namesFile: string | undefined;
  readonly unsupported: readonly RegistryFeature[];
}

interface WrittenEppSettings {
  readonly host: string;
  readonly port?: number;
  readonly server_name?: string;
  readonly ca?: string;
  readonly certificate?: string;
  readonly private_key?: string;
  readonly private_key_passphrase?: string;
  readonly client_id: string;
  readonly password: string;
  readonly hosts?: 'objects' | 'attributes';
  readonly contacts?: readonly string[];
  readonly names_per_check?: number;
  readonly names_file?: string;
  readonly dnssec?: 'ds' | 'keys' | 'none';
  readonly unsupported?: readonly RegistryFeature[];
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

/** What a registry may lack without the adapter's noticing. */
const MAY_LACK: readonly RegistryFeature[] = [
  'price_guard',
  'add_grace',
  'auto_renew',
  'transfer_in',
  'cancel_transfer',
  'decide_transfer',
];

const SCHEMA = {
  type: 'object',
  additionalProperties: false,
  required: ['host', 'client_id', 'password'],
  properties: {
    host: TEXT,
    port: { type: 'integer', minimum: 1, maximum: 65_535 },
    server_name: TEXT,
    ca: PEM,
    certificate: PEM,
    private_key: PEM,
    private_key_passphrase: TEXT,
    client_id: { type: 'string', minLength: 3, maxLength: 16 },
    password: { type: 'string', minLength: 6 },
    hosts: { enum: ['objects', 'attributes'] },
    contacts: { type: 'array', uniqueItems: true, items: { enum: ['admin', 'tech', 'billing'] } },
    names_per_check: { type: 'integer', minimum: 1, maximum: 200 },
    names_file: TEXT,
    dnssec: { enum: ['ds', 'keys', 'none'] },
    unsupported: { type: 'array', uniqueItems: true, items: { enum: MAY_LACK } },
    sessions: { type: 'integer', minimum: 1, maximum: 200 },
    keep_alive_seconds: SECONDS,
    session_minutes: { type: 'number', exclusiveMinimum: 0, maximum: 100_000 },
    connect_seconds: SECONDS,
    greeting_seconds: SECONDS,
    command_seconds: SECONDS,
  },
} as const;

/** The configured settings with defaults. @throws SettingsRejected */
export function eppSettings({ name: registry, settings }: Pick<RegistryContext, 'name' | 'settings'>): EppSettings {
  const result = validateSchema<WrittenEppSettings>(settings, SCHEMA);
  if ('issues' in result) throw new SettingsRejected(result.issues);
  const written = result.value;
  const issues = keyPairIssues(written);
  if (issues.length > 0) throw new SettingsRejected(issues);
  const commandMs = milliseconds(written.command_seconds, 20);
  return {
    session: {
      registry,
      endpoint: {
        host: written.host,
        port: written.port ?? 700,
        serverName: written.server_name,
        ca: written.ca,
        certificate: written.certificate,
        key: written.private_key,
        passphrase: written.private_key_passphrase,
      },
      credentials: { clientId: written.client_id, password: written.password },
      timeouts: {
        connectMs: milliseconds(written.connect_seconds, 10),
        greetingMs: milliseconds(written.greeting_seconds, 10),
        commandMs,
      },
    },
    pool: {
      registry,
      maxSessions: written.sessions ?? 4,
      keepAliveMs: milliseconds(written.keep_alive_seconds, 60),
      lifetimeMs: milliseconds(written.session_minutes, 4 * 60) * 60,
      acquireTimeoutMs: commandMs,
    },
    hostMode: written.hosts === 'attributes' ? 'attribute' : 'object',
    contactTypes: written.contacts ?? ['admin', 'tech', 'billing'],
    namesPerCheck: written.names_per_check ?? 10,
    signerMode: written.dnssec === 'none' ? undefined : (written.dnssec ?? 'ds'),
    namesFile: written.names_file,
    unsupported: unsupportedFeatures(written),
  };
}

export function validateEppSettings(context: Pick<RegistryContext, 'name' | 'settings'>): readonly Issue[] {
  try {
    eppSettings(context);
    return [];
  } catch (error) {
    if (error instanceof SettingsRejected) return error.issues;
    throw error;
  }
}

function unsupportedFeatures({
  unsupported = [],
  names_file: namesFile,
  dnssec,
}: WrittenEppSettings): RegistryFeature[] {
  return [
    'registrar_renewal',
    'hosted_zone',
    ...(namesFile === undefined ? (['list'] as const) : []),
    ...(dnssec === 'none' ? (['delegation_signers'] as const) : []),
    ...unsupported,
  ];
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

function milliseconds(seconds: number | undefined, byDefault: number): number {
  return Math.round((seconds ?? byDefault) * 1_000);
}
