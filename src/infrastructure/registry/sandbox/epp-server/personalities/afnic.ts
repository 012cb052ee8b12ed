import { NAMESPACES } from '../../../epp/codec/namespaces';
import { childOf, childrenOf, elementFactory, tokenOf } from '../../../epp/codec/xml-element';
import { offer } from '../../simulated/offers/tld-offer';
import { extensionOf, required, type EppRequest } from '../xml/epp-request';
import { refuse, refuseOtherPostalInfo, withoutExtensions, type ContactDetails, type Personality } from './personality';
import { rfc } from './rfc';

const { domain: DOMAIN, contact: CONTACT, host: HOST, secDNS: SECDNS } = NAMESPACES;
const FRNIC = 'http://www.afnic.fr/xml/epp/frnic-2.0';
const frnic = elementFactory(FRNIC);

const PERIODS = { addGrace: 0, autoRenewGrace: 0, redemption: 30, transfer: 8 };

/**
 * AFNIC: assigned contact ids, persons and organizations, contacts named again in a transfer, no change of registrant.
 * Sources: Net::DRI, DRD/AFNIC/AFNIC.pm, Extensions/AFNIC/{Domain,Contact}.pm and AFNIC.pm (thedarkwinter/Net-DRI); FrEpp.php
 * (getnamingo/epp-client). The eight days are those of rhDate and ahDate in t/…/AFNIC.t.
 */
export const afnic: Personality = {
  ...rfc,
  objects: [DOMAIN, CONTACT, HOST],
  extensions: [NAMESPACES.rgp, SECDNS, FRNIC],
  priceList: ['fr', 're', 'pm', 'tf', 'wf', 'yt'].map((suffix) => offer(suffix, 5_00, 5_00, { periods: PERIODS })),
  contacts: {
    types: ['admin', 'tech'],
    assignedId: (serial) => `NWS${serial}`,
    detailsOf: contactDetails,
    extension: ({ firstName, legalStatus, otherStatus, siren, local }) =>
      frnic(
        'ext',
        frnic(
          'resData',
          frnic(
            'infData',
            frnic('contact', [
              firstName === undefined ? undefined : frnic('firstName', firstName),
              legalStatus === undefined
                ? undefined
                : frnic('legalEntityInfos', [
                    frnic('legalStatus', otherStatus, { s: legalStatus }),
                    siren === undefined ? undefined : frnic('siren', siren),
                    local === undefined ? undefined : frnic('local', local),
                  ]),
            ]),
          ),
        ),
      ),
  },
  accept: (request) => {
    const { verb, body } = request;
    if (body.namespace === CONTACT) {
      refuse(verb === 'check' || verb === 'delete', 2101, `No ${verb} of contacts`);
      refuseOtherPostalInfo(request);
    }
    if (body.namespace === DOMAIN) assertDomainCommand(request);
    return withoutExtensions(request, FRNIC);
  },
};

function contactDetails(request: EppRequest): ContactDetails {
  const created = childOf(childOf(extensionOf(request, FRNIC), FRNIC, 'create'), FRNIC, 'contact');
  const infos = childOf(created, FRNIC, 'legalEntityInfos');
  const status = childOf(infos, FRNIC, 'legalStatus');
  const [legalStatus, otherStatus] = [status?.attributes.get('s'), status && tokenOf(status)];
  refuse(legalStatus === 'other' && !otherStatus, 2003, 'The text of another legal status is missing');
  const [siren, local] = [tokenOf(childOf(infos, FRNIC, 'siren')), tokenOf(childOf(infos, FRNIC, 'local'))];
  refuse(siren !== undefined && !/^\d{9}(\d{5})?$/.test(siren), 2005, 'The SIREN is invalid');
  if (legalStatus !== undefined)
    return { legalStatus, ...(otherStatus && { otherStatus }), ...(siren && { siren }), ...(local && { local }) };
  return { firstName: required(created, FRNIC, 'firstName') };
}

function assertDomainCommand(request: EppRequest): void {
  const { verb, body } = request;
  if (verb === 'create') {
    refuse(!childOf(body, DOMAIN, 'registrant'), 2003, 'registrant is missing');
    assertContacts(childrenOf(body, DOMAIN, 'contact').map(({ attributes }) => attributes.get('type')));
  }
  refuse(
    verb === 'update' && childOf(childOf(body, DOMAIN, 'chg'), DOMAIN, 'registrant') !== undefined,
    2306,
    'A registrant changes by a trade',
  );
  refuse(
    verb === 'update' && childOf(extensionOf(request, SECDNS), SECDNS, 'chg') !== undefined,
    2102,
    'maxSigLife cannot be changed',
  );
  if (verb === 'transfer' && request.element.attributes.get('op') === 'request') {
    const transfer = childOf(childOf(extensionOf(request, FRNIC), FRNIC, 'transfer'), FRNIC, 'domain');
    refuse(transfer?.attributes.get('keepDS') === undefined, 2003, 'keepDS is missing');
    assertContacts(childrenOf(transfer, FRNIC, 'contact').map(({ attributes }) => attributes.get('type')));
  }
}

function assertContacts(types: readonly (string | undefined)[]): void {
  const count = (wanted: string) => types.filter((type) => type === wanted).length;
  refuse(count('admin') !== 1, 2306, 'A domain has one admin contact');
  refuse(count('tech') < 1 || count('tech') > 3, 2306, 'A domain has one to three tech contacts');
}
