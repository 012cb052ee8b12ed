import { NAMESPACES } from '../../../epp/codec/namespaces';
import { childOf, childrenOf, elementFactory } from '../../../epp/codec/xml-element';
import { offer } from '../../simulated/offers/tld-offer';
import { extensionOf, required, type EppRequest } from '../xml/epp-request';
import {
  refuse,
  refuseAuthCodeChange,
  refuseOtherPostalInfo,
  withoutExtensions,
  type Personality,
} from './personality';
import { rfc } from './rfc';

const { domain: DOMAIN, contact: CONTACT } = NAMESPACES;
const DNSBE = 'http://www.dns.be/xml/epp/dnsbe-1.0';
const dnsbe = elementFactory(DNSBE);

/** `licensee` is the registrant. */
const CONTACT_TYPES = ['licensee', 'billing', 'tech', 'onsite'];

/**
 * DNS Belgium: assigned contact ids with types, no renew command, codes that go to the registrant, transfers at once.
 * Sources: docs.dnsbelgium.be, "Contact types" and "Info domain"; Net::DRI, DRD/DNSBelgium/BE.pm and Extensions/DNSBE
 * (thedarkwinter/Net-DRI); hexonet wiki, .BE (key data, host attributes, no explicit renewals).
 */
export const dnsBelgium: Personality = {
  ...rfc,
  hostsAre: 'attributes',
  dsRecordsAre: 'keys',
  objects: [DOMAIN, CONTACT],
  extensions: [NAMESPACES.secDNS, DNSBE],
  priceList: [
    offer('be', 6_00, 6_00, {
      years: { min: 1, max: 1 },
      periods: { addGrace: 0, autoRenewGrace: 0, redemption: 40 },
    }),
  ],
  contacts: {
    types: ['billing', 'tech', 'onsite'],
    assignedId: (serial) => `c${1_000 + serial}`,
    detailsOf: (request) => {
      const created = childOf(childOf(extensionOf(request, DNSBE), DNSBE, 'create'), DNSBE, 'contact');
      const details = { type: required(created, DNSBE, 'type'), lang: required(created, DNSBE, 'lang') };
      refuse(!CONTACT_TYPES.includes(details.type), 2005, 'The type of a contact is unknown');
      return details;
    },
    extension: ({ type, lang }) =>
      dnsbe('ext', dnsbe('infData', dnsbe('contact', [dnsbe('type', type), dnsbe('lang', lang)]))),
    fits: ({ type }, role) => type === (role === 'registrant' ? 'licensee' : role),
  },
  authCodes: { issuedBy: 'sent' },
  transfers: 'immediate',
  accept: (request) => {
    if (request.body.namespace === CONTACT) {
      refuse(request.verb === 'check', 2101, 'Contacts cannot be checked');
      refuseOtherPostalInfo(request);
    } else assertDomainCommand(request);
    return withoutExtensions(request, DNSBE);
  },
};

function assertDomainCommand(request: EppRequest): void {
  const { verb, body } = request;
  refuse(verb === 'renew', 2101, 'Names are renewed by the registry');
  const deletion = childOf(childOf(extensionOf(request, DNSBE), DNSBE, 'delete'), DNSBE, 'domain');
  refuse(childOf(deletion, DNSBE, 'deleteDate') !== undefined, 2102, 'Deletions at a date are not simulated');
  refuseAuthCodeChange(request);
  if (verb === 'transfer' && request.element.attributes.get('op') === 'request') {
    const wanted = childOf(childOf(extensionOf(request, DNSBE), DNSBE, 'transfer'), DNSBE, 'domain');
    required(wanted, DNSBE, 'registrant');
    required(wanted, DNSBE, 'billing');
  }
  if (verb !== 'create') return;
  const types = childrenOf(body, DOMAIN, 'contact').map(({ attributes }) => attributes.get('type'));
  refuse(!childOf(body, DOMAIN, 'registrant'), 2003, 'registrant is missing');
  refuse(types.filter((type) => type === 'billing').length !== 1, 2306, 'A domain has one billing contact');
  refuse(!types.some((type) => type === 'tech' || type === 'onsite'), 2306, 'A domain has a technical contact');
}
