import type { Issue } from '../../../../domain/shared/issue';
import type { RegistryFeature } from '../../../../domain/registration/names/tld-policy';
import { commandDocument, type EppCommand } from '../mapping/commands/command';
import type { Disclosure } from '../mapping/commands/contact-commands';
import { cancelDeletion, infoAuthCode, infoDomain, scheduleDeletion } from '../mapping/commands/domain-commands';
import type { AuthCodePolicy, ContactPolicy, RegistryProfile, DsRecordPolicy, TransferPolicy } from './profile';
import { sessionProfileOf } from '../session/session-profile';

const URIS = { type: 'array', uniqueItems: true, items: { type: 'string', minLength: 1, maxLength: 255 } } as const;
const NUMBERS = {
  type: 'array',
  minItems: 1,
  uniqueItems: true,
  items: { type: 'integer', minimum: 0, maximum: 255 },
} as const;
const HANDLE = { type: 'string', minLength: 3, maxLength: 16 } as const;
const ROLE = { enum: ['admin', 'tech', 'billing'] } as const;

/** What a registry may lack without the adapter's noticing. */
const MAY_LACK: readonly RegistryFeature[] = [
  'price_guard',
  'add_grace',
  'auto_renew',
  'delete',
  'restore',
  'registrant_change',
  'transfer_in',
  'cancel_transfer',
  'decide_transfer',
];

const HOST_MODES = { objects: 'object', attributes: 'attribute', none: 'none' } as const;

/** JSON Schema of the settings that replace those of the profile. */
export const PROFILE_PROPERTIES = {
  profile: { type: 'string', minLength: 1 },
  options: { type: 'object' },
  objects: URIS,
  extensions: URIS,
  hosts: { enum: ['objects', 'attributes', 'none'] },
  contacts: { type: 'array', uniqueItems: true, items: ROLE },
  contact_use: { enum: ['none', 'registrant', 'all'] },
  contact_ids: { enum: ['ours', 'registry'] },
  contact_placeholder: HANDLE,
  contact_postal: { enum: ['int-or-loc', 'loc'] },
  contact_handles: {
    type: 'object',
    additionalProperties: false,
    patternProperties: { '^[a-z]{3,16}$': HANDLE },
  },
  disclose: {
    type: 'object',
    additionalProperties: false,
    required: ['flag', 'elements'],
    properties: {
      flag: { type: 'boolean' },
      elements: {
        type: 'array',
        uniqueItems: true,
        minItems: 1,
        items: { enum: ['name', 'org', 'addr', 'voice', 'fax', 'email'] },
      },
    },
  },
  auth_codes: {
    type: 'object',
    additionalProperties: false,
    properties: {
      create: { enum: ['random', 'empty'] },
      issue: { enum: ['update', 'info', 'none'] },
      withdraw: { enum: ['update', 'info', 'none'] },
    },
  },
  dnssec: { enum: ['ds', 'keys', 'none'] },
  ds: {
    type: 'object',
    additionalProperties: false,
    properties: {
      max_sig_life: { type: 'integer', minimum: 1 },
      urgent: { type: 'boolean' },
      algorithms: NUMBERS,
      digest_types: NUMBERS,
      maximum: { type: 'integer', minimum: 1, maximum: 100 },
    },
  },
  transfers: {
    type: 'object',
    additionalProperties: false,
    properties: {
      period: { enum: ['sent', 'omitted'] },
      charged: { type: 'boolean' },
      contacts: { type: 'boolean' },
      auth_code: { enum: ['sent', 'omitted'] },
    },
  },
  renewal: { enum: ['command', 'none'] },
  scheduled_deletion: { enum: ['command', 'none'] },
  delete_unrenewed_days: { type: 'integer', minimum: 2, maximum: 60 },
  transfer_lock: { enum: ['status', 'none'] },
  time_zone: { type: 'string', minLength: 1 },
  names_per_check: { type: 'integer', minimum: 1, maximum: 200 },
  unsupported: { type: 'array', uniqueItems: true, items: { enum: MAY_LACK } },
} as const;

/** A value that `PROFILE_PROPERTIES` accepts. */
export interface WrittenProfileSettings {
  readonly profile?: string;
  readonly options?: Readonly<Record<string, unknown>>;
  readonly objects?: readonly string[];
  readonly extensions?: readonly string[];
  readonly hosts?: 'objects' | 'attributes' | 'none';
  readonly contacts?: readonly string[];
  readonly contact_use?: ContactPolicy['use'];
  readonly contact_ids?: ContactPolicy['ids'];
  readonly contact_placeholder?: string;
  readonly contact_postal?: ContactPolicy['postalInfo'];
  readonly contact_handles?: Readonly<Record<string, string>>;
  readonly disclose?: Disclosure;
  readonly auth_codes?: Partial<AuthCodePolicy>;
  readonly dnssec?: DsRecordPolicy['form'];
  readonly ds?: {
    readonly max_sig_life?: number;
    readonly urgent?: boolean;
    readonly algorithms?: readonly number[];
    readonly digest_types?: readonly number[];
    readonly maximum?: number;
  };
  readonly transfers?: Partial<Omit<TransferPolicy, 'authCode'>> & { readonly auth_code?: TransferPolicy['authCode'] };
  readonly renewal?: RegistryProfile['renewal'];
  readonly scheduled_deletion?: RegistryProfile['scheduledDeletion'];
  readonly delete_unrenewed_days?: number;
  readonly transfer_lock?: RegistryProfile['transferLock'];
  readonly time_zone?: string;
  readonly names_per_check?: number;
  readonly unsupported?: readonly RegistryFeature[];
}

