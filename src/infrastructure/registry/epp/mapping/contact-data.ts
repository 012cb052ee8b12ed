import { streetOf, type Registrant } from '../../../../domain/registration/registrant';
import { NAMESPACES } from '../codec/namespaces';
import { childOf, childrenOf, elementFactory, tokenOf, type XmlElement } from '../codec/xml-element';
import { epp, query, type EppCommand } from './commands/command';
import type { EppResponse } from './response';
import { RESULT } from './result-codes';

const CONTACT = NAMESPACES.contact;
const contact = elementFactory(CONTACT);

export function infoContact(id: string): EppCommand {
  return query('contact:info', epp('info', contact('info', contact('id', id))), {
    expected: [RESULT.missing, RESULT.notSponsor],
  });
}

/** The id of a new contact, which some registries assign (RFC 5733 section 3.2.1). */
export function createdContactId({ resData }: Pick<EppResponse, 'resData'>): string | undefined {
  return text(childOf(resData, CONTACT, 'creData'), 'id') || undefined;
}

/**
 * The registrant in a contact's data, undefined if a required part is missing. EPP has one name: its last word becomes the
 * last name, and a single word leaves the first name empty. The localized form is preferred, because the other one may be a transliteration.
 */
export function registrantOf({ resData }: Pick<EppResponse, 'resData'>): Registrant | undefined {
  const data = childOf(resData, CONTACT, 'infData');
  const postalInfos = childrenOf(data, CONTACT, 'postalInfo');
  const postalInfo = postalInfos.find(({ attributes }) => attributes.get('type') === 'loc') ?? postalInfos[0];
  const address = childOf(postalInfo, CONTACT, 'addr');
  const words = text(postalInfo, 'name')?.split(' ') ?? [];
  const street = childrenOf(address, CONTACT, 'street').flatMap((line) => tokenOf(line) || []);
  const [email, phone, city, country] = [
    text(data, 'email'),
    text(data, 'voice'),
    text(address, 'city'),
    text(address, 'cc'),
  ];
  const lastName = words.at(-1);
  if (!lastName || !email || !phone || !city || !country || street.length === 0) return undefined;
  const extension = childOf(data, CONTACT, 'voice')?.attributes.get('x')?.trim();
  const [organization, state, postalCode] = [text(postalInfo, 'org'), text(address, 'sp'), text(address, 'pc')];
  return {
    firstName: words.slice(0, -1).join(' '),
    lastName,
    email,
    phone,
    ...(extension && { phoneExtension: extension }),
    ...(organization && { organization }),
    address: {
      ...streetOf(street),
      city,
      ...(state && { state }),
      ...(postalCode && { postalCode }),
      country: country.toUpperCase(),
    },
  };
}

/** Statuses of a contact, like `linked`. */
export function contactStatusesOf({ resData }: Pick<EppResponse, 'resData'>): readonly string[] {
  const statuses = childrenOf(childOf(resData, CONTACT, 'infData'), CONTACT, 'status');
  return statuses.flatMap(({ attributes }) => attributes.get('s') ?? []);
}

function text(parent: XmlElement | undefined, name: string): string | undefined {
  return tokenOf(childOf(parent, CONTACT, name));
}
