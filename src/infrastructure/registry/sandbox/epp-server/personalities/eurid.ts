import { NAMESPACES } from '../../../epp/codec/namespaces';
import { childOf, childrenOf, elementFactory, tokenOf, type XmlElement } from '../../../epp/codec/xml-element';
import { offer } from '../../simulated/offers/tld-offer';
import { EppError } from '../epp-error';
import type { ResponseData } from '../xml/epp-response';
import { extensionOf, required, type EppRequest } from '../xml/epp-request';
import {
  refuse,
  refuseAuthCodeChange,
  refuseOtherPostalInfo,
  withChildren,
  withoutExtensions,
  type ContactDetails,
  type Personality,
} from './personality';
import { rfc } from './rfc';

const { domain: DOMAIN, contact: CONTACT } = NAMESPACES;
const CONTACT_EXT = 'http://www.eurid.eu/xml/epp/contact-ext-1.3';
const DOMAIN_EXT = 'http://www.eurid.eu/xml/epp/domain-ext-2.6';
const AUTH_INFO = 'http://www.eurid.eu/xml/epp/authInfo-1.1';
const domain = elementFactory(DOMAIN);
const contactExt = elementFactory(CONTACT_EXT);
const domainExt = elementFactory(DOMAIN_EXT);
const authInfo = elementFactory(AUTH_INFO);

const CONTACT_TYPES = ['registrant', 'billing', 'tech', 'onsite', 'reseller'];
/** Types that only `domain-ext` carries. */
const EXTENSION_TYPES = ['onsite', 'reseller'];

/**
 * EURid: assigned contact ids, types of contacts, auth codes on request, transfers at once.
 * Sources: Net::DRI, Data/Contact/EURid.pm, DRD/EURid.pm and t/…/EURid/Domain.t (thedarkwinter/Net-DRI); DomainTransfer.php and
 * ContactCreate.php (agilegeeks/eurid-epp-php).
 * That update cannot change an auth code is our strictness.
 */
export const eurid: Personality = {
  ...rfc,
  hostsAre: 'attributes',
  dsRecordsAre: 'keys',
  objects: [DOMAIN, CONTACT],
  extensions: [NAMESPACES.secDNS, CONTACT_EXT, DOMAIN_EXT, AUTH_INFO],
  priceList: [offer('eu', 5_00, 5_00, { periods: { addGrace: 0, autoRenewGrace: 0, redemption: 40 } })],
  contacts: {
    types: ['billing', 'tech', ...EXTENSION_TYPES],
    assignedId: (serial) => `c${1_000 + serial}`,
    detailsOf: contactDetails,
    extension: (details) =>
      contactExt(
        'infData',
        ['type', 'lang', 'naturalPerson'].map((name) => contactExt(name, details[name])),
      ),
    fits: ({ type }, role) => type === role,
  },
  authCodes: {
    issuedBy: 'requested',
    requestIn: (request) => {
      const asked = extensionOf(request, AUTH_INFO);
      if (childOf(asked, AUTH_INFO, 'request')) return 'issue';
      return childOf(asked, AUTH_INFO, 'cancel') ? 'cancel' : undefined;
    },
    extension: (expiresAt) => authInfo('infData', authInfo('validUntil', expiresAt.toISOString())),
  },
  transfers: 'immediate',
  accept: (request) => {
    const { verb, body } = request;
    if (body.namespace === CONTACT) {
      refuse(verb === 'check', 2101, 'Contacts cannot be checked');
      refuseOtherPostalInfo(request);
      return withoutExtensions(request, CONTACT_EXT);
    }
    refuseAuthCodeChange(request);
    refuseExtensionTypes(body);
    if (verb === 'create') return acceptCreate(request);
    if (verb === 'transfer') assertTransferContacts(request);
    return withoutExtensions(request, DOMAIN_EXT);
  },
  respond,
};

function contactDetails(request: EppRequest): ContactDetails {
  const extension = extensionOf(request, CONTACT_EXT);
  if (!extension) throw new EppError(2003, 'contact-ext is missing');
  const details = Object.fromEntries(
    ['type', 'lang', 'naturalPerson'].map((name) => [name, required(extension, CONTACT_EXT, name)]),
  );
  refuse(!CONTACT_TYPES.includes(details['type'] ?? ''), 2005, 'The type of a contact is unknown');
  refuse(!childOf(request.body, CONTACT, 'voice'), 2003, 'voice is missing');
  return details;
}

function refuseExtensionTypes(body: XmlElement): void {
  const types = [body, childOf(body, DOMAIN, 'add'), childOf(body, DOMAIN, 'rem')].flatMap((parent) =>
    childrenOf(parent, DOMAIN, 'contact').map(({ attributes }) => attributes.get('type') ?? ''),
  );
  refuse(
    types.some((type) => !['billing', 'tech'].includes(type)),
    2306,
    'Only billing and tech are types of domain:contact here',
  );
}

/** Contacts of the extension become contacts of the domain. */
function acceptCreate(request: EppRequest): EppRequest {
  const { body } = request;
  refuse(!childOf(body, DOMAIN, 'registrant'), 2003, 'registrant is missing');
  const billing = childrenOf(body, DOMAIN, 'contact').filter(({ attributes }) => attributes.get('type') === 'billing');
  refuse(billing.length !== 1, 2306, 'A domain has one billing contact');
  const contacts = childrenOf(extensionOf(request, DOMAIN_EXT), DOMAIN_EXT, 'contact').map((element) =>
    domain('contact', tokenOf(element), { type: element.attributes.get('type') }),
  );
  return withoutExtensions(withChildren(request, contacts), DOMAIN_EXT);
}

function assertTransferContacts(request: EppRequest): void {
  if (request.element.attributes.get('op') !== 'request') return;
  const wanted = childOf(extensionOf(request, DOMAIN_EXT), DOMAIN_EXT, 'request');
  required(wanted, DOMAIN_EXT, 'registrant');
  const types = childrenOf(wanted, DOMAIN_EXT, 'contact').map(({ attributes }) => attributes.get('type'));
  refuse(!types.includes('billing'), 2003, 'The billing contact is missing');
}

function isOwn({ name, attributes }: XmlElement): boolean {
  return name === 'contact' && EXTENSION_TYPES.includes(attributes.get('type') ?? '');
}

/** Contacts of own types are in the extension of an info. */
function respond(_request: EppRequest, reply: ResponseData): ResponseData {
  const { resData } = reply;
  if (resData?.namespace !== DOMAIN || resData.name !== 'infData') return reply;
  const own = resData.children.filter(isOwn);
  const isDeleted = childrenOf(resData, DOMAIN, 'status').some(
    ({ attributes }) => attributes.get('s') === 'pendingDelete',
  );
  const data = domainExt('infData', [
    ['onHold', 'quarantined', 'suspended', 'seized'].map((name) =>
      domainExt(name, String(name === 'quarantined' && isDeleted)),
    ),
    own.map((element) => domainExt('contact', tokenOf(element), { type: element.attributes.get('type') })),
    domainExt('delayed', 'false'),
  ]);
  return {
    ...reply,
    resData: { ...resData, children: resData.children.filter((child) => !isOwn(child)) },
    extensions: [data, ...(reply.extensions ?? [])],
  };
}
