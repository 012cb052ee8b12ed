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
const CONTACT_EXT = 'http://www.nominet.org.uk/epp/xml/contact-nom-ext-1.0';
const DOMAIN_EXT = 'http://www.nominet.org.uk/epp/xml/domain-nom-ext-1.2';
const RELEASE = 'http://www.nominet.org.uk/epp/xml/std-release-1.0';
const NOTIFICATIONS = 'http://www.nominet.org.uk/epp/xml/std-notifications-1.2';
const contactExt = elementFactory(CONTACT_EXT);
const domainExt = elementFactory(DOMAIN_EXT);

const REGISTRANT_TYPES = 'LTD PLC PTNR STRA LLP IP IND SCH RCHAR GOV CRC STAT OTHER FIND FCORP FOTHER UNKNOWN'.split(
  ' ',
);
const PERIODS = { addGrace: 0, autoRenewGrace: 35, redemption: 60 };

/**
 * Nominet's .uk platform: a registrant only, no auth codes and no transfer command, and no client statuses. Releases take effect
 * at once: no response to one that waits for the other registrar is known.
 * Sources: registrars.nominet.uk, EPP pages "release" and "Preparing for standardisation"; Net::DRI, DRD/Nominet/UK.pm and
 * Data/Contact/Nominet.pm (thedarkwinter/Net-DRI); schemas in m247/nominet-epp.
 */
export const nominet: Personality = {
  ...rfc,
  objects: [DOMAIN, CONTACT, HOST],
  extensions: [NAMESPACES.secDNS, CONTACT_EXT, DOMAIN_EXT, RELEASE, NOTIFICATIONS],
  priceList: ['co.uk', 'org.uk', 'me.uk', 'uk'].map((suffix) => offer(suffix, 5_00, 5_00, { periods: PERIODS })),
  contacts: {
    types: [],
    detailsOf: (request) => {
      const created = extensionOf(request, CONTACT_EXT);
      const type = tokenOf(childOf(created, CONTACT_EXT, 'type')) ?? 'UNKNOWN';
      const number = tokenOf(childOf(created, CONTACT_EXT, 'co-no'));
      refuse(!REGISTRANT_TYPES.includes(type), 2005, 'The type of a registrant is unknown');
      refuse(type === 'SCH' && !number, 2003, 'The number of a school is missing');
      refuse(number !== undefined && number.length > 255, 2005, 'The company number is too long');
      return { type, ...(number && { number }) };
    },
    extension: ({ type, number }) =>
      contactExt('infData', [
        contactExt('type', type),
        number === undefined ? undefined : contactExt('co-no', number),
        contactExt('opt-out', 'N'),
      ]),
  },
  statuses: [],
  authCodes: { issuedBy: 'sent' },
  releaseIn: ({ verb, body }) => {
    if (verb !== 'update' || body.namespace !== RELEASE) return undefined;
    const [name, registrarTag] = [required(body, RELEASE, 'domainName'), required(body, RELEASE, 'registrarTag')];
    // gitpan/Net-EPP-Registry-Nominet, t/release.t has the V numbers; the result codes are not sourced.
    refuse(registrarTag === 'NOMINET', 2306, 'V055 Names cannot be released to this tag');
    return { name, registrarTag };
  },
  accept: (request) => {
    const { verb, body } = request;
    if (body.namespace === CONTACT) refuseOtherPostalInfo(request);
    if (body.namespace === DOMAIN) assertDomainCommand(request);
    refuse(verb === 'transfer', 2101, 'Names move by a release of their registrar');
    return withoutExtensions(request, CONTACT_EXT, DOMAIN_EXT);
  },
  respond: (_request, reply) =>
    reply.resData?.namespace === DOMAIN && reply.resData.name === 'infData'
      ? {
          ...reply,
          extensions: [
            domainExt('infData', domainExt('reg-status', 'Registered until expiry date.')),
            ...(reply.extensions ?? []),
          ],
        }
      : reply,
};

function assertDomainCommand(request: EppRequest): void {
  const { verb, body } = request;
  refuseAuthCodeChange(request);
  refuse(childrenOf(body, DOMAIN, 'contact').length > 0, 2306, 'A domain has a registrant and no other contacts');
  refuse(verb === 'create' && !childOf(body, DOMAIN, 'registrant'), 2003, 'registrant is missing');
}
