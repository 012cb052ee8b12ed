import { elementFactory } from '../codec/xml-element';
import type { CommandFacts, Frame, RegistryProfile } from './profile';
import { rfc } from './rfc';

const SIDN = 'http://rxsd.domain-registry.nl/sidn-ext-epp-1.0';
const sidnExt = elementFactory(SIDN);

/** Net::DRI Data/Contact/SIDN.pm. */
const LEGAL_FORMS =
  'ANDERS BGG BRO BV BVI/O COOP CV EENMANSZAAK EESV KERK MAATSCHAP NV OWM PERSOON REDR STICHTING VERENIGING VOF'.split(
    ' ',
  );

/**
 * SIDN (.nl). From public client code: Net::DRI at deabb619 (Extensions/SIDN, t/…/SIDN.t) and metaregistrar/php-epp-client at
 * 5ce10e02 (sidn-ext-epp-1.0). docs/registries/sidn.md lists what is unverified.
 */
export const sidn: RegistryProfile = {
  ...rfc,
  name: 'sidn',
  extensions: [SIDN],
  dnssec: { form: 'keys' },
  // Net::DRI SIDN/Domain.pm: one admin and at least one tech contact; SIDN.pm: no billing contact, handles are assigned.
  contacts: {
    ...rfc.contacts,
    roles: ['admin', 'tech'],
    ids: 'registry',
    placeholderId: 'AUTO',
    postalInfo: 'loc',
  },
  // t/…/SIDN.t: info of the sponsor shows the token, which the registry makes.
  authCodes: { create: 'empty', issue: 'info', withdraw: 'none' },
  transferLock: 'none',
  unsupported: ['restore', 'price_guard', 'auto_renew', 'add_grace', 'cancel_transfer', 'decide_transfer'],
  options: { person: 'PERSOON', organization: 'ANDERS' },
  complete: (frame, facts) => (facts.title === 'contact:create' ? withLegalForm(frame, facts) : frame),
  // t/…/SIDN.t: no exDate. A name goes on until it is deleted (Net::DRI SIDN/Domain.pm schedules a deletion).
  readDomain: (_response, { expiresAt }) => (expiresAt ? {} : { isPerpetual: true }),
  validate: (options) =>
    ['person', 'organization']
      .filter((option) => !LEGAL_FORMS.includes(String(options[option])))
      .map((path) => ({ path, message: `must be one of ${LEGAL_FORMS.join(', ')}` })),
};

function withLegalForm({ body, extensions }: Frame, { registrant, options }: CommandFacts): Frame {
  const form = options[registrant?.organization ? 'organization' : 'person'];
  const data = sidnExt('ext', sidnExt('create', sidnExt('contact', sidnExt('legalForm', String(form)))));
  return { body, extensions: [...extensions, data] };
}
