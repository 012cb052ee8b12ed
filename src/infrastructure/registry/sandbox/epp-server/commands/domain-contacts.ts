import { NAMESPACES } from '../../../epp/codec/namespaces';
import { childOf, childrenOf, elementFactory, tokenOf, type XmlElement } from '../../../epp/codec/xml-element';
import type { RegistrationDetails } from '../../simulated/registration';
import { EppError } from '../epp-error';
import type { RegistryBackend } from '../registry-backend';
import { contactIdOf } from '../xml/contact-xml';

const DOMAIN = NAMESPACES.domain;
const domain = elementFactory(DOMAIN);

export type ContactReferences = RegistrationDetails['contacts'];

/** The contacts that commands on domains refer to. */
export class DomainContacts {
  constructor(private readonly backend: RegistryBackend) {}

  /** The contacts of a new domain. @throws EppError */
  async ofNewDomain(body: XmlElement): Promise<Pick<RegistrationDetails, 'registrant' | 'contacts'>> {
    const registrant = tokenOf(childOf(body, DOMAIN, 'registrant')) ?? null;
    const contacts = this.namedIn(body);
    await this.assertExist([...(registrant === null ? [] : [{ type: 'registrant', id: registrant }]), ...contacts]);
    return { registrant, contacts };
  }

  /** The registrant in `<chg>`: null to remove it, undefined if unchanged. @throws EppError */
  async newRegistrant(body: XmlElement): Promise<string | null | undefined> {
    const id = tokenOf(childOf(childOf(body, DOMAIN, 'chg'), DOMAIN, 'registrant'));
    if (id) await this.assertExist([{ type: 'registrant', id }]);
    return id === '' ? null : id;
  }

  /** @throws EppError */
  async inPart(part: 'add' | 'rem', parent: XmlElement | undefined): Promise<ContactReferences> {
    const contacts = parent ? this.namedIn(parent) : [];
    if (part === 'add') await this.assertExist(contacts);
    return contacts;
  }

  private namedIn(parent: XmlElement): ContactReferences {
    const { types } = this.backend.personality.contacts;
    return childrenOf(parent, DOMAIN, 'contact').map((element) => {
      const type = element.attributes.get('type') ?? '';
      if (!types.includes(type)) throw new EppError(2005, `The contact type must be one of: ${types.join(', ')}`);
      return { type, id: tokenOf(element) ?? '' };
    });
  }

  private async assertExist(references: ContactReferences): Promise<void> {
    const ids = [...new Set(references.map(({ id }) => contactIdOf(id)))];
    const existing = new Map((await this.backend.store.contacts(ids)).map((contact) => [contact.id, contact]));
    const { fits } = this.backend.personality.contacts;
    for (const { id, type } of references) {
      const contact = existing.get(id);
      if (!contact) throw new EppError(2303, `The contact ${id} does not exist`, domain('contact', id));
      if (fits && !fits(contact.details ?? {}, type))
        throw new EppError(2306, `The contact ${id} is no ${type} contact`, domain('contact', id));
    }
  }
}
