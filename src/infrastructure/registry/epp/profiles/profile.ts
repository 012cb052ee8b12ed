import type { Registrant } from '../../../../domain/registration/registrant';
import type { Issue } from '../../../../domain/shared/issue';
import type { RegistryFeature } from '../../../../domain/registration/names/tld-policy';
import type { TldRules } from '../../tld-rules';
import type { XmlElement } from '../codec/xml-element';
import type { CommandContacts } from '../mapping/commands/command';
import type { Disclosure, PostalForm } from '../mapping/commands/contact-commands';
import type { HostMode } from '../mapping/commands/domain-commands';
import type { DomainInfo } from '../mapping/domain-data';

/**
 * What an EPP registry adds to the RFCs or leaves out: data, and pure functions where data is not enough. The adapter knows no
 * registry; what a profile does not state is `rfc`.
 */
export interface RegistryProfile extends ProfileFacts, ProfileFunctions {
  /** Lower-case letters, digits and hyphens. */
  readonly name: string;
}

interface ProfileFacts {
  /** Namespaces of further objects and extensions. The login has those that the greeting offers. */
  readonly objects: readonly string[];
  readonly extensions: readonly string[];
  /** How nameservers are stored (RFC 5731 section 1.1). */
  readonly hosts: HostMode;
  readonly contacts: ContactPolicy;
  readonly authCodes: AuthCodePolicy;
  readonly dnssec: DsRecordPolicy;
  readonly transfers: TransferPolicy;
  /** `none`: the registry has no `<renew>` and extends names by itself. The feature `renewal` is then missing. */
  readonly renewal: 'command' | 'none';
  /**
   * Whether a name that the registry would extend can be deleted at its expiry instead, which is `auto_renew: false`. `complete` makes the
   * registry's command of `domain:deletion:schedule` and `domain:deletion:cancel`, which are updates without a change, and
   * `readDomain` reads `deletionDate`. With `none` the feature `registrar_renewal` is missing.
   */
  readonly scheduledDeletion: 'command' | 'none';
  /**
   * Where the registry extends names by itself and no deletion can be scheduled: how many days before its expiry the service deletes a
   * name with `auto_renew: false`. Absent: auto-renewal cannot be off. No profile in the box sets it.
   */
  readonly deleteUnrenewedDays?: number | undefined;
  /** `none`: registrars cannot set `clientTransferProhibited`. The feature `transfer_lock` is then missing. */
  readonly transferLock: 'status' | 'none';
  /** IANA time zone of dates without an offset; UTC in the RFCs. */
  readonly timeZone: string;
  readonly namesPerCheck: number;
  readonly unsupported: readonly RegistryFeature[];
  /** Terms, numbers of nameservers and periods of TLDs without `rules` of their own. */
  readonly rules: Omit<TldRules, 'suffix' | 'price' | 'cds'>;
  /** What only this profile's functions read, like account types by TLD. `settings.options` of the registries file replaces single ones. */
  readonly options: ProfileOptions;
}

export type ProfileOptions = Readonly<Record<string, unknown>>;

export interface ContactPolicy {
  /** `none`: no registrant and no contacts. `registrant`: no further contacts but `handles`. `all`: also `roles`. */
  readonly use: 'none' | 'registrant' | 'all';
  /** Types of contacts that refer to the registrant's contact: `admin`, `tech`, `billing`, or a registry's own like `onsite`. */
  readonly roles: readonly string[];
  /** Groups of types. The operator must give a handle for one type of each group. */
  readonly requiredHandles?: readonly (readonly string[])[];
  /** Existing contacts of the registrar, by type. They replace the registrant's in `roles`. */
  readonly handles: Readonly<Record<string, string>>;
  /** `ours`: a digest of the data, so equal data has one contact. `registry`: assigned, read from `creData` (RFC 5733 section 3.2.1). */
  readonly ids: 'ours' | 'registry';
  /** The `<contact:id>` of a create if the registry assigns ids; the schema requires one of 3 to 16 characters. */
  readonly placeholderId: string;
  readonly postalInfo: PostalForm;
  /** `<contact:disclose>` of a create (RFC 5733 section 2.9); none if absent. */
  readonly disclose?: Disclosure | undefined;
}

export interface AuthCodePolicy {
  /** The auth code of a create: random and not stored, or empty for a registry that makes its own. */
  readonly create: 'random' | 'empty';
  /** `update`: we set it (RFC 5731). `info`: the registry's is read by `domain:info:authInfo`. `none`: there are none. */
  readonly issue: 'update' | 'info' | 'none';
  /** `update`: removed, or replaced by a random one, by an update. `info`: by `domain:info:authInfo:cancel`. `none`: the registry lets it expire. */
  readonly withdraw: 'update' | 'info' | 'none';
}