/** Options that the profile does not have, like misspelt ones. */
export function unknownOptions(
  { name, options: known }: RegistryProfile,
  { options = {} }: WrittenProfileSettings,
): readonly Issue[] {
  const names = Object.keys(known).join(', ') || 'none';
  return Object.keys(options)
    .filter((option) => !Object.hasOwn(known, option))
    .map((option) => ({
      path: `options.${option}`,
      message: `is not an option of the profile ${name}, which has: ${names}`,
    }));
}

/** The profile with the settings of the registries file applied. */
export function overriddenProfile(profile: RegistryProfile, written: WrittenProfileSettings): RegistryProfile {
  const { contacts, dnssec } = profile;
  return {
    ...profile,
    options: { ...profile.options, ...written.options },
    objects: [...profile.objects, ...(written.objects ?? [])],
    extensions: [...profile.extensions, ...(written.extensions ?? [])],
    hosts: written.hosts === undefined ? profile.hosts : HOST_MODES[written.hosts],
    contacts: {
      ...contacts,
      use: written.contact_use ?? contacts.use,
      roles: written.contacts ?? contacts.roles,
      handles: written.contact_handles ?? contacts.handles,
      ids: written.contact_ids ?? contacts.ids,
      placeholderId: written.contact_placeholder ?? contacts.placeholderId,
      postalInfo: written.contact_postal ?? contacts.postalInfo,
      disclose: written.disclose ?? contacts.disclose,
    },
    authCodes: { ...profile.authCodes, ...written.auth_codes },
    dnssec: {
      form: written.dnssec ?? dnssec.form,
      maxSigLife: written.ds?.max_sig_life ?? dnssec.maxSigLife,
      urgent: written.ds?.urgent ?? dnssec.urgent,
      algorithms: written.ds?.algorithms ?? dnssec.algorithms,
      digestTypes: written.ds?.digest_types ?? dnssec.digestTypes,
      maximum: written.ds?.maximum ?? dnssec.maximum,
    },
    transfers: overriddenTransfers(profile.transfers, written.transfers),
    renewal: written.renewal ?? profile.renewal,
    scheduledDeletion: written.scheduled_deletion ?? profile.scheduledDeletion,
    deleteUnrenewedDays: written.delete_unrenewed_days ?? profile.deleteUnrenewedDays,
    transferLock: written.transfer_lock ?? profile.transferLock,
    timeZone: written.time_zone ?? profile.timeZone,
    namesPerCheck: written.names_per_check ?? profile.namesPerCheck,
    unsupported: [...new Set([...profile.unsupported, ...(written.unsupported ?? [])])],
  };
}

function overriddenTransfers(
  transfers: TransferPolicy,
  { auth_code: authCode = transfers.authCode, ...written }: WrittenProfileSettings['transfers'] = {},
): TransferPolicy {
  return { ...transfers, ...written, authCode };
}

/** What the schema cannot check: the time zone, required contacts, and the profile's own options. */
export function profileIssues(profile: RegistryProfile, tlds: readonly string[]): readonly Issue[] {
  const zone: readonly Issue[] = isTimeZone(profile.timeZone)
    ? []
    : [{ path: 'time_zone', message: 'must be an IANA time zone, like Europe/Paris' }];
  const [suffix = 'example'] = tlds;
  const name = `name.${suffix}`;
  const noEffect: readonly Issue[] = [
    ...(profile.authCodes.withdraw === 'info' && areSame(profile, infoAuthCode(name, 'cancel'), infoDomain(name))
      ? [
          {
            path: 'auth_codes.withdraw',
            message: 'must not be info: the profile has no <info> that cancels auth codes',
          },
        ]
      : []),
    ...(profile.scheduledDeletion === 'command' &&
    areSame(profile, scheduleDeletion(name, new Date(0)), cancelDeletion(name))
      ? [
          {
            path: 'scheduled_deletion',
            message: 'must not be command: the profile has no command that schedules a deletion',
          },
        ]
      : []),
    ...(profile.deleteUnrenewedDays !== undefined &&
    (profile.renewal !== 'none' || profile.scheduledDeletion !== 'none' || profile.unsupported.includes('delete'))
      ? [
          {
            path: 'delete_unrenewed_days',
            message:
              'must be absent unless renewal and scheduled_deletion are none and delete is supported: otherwise auto-renewal is off without it',
          },
        ]
      : []),
  ];
  const { handles, requiredHandles = [] } = profile.contacts;
  const missing = requiredHandles
    .filter((types) => !types.some((type) => handles[type] !== undefined))
    .map((types) => ({
      path: `contact_handles.${types[0]}`,
      message: `is missing: the registry requires a contact of type ${types.join(' or ')}`,
    }));
  return [...zone, ...noEffect, ...missing, ...optionIssues(profile, tlds)];
}

/** The issues that the profile finds in its options. One of an operator's own module may fail to. */
function optionIssues({ validate, options }: RegistryProfile, tlds: readonly string[]): readonly Issue[] {
  try {
    return validate?.(options, tlds).map(({ path, message }) => ({ path: `options.${path}`, message })) ?? [];
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return [{ path: 'options', message: `cannot be validated: validate() of the profile failed: ${reason}` }];
  }
}

/** Whether the profile does not complete these commands, so that the first would have no effect. */
function areSame(profile: RegistryProfile, ...commands: readonly EppCommand[]): boolean {
  const session = sessionProfileOf(profile);
  const services = { objects: profile.objects, extensions: profile.extensions, language: 'en' };
  try {
    return new Set(commands.map((command) => commandDocument(session.complete(command, services), 'id'))).size === 1;
  } catch {
    return false;
  }
}

function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}
