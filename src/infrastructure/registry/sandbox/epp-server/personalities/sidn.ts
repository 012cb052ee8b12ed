import { NAMESPACES } from '../../../epp/codec/namespaces';
import { childOf, childrenOf, elementFactory, tokenOf } from '../../../epp/codec/xml-element';
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

const { domain: DOMAIN, contact: CONTACT, host: HOST } = NAMESPACES;
const SIDN = 'http://rxsd.domain-registry.nl/sidn-ext-epp-1.0';
const SCHEDULED_DELETE = 'http://rxsd.domain-registry.nl/sidn-ext-epp-scheduled-delete-1.0';
const sidnExt = elementFactory(SIDN);

const LEGAL_FORMS =
  'ANDERS BGG BRO BV BVI/O COOP CV EENMANSZAAK EESV KERK MAATSCHAP NV OWM PERSOON REDR STICHTING VERENIGING VOF'.split(
    ' ',
  );

/**
 * SIDN: assigned contact handles, a token that info shows instead of an auth code, and transfers at once.
 * Sources: Net::DRI, Data/Contact/SIDN.pm, Extensions/SIDN.pm, Extensions/SIDN/Domain.pm and t/…/SIDN.t (thedarkwinter/Net-DRI);
 * sidn-ext-epp-1.0 (metaregistrar/php-epp-client).
 */
export const sidn: Personality = {
  ...rfc,
  dsRecordsAre: 'keys',
  objects: [DOMAIN, CONTACT, HOST],
  extensions: [NAMESPACES.secDNS, SIDN, SCHEDULED_DELETE],
  priceList: [offer('nl', 4_00, 4_00, { periods: { addGrace: 0, autoRenewGrace: 0, redemption: 40 } })],
  contacts: {
    types: ['admin', 'tech'],
    assignedId: (serial) => `NWS${String(serial).padStart(6, '0')}-NWSBX`,
    detailsOf: (request) => {
      const created = childOf(childOf(extensionOf(request, SIDN), SIDN, 'create'), SIDN, 'contact');
      const legalForm = required(created, SIDN, 'legalForm');
      refuse(!LEGAL_FORMS.includes(legalForm), 2005, 'The legal form is unknown');
      refuse(!childOf(request.body, CONTACT, 'voice'), 2003, 'voice is missing');
      const number = tokenOf(childOf(created, SIDN, 'legalFormRegNo'));
      return { legalForm, ...(number && { number }) };
    },
    extension: ({ legalForm, number }) =>
      sidnExt(
        'ext',
        sidnExt(
          'infData',
          sidnExt('contact', [
            sidnExt('legalForm', legalForm),
            number === undefined ? undefined : sidnExt('legalFormRegNo', number),
          ]),
        ),
      ),
  },
  statuses: [],
  authCodes: { issuedBy: 'shown' },
  transfers: 'immediate',
  accept: (request) => {
    if (request.body.namespace === CONTACT) refuseOtherPostalInfo(request);
    if (request.body.namespace === DOMAIN) assertDomainCommand(request);
    return withoutExtensions(request, SIDN, SCHEDULED_DELETE);
  },
};

function assertDomainCommand(request: EppRequest): void {
  const { verb, body } = request;
  refuseAuthCodeChange(request);
  refuse(verb === 'renew', 2101, 'Names are renewed by the registry');
  refuse(extensionOf(request, SCHEDULED_DELETE) !== undefined, 2102, 'Deletions at a date are not simulated');
  if (verb !== 'create') return;
  const count = (type: string) =>
    childrenOf(body, DOMAIN, 'contact').filter(({ attributes }) => attributes.get('type') === type).length;
  refuse(!childOf(body, DOMAIN, 'registrant'), 2003, 'registrant is missing');
  refuse(count('admin') !== 1, 2306, 'A domain has one admin contact');
  refuse(count('tech') === 0, 2306, 'A domain has at least one tech contact');
}
