import { childOf, elementFactory, tokenOf } from '../codec/xml-element';
import { instantOf } from '../mapping/data-types';
import { type CommandFacts, type Frame, type RegistryProfile, unlessDefault, withExtension } from './profile';
import { rfc } from './rfc';

const SIDN = 'http://rxsd.domain-registry.nl/sidn-ext-epp-1.0';
const SCHEDULED_DELETE = 'http://rxsd.domain-registry.nl/sidn-ext-epp-scheduled-delete-1.0';
const sidnExt = elementFactory(SIDN);
const scheduledDelete = elementFactory(SCHEDULED_DELETE);

/** Operations of sidn-ext-epp-scheduled-delete-1.0 (Net::DRI SIDN/Domain.pm). */
const DELETIONS: Readonly<Record<string, string>> = {
  'domain:deletion:schedule': 'setDateToEndOfSubscriptionPeriod',
  'domain:deletion:cancel': 'cancel',
};

/** Net::DRI Data/Contact/SIDN.pm. */
const LEGAL_FORMS =
  'ANDERS BGG BRO BV BVI/O COOP CV EENMANSZAAK EESV KERK MAATSCHAP NV OWM PERSOON REDR STICHTING VERENIGING VOF'.split(
    ' ',
  );

const PERSON = 'PERSOON';
const ORGANIZATION_FORMS = LEGAL_FORMS.filter((form) => form !== PERSON);

/**
 * SIDN (.nl). From public client code: Net::DRI at deabb619 (Extensions/SIDN, t/…/SIDN.t) and metaregistrar/php-epp-client at
 * 5ce10e02 (sidn-ext-epp-1.0). docs/registries/sidn.md lists what is unverified.
 */
export const sidn: RegistryProfile = {
  ...rfc,
  name: 'sidn',
  extensions: [SIDN, SCHEDULED_DELETE],
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
  // kb.centralnicreseller.com and wiki.hexonet.net, .nl: names are not renewed explicitly. t/…/SIDN.t: deletion at the end of the period.
  renewal: 'none',
  scheduledDeletion: 'command',
  unsupported: ['restore', 'price_guard', 'auto_renew', 'add_grace', 'cancel_transfer', 'decide_transfer'],
  options: { person: PERSON, organization: 'ANDERS' },
  complete,
  // t/…/SIDN.t: no exDate, and scheduledDeleteDate. A name goes on until it is deleted.
  readDomain: ({ extension }, { expiresAt }) => {
    const data = childOf(childOf(childOf(extension, SIDN, 'ext'), SIDN, 'infData'), SIDN, 'domain');
    const date = tokenOf(childOf(data, SIDN, 'scheduledDeleteDate'));
    return { ...(!expiresAt && { isPerpetual: true }), ...(date && { deletionDate: instantOf(date) }) };
  },
  // Net::DRI SIDN/Contact.pm info_parse.
  readContact: ({ extension }, options) => {
    const data = childOf(childOf(childOf(extension, SIDN, 'ext'), SIDN, 'infData'), SIDN, 'contact');
    const companyNumber = tokenOf(childOf(data, SIDN, 'legalFormRegNo'));
    const legalForm = tokenOf(childOf(data, SIDN, 'legalForm'));
    return {
      ...(companyNumber && { companyNumber }),
      ...(legalForm !== PERSON && unlessDefault(legalForm, options)),
    };
  },
  registrantIssues: ({ legalForm }) =>
    legalForm === undefined || ORGANIZATION_FORMS.includes(legalForm)
      ? []
      : [{ path: 'legal_form', message: `must be one of ${ORGANIZATION_FORMS.join(', ')} for .nl` }],
  validate: (options) =>
    ['person', 'organization']
      .filter((option) => !LEGAL_FORMS.includes(String(options[option])))
      .map((path) => ({ path, message: `must be one of ${LEGAL_FORMS.join(', ')}` })),
};

function complete(frame: Frame, { title, registrant, options }: CommandFacts): Frame {
  const operation = DELETIONS[title];
  if (operation !== undefined)
    return withExtension(frame, scheduledDelete('update', scheduledDelete('operation', operation)));
  if (title !== 'contact:create') return frame;
  const form = registrant?.legalForm ?? options[registrant?.organization ? 'organization' : 'person'];
  const number = registrant?.companyNumber;
  const data = [
    sidnExt('legalForm', String(form)),
    number === undefined ? undefined : sidnExt('legalFormRegNo', number),
  ];
  return withExtension(frame, sidnExt('ext', sidnExt('create', sidnExt('contact', data))));
}
