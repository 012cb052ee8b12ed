import { resolve } from 'node:path';
import type { Issue } from '../../../../domain/shared/issue';
import { DAYS, RANGE } from '../../routing/registries-schema';
import { validateSchema } from '../../../settings/yaml-file';
import { SettingsRejected } from '../../settings-rejected';
import { policyOf } from '../../tld-rules';
import { afnic } from './afnic';
import { centralnic } from './centralnic';
import { dnsBelgium } from './dns-belgium';
import { eurid } from './eurid';
import { google } from './google';
import { identityDigital } from './identity-digital';
import { nominet } from './nominet';
import { pir } from './pir';
import { sidn } from './sidn';
import { verisign } from './verisign';
import type { ProfileFunctions, RegistryProfile } from './profile';
import { PROFILE_PROPERTIES as SETTINGS } from './profile-settings';
import { rfc } from './rfc';

/** The built-in profiles, by their name in the registries file. */
export const PROFILES: Readonly<Record<string, RegistryProfile>> = Object.fromEntries(
  [rfc, afnic, centralnic, dnsBelgium, eurid, google, identityDigital, nominet, pir, sidn, verisign].map((profile) => [
    profile.name,
    profile,
  ]),
);

const TYPES = { type: 'array', uniqueItems: true, items: { type: 'string', minLength: 1 } } as const;

/** JSON Schema of a complete profile, without its functions. */
const PROFILE = {
  type: 'object',
  additionalProperties: false,
  required: Object.keys(rfc),
  properties: {
    name: { type: 'string', pattern: '^[a-z0-9-]+$' },
    objects: SETTINGS.objects,
    extensions: SETTINGS.extensions,
    hosts: { enum: ['object', 'attribute', 'none'] },
    contacts: {
      type: 'object',
      additionalProperties: false,
      required: Object.keys(rfc.contacts),
      properties: {
        use: SETTINGS.contact_use,
        roles: TYPES,
        requiredHandles: { type: 'array', items: { ...TYPES, minItems: 1 } },
        handles: SETTINGS.contact_handles,
        ids: SETTINGS.contact_ids,
        placeholderId: SETTINGS.contact_placeholder,
        postalInfo: SETTINGS.contact_postal,
        disclose: SETTINGS.disclose,
      },
    },
    authCodes: { ...SETTINGS.auth_codes, required: Object.keys(rfc.authCodes) },
    dnssec: {
      type: 'object',
      additionalProperties: false,
      required: Object.keys(rfc.dnssec),
      properties: {
        form: SETTINGS.dnssec,
        maxSigLife: SETTINGS.ds.properties.max_sig_life,
        urgent: SETTINGS.ds.properties.urgent,
        algorithms: SETTINGS.ds.properties.algorithms,
        digestTypes: SETTINGS.ds.properties.digest_types,
        maximum: SETTINGS.ds.properties.maximum,
      },
    },
    transfers: {
      ...SETTINGS.transfers,
      required: Object.keys(rfc.transfers),
      properties: {
        period: SETTINGS.transfers.properties.period,
        charged: SETTINGS.transfers.properties.charged,
        contacts: SETTINGS.transfers.properties.contacts,
        authCode: SETTINGS.transfers.properties.auth_code,
      },
    },
    renewal: SETTINGS.renewal,
    scheduledDeletion: SETTINGS.scheduled_deletion,
    transferLock: SETTINGS.transfer_lock,
    timeZone: SETTINGS.time_zone,
    namesPerCheck: SETTINGS.names_per_check,
    unsupported: SETTINGS.unsupported,
    rules: {
      type: 'object',
      additionalProperties: false,
      properties: {
        years: RANGE,
        renewalYears: RANGE,
        nameservers: RANGE,
        periods: {
          type: 'object',
          additionalProperties: false,
          properties: Object.fromEntries(
            Object.keys(policyOf({ suffix: 'example' }).periods).map((period) => [period, DAYS]),
          ),
        },
      },
    },
    options: { type: 'object' },
  },
} as const;

const FUNCTIONS: readonly (keyof ProfileFunctions)[] = [
  'complete',
  'readDomain',
  'readContact',
  'registrantIssues',
  'release',
  'validate',
];

/**
 * A built-in profile, or the default export of the operator's own module: a path that begins with `.` or `/`, relative to
 * `folder`, or an npm package. What a module leaves out, also of `contacts`, `authCodes`, `dnssec` and `transfers`,
 * is as in `rfc`. @throws SettingsRejected
 */
export async function loadProfile(name: unknown, folder: string): Promise<RegistryProfile> {
  if (name === undefined) return rfc;
  if (typeof name !== 'string' || name === '') throw rejected('must be the name of a profile, or the path of a module');
  if (Object.hasOwn(PROFILES, name)) return PROFILES[name] ?? rfc;
  const profile = await importProfile(name, folder);
  const issues = [...functionIssues(profile), ...dataIssues(profile)];
  if (issues.length > 0)
    throw new SettingsRejected(issues.map(({ path, message }) => ({ path: `profile.${path}`, message })));
  return profile;
}

function functionIssues(profile: RegistryProfile): readonly Issue[] {
  return FUNCTIONS.filter((name) => !['undefined', 'function'].includes(typeof profile[name])).map((path) => ({
    path,
    message: 'must be a function',
  }));
}

function dataIssues(profile: RegistryProfile): readonly Issue[] {
  const data = Object.entries(profile).filter(([name]) => !FUNCTIONS.some((each) => each === name));
  const result = validateSchema(Object.fromEntries(data), PROFILE);
  return 'issues' in result ? result.issues : [];
}

async function importProfile(name: string, folder: string): Promise<RegistryProfile> {
  try {
    const module: unknown = await import(/^\.{0,2}\//.test(name) ? resolve(folder, name) : name);
    const written = profileIn(module);
    if (!written) throw new TypeError('the module has no default export with a name');
    return {
      ...rfc,
      ...written,
      contacts: { ...rfc.contacts, ...written.contacts },
      authCodes: { ...rfc.authCodes, ...written.authCodes },
      dnssec: { ...rfc.dnssec, ...written.dnssec },
      transfers: { ...rfc.transfers, ...written.transfers },
    };
  } catch (error) {
    const reason = (error instanceof Error ? error.message : String(error)).split('\n')[0] ?? '';
    throw rejected(`is no built-in profile (${Object.keys(PROFILES).join(', ')}) and cannot be loaded: ${reason}`);
  }
}

/** `import()` of a CommonJS module nests its `exports.default` one level deeper than an ES module's default export. */
function profileIn(module: unknown, depth = 2): Partial<RegistryProfile> | undefined {
  if (typeof module !== 'object' || module === null) return undefined;
  const nested = depth > 0 && 'default' in module ? profileIn(module.default, depth - 1) : undefined;
  return (
    nested ?? ('name' in module && typeof module.name === 'string' ? (module as Partial<RegistryProfile>) : undefined)
  );
}

function rejected(message: string): SettingsRejected {
  return new SettingsRejected([{ path: 'profile', message }]);
}
