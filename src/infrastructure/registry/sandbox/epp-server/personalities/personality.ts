import { childOf, type XmlElement } from '../../../epp/codec/xml-element';
import type { TldOffer } from '../../simulated/offers/tld-offer';
import { EppError } from '../epp-error';
import type { EppRequest } from '../xml/epp-request';
import type { ResponseData } from '../xml/epp-response';

/** Host objects or host attributes (RFC 5731 section 1.1). */
export type HostsAre = 'objects' | 'attributes';

/** The DS data interface or the key data interface (RFC 5910 section 4). */
export type DsRecordsAre = 'ds' | 'keys';

/**
 * How a real registry differs from the RFCs: what it refuses and what it returns. Shares no code with the adapter's profiles:
 * one checks the other.
 */
export interface Personality {
  readonly hostsAre?: HostsAre;
  readonly dsRecordsAre?: DsRecordsAre;
  readonly priceList?: readonly TldOffer[];
  /** Namespaces of the objects in the greeting; all that the server knows if absent. */
  readonly objects?: readonly string[];
  /** Namespaces of the extensions in the greeting, including those of the RFCs. */
  readonly extensions: readonly string[];
  readonly contacts: ContactRules;
  /** What a registrar may set on a domain, of the client statuses of RFC 5731. */
  readonly statuses?: readonly string[];
  readonly authCodes: AuthCodeRules;
  /** `immediate`: a request transfers the name at once. */
  readonly transfers: 'pending' | 'immediate';
  /** The release in an `<update>` that moves a name to another registrar's tag, if it is one. @throws EppError */
  readonly releaseIn?: (request: EppRequest) => Release | undefined;
  /** Refuses what the registry refuses. Returns the command in the form of the RFCs. @throws EppError */
  readonly accept: (request: EppRequest) => EppRequest;
  /** Completes a response. `request` is as received. */
  readonly respond?: (request: EppRequest, reply: ResponseData) => ResponseData;
}

export interface Release {
  readonly name: string;
  readonly registrarTag: string;
}

/** Extension data of a contact, by element name. */
export type ContactDetails = Readonly<Record<string, string>>;

interface ContactRules {
  /** Types of a domain's contacts. */
  readonly types: readonly string[];
  /** The id that the registry assigns to the nth contact; the client's if absent. */
  readonly assignedId?: (serial: number) => string;
  /** The extension data of a create. @throws EppError */
  readonly detailsOf?: (request: EppRequest) => ContactDetails;
  readonly extension?: (details: ContactDetails) => XmlElement | undefined;
  /** Whether a contact may be a domain's `role`: `registrant` or one of `types`. */
  readonly fits?: (details: ContactDetails, role: string) => boolean;
}

interface AuthCodeRules {
  /**
   * `client`: set by create and update. `shown`: the registry's, which info shows the sponsor. `requested`: the registry's,
   * issued by info on request. `sent`: the registry sends it to the registrant.
   */
  readonly issuedBy: 'client' | 'shown' | 'requested' | 'sent';
  /** Whether an info asks for an auth code, or cancels it. */
  readonly requestIn?: (request: EppRequest) => 'issue' | 'cancel' | undefined;
  readonly extension?: (expiresAt: Date) => XmlElement;
}

/** @throws EppError */
export function refuse(condition: boolean, code: EppError['code'], reason: string): void {
  if (condition) throw new EppError(code, reason);
}

/** A command without extensions of these namespaces. */
export function withoutExtensions(request: EppRequest, ...namespaces: readonly string[]): EppRequest {
  return { ...request, extensions: request.extensions.filter(({ namespace }) => !namespaces.includes(namespace)) };
}

/** A command whose object has these further children. */
export function withChildren(request: EppRequest, children: readonly XmlElement[]): EppRequest {
  return { ...request, body: { ...request.body, children: [...request.body.children, ...children] } };
}

/** A contact create or update with anything but one postalInfo of type `loc`. @throws EppError */
export function refuseOtherPostalInfo({ verb, body }: EppRequest): void {
  const parent = verb === 'create' ? body : childOf(body, body.namespace, 'chg');
  const types = parent?.children.filter(({ name }) => name === 'postalInfo').map((info) => info.attributes.get('type'));
  refuse(
    types !== undefined && types.some((type) => type !== 'loc'),
    2306,
    'This registry takes one postalInfo of type loc',
  );
}

/** Commands on `<domain:authInfo>` at a registry that makes the auth codes. @throws EppError */
export function refuseAuthCodeChange({ verb, body }: EppRequest): void {
  refuse(
    verb === 'update' && childOf(childOf(body, body.namespace, 'chg'), body.namespace, 'authInfo') !== undefined,
    2102,
    'The registry issues the auth codes',
  );
}
