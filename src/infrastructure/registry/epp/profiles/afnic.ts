import type { Registrant } from '../../../../domain/registration/registrant';
import type { Issue } from '../../../../domain/shared/issue';
import { NAMESPACES } from '../codec/namespaces';
import { childOf, elementFactory, tokenOf, type XmlElement } from '../codec/xml-element';
import {
  type CommandFacts,
  type Frame,
  type ProfileOptions,
  type RegistryProfile,
  unlessDefault,
  withExtension,
} from './profile';
import { rfc } from './rfc';

const CONTACT = NAMESPACES.contact;
const FRNIC = 'http://www.afnic.fr/xml/epp/frnic-2.0';
const frnic = elementFactory(FRNIC);
const contact = elementFactory(CONTACT);

const LEGAL_STATUSES = ['company', 'association', 'other'];
/** The French register of companies applies here: organizations have a SIREN, their establishments a SIRET. */
const SIREN_COUNTRIES: ReadonlySet<string> = new Set(['FR', 'GP', 'MQ', 'GF', 'RE', 'YT', 'PM', 'BL', 'MF']);
/** Net::DRI Data/Contact/AFNIC.pm. */
const SIREN = /^\d{9}(?:\d{5})?$/;

/**
 * AFNIC (.fr, .re, .pm, .tf, .wf, .yt). From public client code: Net::DRI at deabb619 (Extensions/AFNIC, DRD/AFNIC/AFNIC.pm,
 * t/…/AFNIC.t) and getnamingo/epp-client at 552ab5e7 (FrEpp.php). docs/registries/afnic.md lists what is unverified.
 */
export const afnic: RegistryProfile = {
  ...rfc,
  name: 'afnic',
  extensions: [FRNIC],
  // Net::DRI AFNIC/Domain.pm: one admin and one to three tech contacts; AFNIC.pm: no billing contact. t/…/AFNIC.t: id AUTO.
  contacts: {
    ...rfc.contacts,
    roles: ['admin', 'tech'],
    ids: 'registry',
    placeholderId: 'AUTO',
    postalInfo: 'loc',
  },
  // FrEpp.php domainTransfer and Net::DRI AFNIC/Domain.pm: keepDS and the contacts, in frnic.
  transfers: { ...rfc.transfers, contacts: true },
  // Net::DRI DRD/AFNIC/AFNIC.pm.
  namesPerCheck: 7,
  rules: { ...rfc.rules, periods: { transfer: 8 } },
  // Net::DRI AFNIC.pm: a registrant changes by a trade, for which EPP has no command: the feature registrant_change is missing.
  unsupported: ['registrant_change', 'price_guard', 'auto_renew', 'add_grace'],
  options: { organization: 'company' },
  complete,
  readContact: ({ resData, extension }, options) => {
    const data = childOf(childOf(childOf(extension, FRNIC, 'ext'), FRNIC, 'resData'), FRNIC, 'infData');
    const details = childOf(data, FRNIC, 'contact');
    const infos = childOf(details, FRNIC, 'legalEntityInfos');
    const companyNumber = tokenOf(childOf(infos, FRNIC, 'siren')) ?? tokenOf(childOf(infos, FRNIC, 'local'));
    const status = childOf(infos, FRNIC, 'legalStatus');
    const legalForm = (status && tokenOf(status)) || status?.attributes.get('s');
    const firstName = tokenOf(childOf(details, FRNIC, 'firstName'));
    const lastName = tokenOf(
      childOf(childOf(childOf(resData, CONTACT, 'infData'), CONTACT, 'postalInfo'), CONTACT, 'name'),
    );
    return {
      ...(firstName && lastName && { firstName, lastName }),
      ...(companyNumber && { companyNumber }),
      ...unlessDefault(legalForm, options),
    };
  },
  registrantIssues: (registrant, options) => [
    ...nameIssues(registrant),
    ...numberIssues(registrant),
    ...legalFormIssues(registrant, options),
  ],
  validate: ({ organization }) =>
    LEGAL_STATUSES.includes(String(organization))
      ? []
      : [{ path: 'organization', message: `must be one of ${LEGAL_STATUSES.join(', ')}` }],
};

function complete(frame: Frame, { title, registrant, options, contacts }: CommandFacts): Frame {
  if (title === 'contact:create' && registrant) {
    if (!registrant.organization)
      return extended(
        { ...frame, body: withName(frame.body, registrant.lastName) },
        frnic('create', frnic('contact', frnic('firstName', registrant.firstName))),
      );
    const infos = frnic('legalEntityInfos', [legalStatusOf(registrant, options), companyNumberOf(registrant)]);
    return extended(frame, frnic('create', frnic('contact', infos)));
  }
  if (title !== 'domain:transfer:request' || !contacts) return frame;
  const named = Object.entries(contacts.byType).map(([type, id]) => frnic('contact', id, { type }));
  return extended(frame, frnic('transfer', frnic('domain', named, { keepDS: '0' })));
}

/** Net::DRI AFNIC/Contact.pm: a status that is neither company nor association is `other`, with its text. */
function legalStatusOf({ legalForm }: Registrant, options: ProfileOptions): XmlElement {
  const form = legalForm ?? String(options['organization']);
  return LEGAL_STATUSES.includes(form)
    ? frnic('legalStatus', undefined, { s: form })
    : frnic('legalStatus', form, { s: 'other' });
}

/** Net::DRI AFNIC/Contact.pm: a person has a first name. */
function nameIssues({ organization, firstName }: Registrant): readonly Issue[] {
  if (organization !== undefined || firstName !== '') return [];
  return [{ path: 'first_name', message: 'must be present: AFNIC requires the first name of a person' }];
}

function numberIssues({ companyNumber, address }: Registrant): readonly Issue[] {
  if (companyNumber === undefined || !SIREN_COUNTRIES.has(address.country)) return [];
  if (SIREN.test(companyNumber.replace(/\s/g, ''))) return [];
  const message = 'must be a SIREN (9 digits) or SIRET (14 digits) for an organization in France';
  return [{ path: 'company_number', message }];
}

function legalFormIssues({ organization, legalForm }: Registrant, options: ProfileOptions): readonly Issue[] {
  if (organization === undefined || (legalForm ?? options['organization']) !== 'other') return [];
  return [{ path: 'legal_form', message: 'must be company, association, or the name of another legal form' }];
}

/** A SIREN or SIRET, or the number of a foreign organization (Net::DRI AFNIC/Contact.pm: `siren`, `local`). */
function companyNumberOf({ companyNumber, address }: Registrant): XmlElement | undefined {
  if (companyNumber === undefined) return undefined;
  return SIREN_COUNTRIES.has(address.country)
    ? frnic('siren', companyNumber.replace(/\s/g, ''))
    : frnic('local', companyNumber);
}

function extended(frame: Frame, data: XmlElement): Frame {
  return withExtension(frame, frnic('ext', data));
}

/** A person's `<contact:name>` is the last name (t/…/AFNIC.t). */
function withName(element: XmlElement, lastName: string): XmlElement {
  if (element.namespace === CONTACT && element.name === 'name') return contact('name', lastName);
  return { ...element, children: element.children.map((child) => withName(child, lastName)) };
}
