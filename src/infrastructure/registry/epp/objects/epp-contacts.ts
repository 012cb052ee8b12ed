import type { Registrant } from '../../../../domain/registration/registrant';
import { NAMESPACES } from '../codec/namespaces';
import type { CommandIds } from '../session/command-ids';
import type { EppClient } from '../session/epp-client';
import { contactIdOf, createContact } from '../mapping/commands/contact-commands';
import { infoContact, registrantOf } from '../mapping/contact-data';
import type { ContactReference, DomainParts } from '../mapping/commands/domain-commands';
import type { DomainInfo } from '../mapping/domain-data';
import { isSupported } from '../mapping/greeting';
import { rejectionOf, RESULT, isSuccess } from '../mapping/result-codes';
import { generateAuthCode } from './auth-code';

export interface ContactSettings {
  readonly clientId: string;
  /** Contact types of a domain in addition to its registrant. All refer to the registrant's contact. */
  readonly contactTypes: readonly string[];
}

const MAX_CACHED = 10_000;

/** Contact objects (RFC 5733). The id is a digest of the registrant's data, so contacts are never updated, only replaced. */
export class EppContacts {
  /** Ids of existing contacts. A registry that has deleted one returns 2303 to commands that refer to it. */
  private readonly known = new Set<string>();

  constructor(
    private readonly client: EppClient,
    private readonly settings: ContactSettings,
  ) {}

  /** Creates the registrant's contact if needed and returns its id; undefined if the registry does not support contacts. */
  async ensure(registrant: Registrant, ids: CommandIds): Promise<string | undefined> {
    if (!isSupported(await this.client.services(), NAMESPACES.contact)) return undefined;
    const id = contactIdOf(registrant, this.settings.clientId);
    if (this.known.has(id)) return id;
    const response = await this.client.send(createContact(id, registrant, generateAuthCode()), ids.additional());
    if (!isSuccess(response) && response.code !== RESULT.exists) throw rejectionOf(response);
    if (this.known.size >= MAX_CACHED) this.known.clear();
    this.known.add(id);
    return id;
  }

  /** The registrant with this contact id, undefined if the registry does not show it to us. */
  async find(id: string): Promise<Registrant | undefined> {
    const response = await this.client.send(infoContact(id));
    return isSuccess(response) ? registrantOf(response) : undefined;
  }

  /** After a 2303: creates the contact again in case the registry has deleted it. */
  async recreate(registrant: Registrant, ids: CommandIds): Promise<void> {
    this.known.delete(contactIdOf(registrant, this.settings.clientId));
    await this.ensure(registrant, ids);
  }

  /** A domain's contacts in addition to its registrant. */
  referencesTo(id: string | undefined): readonly ContactReference[] {
    return id === undefined ? [] : this.settings.contactTypes.map((type) => ({ type, id }));
  }

  /** The changes of a domain's contacts to this id. Contacts of other types stay. */
  changesTo(
    { contacts: present }: DomainInfo,
    id: string,
  ): { readonly add: DomainParts; readonly remove: DomainParts } {
    const wanted = this.referencesTo(id);
    const managed = present.filter(({ type }) => this.settings.contactTypes.includes(type));
    return { add: { contacts: without(wanted, present) }, remove: { contacts: without(managed, wanted) } };
  }
}

function without(
  contacts: readonly ContactReference[],
  others: readonly ContactReference[],
): readonly ContactReference[] {
  return contacts.filter(({ type, id }) => !others.some((other) => other.type === type && other.id === id));
}
