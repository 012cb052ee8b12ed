import { COUNTRY_CODES } from '../../../../../domain/registration/registrant';
import { NAMESPACES } from '../../../epp/codec/namespaces';
import { childOf, childrenOf, tokenOf, elementFactory, type XmlElement } from '../../../epp/codec/xml-element';
import { roidOf } from './domain-xml';
import { EppError } from '../epp-error';
import { required } from './epp-request';
import type { Contact, PhoneNumber, PostalInfo } from '../backend-store';

const CONTACT = NAMESPACES.contact;
const contact = elementFactory(CONTACT);

const ID = /^[A-Za-z0-9][A-Za-z0-9_.-]{2,15}$/;
const PHONE = /^\+\d{1,3}\.\d{1,14}$/;

/** @throws EppError */
export function contactIdOf(text: string): string {
  if (!ID.test(text))
    throw new EppError(2005, 'A contact id must have 3 to 16 letters, digits, dots, hyphens or underscores');
  return text;
}

/** @throws EppError */
export function postalInfosOf(parent: XmlElement): readonly PostalInfo[] {
  const infos = childrenOf(parent, CONTACT, 'postalInfo').map(postalInfoOf);
  if (infos.length > 2 || new Set(infos.map(({ type }) => type)).size < infos.length)
    throw new EppError(2306, 'At most one postalInfo of each type');
  return infos;
}

function postalInfoOf(element: XmlElement): PostalInfo {
  const type = element.attributes.get('type');
  if (type !== 'int' && type !== 'loc') throw new EppError(2005, 'The postalInfo type must be int or loc');
  const address = childOf(element, CONTACT, 'addr');
  const optional = (parent: XmlElement | undefined, name: string) => tokenOf(childOf(parent, CONTACT, name)) || null;
  const info = {
    type,
    name: required(element, CONTACT, 'name'),
    org: optional(element, 'org'),
    street: childrenOf(address, CONTACT, 'street').map((line) => tokenOf(line) ?? ''),
    city: required(address, CONTACT, 'city'),
    sp: optional(address, 'sp'),
    pc: optional(address, 'pc'),
    cc: required(address, CONTACT, 'cc'),
  } as const;
  if (!COUNTRY_CODES.has(info.cc))
    throw new EppError(2005, `${info.cc.slice(0, 8)} is not a country code`, contact('cc', info.cc));
  if (info.street.length > 3) throw new EppError(2005, 'A street has at most three lines');
  if (type === 'int' && !/^\p{ASCII}*$/u.test(JSON.stringify(info)))
    throw new EppError(2005, 'A postalInfo of type int must be ASCII');
  return info;
}

/** @throws EppError */
export function phoneOf(parent: XmlElement | undefined, name: 'voice' | 'fax'): PhoneNumber | null {
  const element = childOf(parent, CONTACT, name);
  const number = tokenOf(element);
  if (!element || !number) return null;
  if (!PHONE.test(number)) throw new EppError(2005, 'A phone number must be +CC.NUMBER', contact(name, number));
  return { number, extension: element.attributes.get('x') ?? null };
}

/** @throws EppError */
export function emailOf(parent: XmlElement): string {
  const email = required(parent, CONTACT, 'email');
  if (!/^[^@\s]+@[^@\s]+$/.test(email)) throw new EppError(2005, 'An e-mail address must have one @');
  return email;
}

export function contactData(of: Contact, linked: boolean): XmlElement {
  const statuses = [...of.statuses, ...(linked ? ['linked'] : [])];
  return contact('infData', [
    contact('id', of.id),
    contact('roid', roidOf('C', of.id, new Date(of.createdAt))),
    (of.statuses.length > 0 ? statuses : ['ok', ...statuses]).map((s) => contact('status', undefined, { s })),
    of.postalInfos.map(postalInfoElement),
    phoneElement('voice', of.voice),
    phoneElement('fax', of.fax),
    contact('email', of.email),
    contact('clID', of.sponsor),
    contact('crID', of.creator),
    contact('crDate', new Date(of.createdAt).toISOString()),
    of.updatedBy === null || of.updatedAt === null
      ? undefined
      : [contact('upID', of.updatedBy), contact('upDate', new Date(of.updatedAt).toISOString())],
  ]);
}

function postalInfoElement({ type, name, org, street, city, sp, pc, cc }: PostalInfo): XmlElement {
  const optional = (element: string, text: string | null) => (text === null ? undefined : contact(element, text));
  const address = contact('addr', [
    street.map((line) => contact('street', line)),
    contact('city', city),
    optional('sp', sp),
    optional('pc', pc),
    contact('cc', cc),
  ]);
  return contact('postalInfo', [contact('name', name), optional('org', org), address], { type });
}

function phoneElement(name: 'voice' | 'fax', phone: PhoneNumber | null): XmlElement | undefined {
  return phone ? contact(name, phone.number, { x: phone.extension ?? undefined }) : undefined;
}
