import { domainToUnicode } from 'node:url';
import { NAMESPACES } from '../../../epp/codec/namespaces';
import { childOf, childrenOf, tokenOf } from '../../../epp/codec/xml-element';
import { offer } from '../../simulated/offers/tld-offer';
import { extensionOf, required, type EppRequest } from '../xml/epp-request';
import { refuse, withoutExtensions, type Personality } from './personality';
import { rfc } from './rfc';

const { domain: DOMAIN, host: HOST, contact: CONTACT, rgp, secDNS, fee } = NAMESPACES;
const IDN = 'urn:ietf:params:xml:ns:idn-1.0';

/** All contact types and an IDN table, as Net::DRI sends them (thedarkwinter/Net-DRI, DRD/CentralNic, DRD/Donuts). */
const withIdnTables: Personality = {
  ...rfc,
  objects: [DOMAIN, CONTACT, HOST],
  extensions: [rgp, secDNS, fee, IDN],
  accept: (request) => {
    if (request.body.namespace === DOMAIN && request.verb === 'create') assertIdnTable(request);
    return withoutExtensions(request, IDN);
  },
};

/** CentralNic. Sources: draft-ietf-eppext-idnmap-02; Net::DRI, DRD/CentralNic/CentralNic.pm. */
export const centralnic: Personality = {
  ...withIdnTables,
  priceList: [offer('xyz', 8_50, 8_50), offer('online', 22_00, 22_00), offer('site', 20_00, 20_00)],
};

/** Identity Digital. Source: Net::DRI, DRD/Donuts.pm. Its charge-1.0 is not simulated. */
export const identityDigital: Personality = {
  ...withIdnTables,
  priceList: [offer('live', 18_00, 18_00), offer('info', 15_00, 15_00), offer('group', 14_00, 14_00)],
};

/** Public Interest Registry. Source: Net::DRI, DRD/Donuts/PIR.pm, with 13 names in a check. */
export const pir: Personality = {
  ...withIdnTables,
  priceList: [offer('org', 9_93, 9_93), offer('ngo', 30_00, 30_00)],
  accept: (request) => {
    const { verb, body } = request;
    refuse(verb === 'check' && childrenOf(body, DOMAIN, 'name').length > 13, 2306, 'A check has up to 13 names');
    return withIdnTables.accept(request);
  },
};

/** Google Registry: no contacts. Source: google/nomulus. Its fee drafts are left out of the greeting, which has the extension of RFC 8748. */
export const google: Personality = {
  ...rfc,
  objects: [DOMAIN, HOST],
  extensions: [rgp, secDNS, fee],
  priceList: [offer('app', 12_00, 12_00), offer('dev', 10_00, 10_00), offer('page', 8_00, 8_00)],
  contacts: { types: [] },
  accept: (request) => {
    const { verb, body } = request;
    refuse(
      body.namespace === DOMAIN && verb === 'create' && body.children.some(({ name }) => CONTACTS.includes(name)),
      2306,
      'This registry has no contacts',
    );
    return request;
  },
};

const CONTACTS: readonly string[] = ['registrant', 'contact'];

/** That an IDN without a table is refused is our strictness. */
function assertIdnTable(request: EppRequest): void {
  const name = tokenOf(childOf(request.body, DOMAIN, 'name')) ?? '';
  const data = extensionOf(request, IDN);
  if (!data && !name.startsWith('xn--')) return;
  refuse(!data, 2003, 'The table of an IDN is missing');
  required(data, IDN, 'table');
  const unicode = tokenOf(childOf(data, IDN, 'uname'));
  refuse(unicode !== undefined && unicode !== domainToUnicode(name), 2005, 'uname is not the name');
}
