import type { Registrant } from '../../../../domain/registration/registrant';
import { NAMESPACES } from '../codec/namespaces';
import type { CommandIds } from '../session/command-ids';
import type { EppClient } from '../session/epp-client';
import { contactIdOf, createContact } from '../mapping/contact-commands';
import type { ContactReference, DomainParts } from '../mapping/domain-commands';
import type { DomainInfo } from '../mapping/domain-data';
import { speaksOf } from '../mapping/greeting';
import { rejectionOf, RESULT, succeeded } from '../mapping/result-codes';
import { newAuthCode } from '../new-auth-code';

export interface ContactSettings {
  readonly clientId: string;
  /** Which contacts a domain has beside its registrant; all are the registrant. */
  readonly contactTypes: readonly string[];
}

const MOST_REMEMBERED = 10_000;

/** Contacts at a registry: one for everything that is ever said of a registrant, never changed. */
export class EppContacts {
  /** Those that are known to be there; a registry that has lost one says so when it is referred to. */
  private readonly known = new Set<string>();

  constructor(
    private readonly client: EppClient,
    private readonly settings: ContactSettings,
  ) {}

  /** The id of the registrant's contact, made where it is not there yet; undefined where the registry keeps no contacts. */
  async ensure(registrant: Registrant, ids: CommandIds): Promise<string | undefined> {
    if (!speaksOf(await this.client.services(), NAMESPACES.contact)) return undefined;
    const id = contactIdOf(registrant, this.settings.clientId);
    if (this.known.has(id)) return id;
    const response = await this.client.ask(createContact(id, registrant, newAuthCode()), ids.beside());
    if (!succeeded(response) && response.code !== RESULT.exists) throw rejectionOf(response);
    if (this.known.size >= MOST_REMEMBERED) this.known.clear();
    this.known.add(id);
    return id;
  }

  /** After the registry has said that something is missing that a command refers to. */
  async remake(registrant: Registrant, ids: CommandIds): Promise<void> {
    this.known.delete(contactIdOf(registrant, this.settings.clientId));
    await this.ensure(registrant, ids);
  }

  /** A domain's contacts beside its registrant. */
  of(id: string | undefined): readonly ContactReference[] {
    return id === undefined ? [] : this.settings.contactTypes.map((type) => ({ type, id }));
  }

  /** What makes them out of those that a domain has; contacts of other types are left alone. */
  changes({ contacts: present }: DomainInfo, id: string): { readonly add: DomainParts; readonly remove: DomainParts } {
    const wanted = this.of(id);
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
