import type { Registrant } from '../../../../domain/registration/registrant';
import { childOf, elementFactory, tokenOf } from '../codec/xml-element';
import {
  type CommandFacts,
  type Frame,
  type ProfileOptions,
  type RegistryProfile,
  unlessDefault,
  withExtension,
} from './profile';
import { rfc } from './rfc';

const NOMINET = 'http://www.nominet.org.uk/epp/xml';
const CONTACT_EXT = `${NOMINET}/contact-nom-ext-1.0`;
const DOMAIN_EXT = `${NOMINET}/domain-nom-ext-1.2`;
const RELEASE = `${NOMINET}/std-release-1.0`;
const contactExt = elementFactory(CONTACT_EXT);
const releaseExt = elementFactory(RELEASE);

/**
 * Types of registrants: m247/nominet-epp at 9a001a3e, test/support/schemas/contact-nom-ext-1.0.xsd; Net::DRI
 * Data/Contact/Nominet.pm.
 */
const TYPES = [
  'LTD',
  'PLC',
  'PTNR',
  'STRA',
  'LLP',
  'IP',
  'IND',
  'SCH',
  'RCHAR',
  'GOV',
  'CRC',
  'STAT',
  'OTHER',
  'FIND',
  'FCORP',
  'FOTHER',
];

const HOME = 'GB';
const FOREIGN = ['FIND', 'FCORP', 'FOTHER'];
const ORGANIZATIONS = TYPES.filter((type) => type !== 'IND' && type !== 'FIND');

/**
 * Types by registrant. nominet.org.uk/registrars/systems/data/regtype: FIND, FCORP and FOTHER are outside the United Kingdom, to which
 * Jersey, Guernsey and the Isle of Man do not belong.
 */
const OPTIONS = {
  individual: 'IND',
  organization: 'OTHER',
  foreign_individual: 'FIND',
  foreign_organization: 'FOTHER',
};

/**
 * Nominet (.uk, .co.uk, .org.uk, .me.uk …), as it is until its standardization, expected early in 2027 (registrars.nominet.uk,
 * "Preparing for standardisation"). From the registry's pages, its schemas in m247/nominet-epp at 9a001a3e, and Net::DRI at
 * deabb619 (Extensions/Nominet, DRD/Nominet/UK.pm). docs/registries/nominet.md lists what is unverified.
 * Neither the schema std-release-1.0 nor a response to a release that waits for the other registrar could be sourced: after
 * each success, `<info>` says whether the name has left.
 */
export const nominet: RegistryProfile = {
  ...rfc,
  name: 'nominet',
  extensions: [CONTACT_EXT, DOMAIN_EXT, RELEASE, `${NOMINET}/std-notifications-1.2`, `${NOMINET}/std-warning-1.1`],
  // Net::DRI DRD/Nominet/UK.pm contact_i18n; t/…/Nominet.t: a create has a registrant and no contacts.
  contacts: { ...rfc.contacts, use: 'registrant', roles: [], postalInfo: 'loc' },
  // Net::DRI Nominet.pm: authInfo is not used, its create is answered with a warning that it was ignored.
  authCodes: { create: 'empty', issue: 'none', withdraw: 'none' },
  // Net::DRI DRD/Nominet/UK.pm: no updates of statuses.
  transferLock: 'none',
  // The registrar that loses a name releases it to the tag of the other: there is no request to gain one.
  unsupported: [
    'transfer_in',
    'cancel_transfer',
    'decide_transfer',
    'restore',
    'price_guard',
    'auto_renew',
    'add_grace',
  ],
  options: OPTIONS,
  // Net::DRI Extensions/Nominet/Domain.pm; AfriCC/php-epp2 Extension/Nominet/Release/Domain.php: inside <update>, not an extension.
  release: (name, registrarTag) =>
    releaseExt('release', [releaseExt('domainName', name), releaseExt('registrarTag', registrarTag)]),
  complete: (frame, facts) => (facts.title === 'contact:create' ? withOrganization(frame, facts) : frame),
  readContact: ({ extension }, options) => {
    const companyNumber = tokenOf(childOf(childOf(extension, CONTACT_EXT, 'infData'), CONTACT_EXT, 'co-no'));
    const type = tokenOf(childOf(childOf(extension, CONTACT_EXT, 'infData'), CONTACT_EXT, 'type'));
    return {
      ...(companyNumber && { companyNumber }),
      ...(type !== 'IND' && type !== 'FIND' && unlessDefault(type, options)),
    };
  },
  // Net::DRI Data/Contact/Nominet.pm: the number of a school is mandatory.
  registrantIssues: (registrant, options) => {
    const { companyNumber, legalForm, address } = registrant;
    const forms = ORGANIZATIONS.filter((type) => FOREIGN.includes(type) !== (address.country === HOME));
    return [
      ...(companyNumber === undefined && typeOf(registrant, options) === 'SCH'
        ? [{ path: 'company_number', message: 'must be present: Nominet requires the number of a school' }]
        : []),
      ...(legalForm !== undefined && !forms.includes(legalForm)
        ? [{ path: 'legal_form', message: `must be one of ${forms.join(', ')} in this country for .uk` }]
        : []),
    ];
  },
  validate: (options) =>
    Object.keys(OPTIONS)
      .filter((option) => !TYPES.includes(String(options[option])))
      .map((path) => ({ path, message: `must be one of ${TYPES.join(', ')}` })),
};

function withOrganization(frame: Frame, { registrant, options }: CommandFacts): Frame {
  if (!registrant) return frame;
  const { companyNumber } = registrant;
  const data = [
    contactExt('type', typeOf(registrant, options)),
    companyNumber === undefined ? undefined : contactExt('co-no', companyNumber),
  ];
  return withExtension(frame, contactExt('create', data));
}

function typeOf({ organization, legalForm, address }: Registrant, options: ProfileOptions): string {
  if (legalForm !== undefined) return legalForm;
  const kind = organization === undefined ? 'individual' : 'organization';
  return String(options[address.country === HOME ? kind : `foreign_${kind}`]);
}