export interface DsRecordPolicy {
  /** DS data or keys (RFC 5910 section 4), or no DNSSEC. */
  readonly form: 'ds' | 'keys' | 'none';
  /** `<secDNS:maxSigLife>` in seconds; not sent if absent. */
  readonly maxSigLife?: number | undefined;
  /** Whether an update is marked `urgent`. */
  readonly urgent?: boolean | undefined;
  /** Accepted DNSSEC algorithms and digest types; the registry decides if absent. */
  readonly algorithms?: readonly number[] | undefined;
  readonly digestTypes?: readonly number[] | undefined;
  /** Maximum number of records; the registry decides if absent. */
  readonly maximum?: number | undefined;
}

export interface TransferPolicy {
  /** Whether a request names a term, which the transfer adds (`<domain:period>`). */
  readonly period: 'sent' | 'omitted';
  /** Whether a transfer is charged. A free one has no fee and no price. */
  readonly charged: boolean;
  /** Whether a request names the new registrant's contact and `handles`, which `complete` finds in its facts. */
  readonly contacts: boolean;
  /** `omitted`: the registry asks for no auth code. A request is accepted without one, and none is sent. */
  readonly authCode: 'sent' | 'omitted';
}

/** The legal form, or nothing if `options` have it as a default. */
export function unlessDefault(form: string | undefined, options: ProfileOptions): Pick<Registrant, 'legalForm'> {
  return form && !Object.values(options).includes(form) ? { legalForm: form } : {};
}

/** Frames are `<command>` contents: the element of the command and its extensions. */
export interface Frame {
  readonly body: XmlElement;
  readonly extensions: readonly XmlElement[];
}

/** The frame with further extensions. */
export function withExtension({ body, extensions }: Frame, ...added: readonly XmlElement[]): Frame {
  return { body, extensions: [...extensions, ...added] };
}

/** What is known about a command when it is sent. */
export interface CommandFacts {
  /** `domain:create`, `host:check`, `contact:create`, `domain:update:secDNS`, `domain:restore`, `login`, `poll:req` … */
  readonly title: string;
  /** The TLD that the command is for; for hosts and contacts that of the domain for which it is sent. Undefined for login and poll. */
  readonly tld: string | undefined;
  /** The first name of a command on domains, an A-label. */
  readonly name: string | undefined;
  /** The data of a new contact. */
  readonly registrant: Registrant | undefined;
  /** Ids of contacts, for `domain:create` and `domain:transfer:request`. */
  readonly contacts: CommandContacts | undefined;
  /** The language or table of an internationalized name, for `domain:create`; undefined if the account chose none. */
  readonly idnLanguage: string | undefined;
  /** When the name expires, for `domain:deletion:schedule`; undefined if the registry does not show it. */
  readonly expiresAt: Date | undefined;
  /** The namespaces of this login: extensions with several versions are sent in one that is here. */
  readonly services: readonly string[];
  readonly options: ProfileOptions;
}

interface InfoResponse {
  readonly resData: XmlElement | undefined;
  readonly extension: XmlElement | undefined;
}

export interface ProfileFunctions {
  /** Completes a frame before it is sent. Called for every command, also for the login. */
  readonly complete?: (frame: Frame, facts: CommandFacts) => Frame;
  /** Reads what the RFCs do not know from an `<info>` response of a domain, replacing what the RFCs read. */
  readonly readDomain?: (response: InfoResponse, info: DomainInfo) => Partial<DomainInfo>;
  /**
   * Reads what the RFCs do not know from an `<info>` response of a registrant's contact, replacing what the RFCs read. What is a
   * default of `options` is left out, so that what is read can be sent again.
   */
  readonly readContact?: (response: InfoResponse, options: ProfileOptions) => Partial<Registrant>;
  /** What the registry would refuse in a registrant, by the field's name in the API, like `company_number`. */
  readonly registrantIssues?: (registrant: Registrant, options: ProfileOptions) => readonly Issue[];
  /** The content of the `<update>` that moves a name to another registrar's tag. Absent if the registry has no such command. */
  readonly release?: (name: string, registrarTag: string) => XmlElement;
  /** Issues of `options`, each with the path of an option. */
  readonly validate?: (
    options: ProfileOptions,
    tlds: readonly string[],
  ) => readonly { readonly path: string; readonly message: string }[];
}
