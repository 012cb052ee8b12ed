import { NAMESPACES } from '../codec/namespaces';
import { childOf, childrenOf, elementFactory, tokenOf, type XmlElement } from '../codec/xml-element';
import { instantOf } from '../mapping/data-types';
import { type CommandFacts, type Frame, type RegistryProfile, withExtension } from './profile';
import { rfc } from './rfc';

const DOMAIN = NAMESPACES.domain;
const CONTACT_EXT = 'http://www.eurid.eu/xml/epp/contact-ext-1.3';
const AUTH_INFO = 'http://www.eurid.eu/xml/epp/authInfo-1.1';
/** Newest first; the login has those that the greeting offers. */
const NEWEST_DOMAIN_EXT = 'http://www.eurid.eu/xml/epp/domain-ext-2.6';
const DOMAIN_EXTS = [
  NEWEST_DOMAIN_EXT,
  'http://www.eurid.eu/xml/epp/domain-ext-2.5',
  'http://www.eurid.eu/xml/epp/domain-ext-2.4',
];
/** Types of contacts that `domain-ext` carries instead of `domain`. */
const EXTENSION_TYPES: ReadonlySet<string> = new Set(['onsite', 'reseller']);

const domain = elementFactory(DOMAIN);
const contactExt = elementFactory(CONTACT_EXT);
const authInfo = elementFactory(AUTH_INFO);

/**
 * EURid (.eu, .ею, .ευ). From public client code only: agilegeeks/eurid-epp-php at 80da2e2d (frames of 2024-07) and
 * thedarkwinter/Net-DRI at deabb619 (lib and t of EURid). docs/registries/eurid.md lists what is unverified.
 */
export const eurid: RegistryProfile = {
  ...rfc,
  name: 'eurid',
  extensions: [CONTACT_EXT, AUTH_INFO, ...DOMAIN_EXTS],
  // Net::DRI DRD/EURid.pm host_as_attr; agilegeeks DomainUpdateDNSSEC.php has keyData only.
  hosts: 'attribute',
  dnssec: { form: 'keys' },
  // The billing contact is the registrar's: `contact_handles` must name it. agilegeeks DomainCreate.php, DomainTransfer.php.
  contacts: {
    ...rfc.contacts,
    use: 'registrant',
    roles: [],
    requiredHandles: [['billing']],
    ids: 'registry',
    placeholderId: 'AUTO',
    postalInfo: 'loc',
  },
  // Net::DRI EURid/Domain.pm, info with authInfo-1.1 request and cancel; EURid.pm creates with an empty password.
  authCodes: { create: 'empty', issue: 'info', withdraw: 'info' },
  // agilegeeks DomainTransfer.php: contacts and a period; Net::DRI t/…/EURid/Domain.t: serverApproved at once.
  transfers: { ...rfc.transfers, contacts: true },
  unsupported: ['restore', 'price_guard', 'auto_renew', 'add_grace', 'cancel_transfer', 'decide_transfer'],
  options: { language: 'en' },
  complete,
  readDomain: ({ extension }, info) => {
    // agilegeeks/eurid-epp-php DomainInfo.php; metaregistrar/php-epp-client, authInfo-1.1.
    const until = tokenOf(childOf(childOf(extension, AUTH_INFO, 'infData'), AUTH_INFO, 'validUntil'));
    const authCode = until ? { authCodeUntil: instantOf(until) } : {};
    const data = DOMAIN_EXTS.map((namespace) => childOf(extension, namespace, 'infData')).find((each) => each);
    if (!data) return authCode;
    const { namespace } = data;
    const own = childrenOf(data, namespace, 'contact').map((element) => ({
      type: element.attributes.get('type') ?? '',
      id: tokenOf(element) ?? '',
    }));
    const quarantined = tokenOf(childOf(data, namespace, 'quarantined')) === 'true';
    const available = tokenOf(childOf(data, namespace, 'availableDate'));
    return {
      ...authCode,
      contacts: [...info.contacts, ...own],
      ...(quarantined && { graceStatuses: new Set(['redemptionPeriod']) }),
      ...(quarantined &&
        available !== undefined && { graceEnds: new Map([['redemptionPeriod', instantOf(available)]]) }),
    };
  },
  validate: ({ language }) =>
    typeof language === 'string' && /^[a-z]{2}$/.test(language)
      ? []
      : [{ path: 'language', message: 'must be a language of two letters, like en' }],
};

function complete(frame: Frame, facts: CommandFacts): Frame {
  const { title, services } = facts;
  const domainExt = elementFactory(DOMAIN_EXTS.find((uri) => services.includes(uri)) ?? NEWEST_DOMAIN_EXT);
  if (title === 'contact:create') return withExtension(frame, registrantData(facts));
  if (title === 'domain:info:authInfo') return withExtension(frame, authInfo('info', authInfo('request')));
  if (title === 'domain:info:authInfo:cancel') return withExtension(frame, authInfo('info', authInfo('cancel')));
  if (title === 'domain:transfer:request' && facts.contacts) {
    const { registrant, byType } = facts.contacts;
    const contacts = Object.entries(byType).map(([type, id]) => domainExt('contact', id, { type }));
    return withExtension(
      frame,
      domainExt('transfer', domainExt('request', [registrant && domainExt('registrant', registrant), contacts])),
    );
  }
  if (title === 'domain:create') {
    const { moved, element } = withoutOwnContacts(frame.body);
    const contacts = moved.map((each) => domainExt('contact', tokenOf(each), { type: each.attributes.get('type') }));
    return contacts.length > 0 ? withExtension({ ...frame, body: element }, domainExt('create', contacts)) : frame;
  }
  if (title === 'domain:update') return { ...frame, body: withoutOwnChanges(frame.body) };
  return frame;
}

/** Net::DRI Data/Contact/EURid.pm: type, lang and naturalPerson are mandatory. */
function registrantData({ registrant, options }: CommandFacts): XmlElement {
  return contactExt('create', [
    contactExt('type', 'registrant'),
    contactExt('lang', String(options['language'])),
    contactExt('naturalPerson', String(!registrant?.organization)),
  ]);
}

/** `<create><domain:create>` without the contacts that the extension carries. */
function withoutOwnContacts(body: XmlElement): { readonly moved: readonly XmlElement[]; readonly element: XmlElement } {
  const created = childOf(body, DOMAIN, 'create') ?? domain('create');
  const kept = { ...created, children: created.children.filter((child) => !isOwnContact(child)) };
  return { moved: created.children.filter(isOwnContact), element: { ...body, children: [kept] } };
}

/** Contacts of these types stay as they are: `domain` cannot change them. */
function withoutOwnChanges(body: XmlElement): XmlElement {
  return { ...body, children: body.children.map((update) => ({ ...update, children: withoutOwnParts(update) })) };
}

function withoutOwnParts({ children }: XmlElement): readonly XmlElement[] {
  return children
    .map((part) => ({ ...part, children: part.children.filter((child) => !isOwnContact(child)) }))
    .filter((part) => !['add', 'rem'].includes(part.name) || part.children.length > 0);
}

function isOwnContact({ namespace, name, attributes }: XmlElement): boolean {
  return namespace === DOMAIN && name === 'contact' && EXTENSION_TYPES.has(attributes.get('type') ?? '');
}
