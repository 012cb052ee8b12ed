import { RegistryRejected, RegistryUnavailable } from '../../../../application/ports/registry/registry-errors';
import type { DomainName } from '../../../../domain/registration/domain-name';
import type { Registrant } from '../../../../domain/registration/registrant';
import { NAMESPACES } from '../codec/namespaces';
import type { CommandIds } from '../session/command-ids';
import type { EppClient } from '../session/epp-client';
import { forTld } from '../mapping/commands/command';
import { contactIdOf, createContact, deleteContact } from '../mapping/commands/contact-commands';
import { createdContactId, infoContact, registrantOf } from '../mapping/contact-data';
import type { ContactReference, DomainParts } from '../mapping/commands/domain-commands';
import type { DomainInfo } from '../mapping/domain-data';
import type { EppResponse } from '../mapping/response';
import { isSupported } from '../mapping/greeting';
import { rejectionOf, RESULT, isSuccess } from '../mapping/result-codes';
import type { ContactPolicy, RegistryProfile } from '../profiles/profile';
import { generateAuthCode } from './auth-code';
import type { ContactIds } from './contact-ids';

export interface ContactSettings {
  readonly clientId: string;
  readonly contacts: ContactPolicy;
  readonly readContact?: RegistryProfile['readContact'];
}

/** A registrant's contact at the registry. */
export interface RegistrantContact {
  readonly id: string;
}

/** Contact objects (RFC 5733). Contacts are never updated, only replaced. */
export class EppContacts {
  /** Digests of contacts that this process created and that no accepted command refers to yet. */
  private readonly unused = new Set<string>();

  constructor(
    private readonly client: EppClient,
    private readonly settings: ContactSettings,
    /** Ids of existing contacts by digest. A registry that has deleted one returns 2303 to commands that refer to it. */
    private readonly known: ContactIds,
  ) {}

  /**
   * Runs `work` with the registrant's contact, undefined if the registry has none. Deletes one that is new, or left from a call
   * with an unknown outcome, if `work` is rejected.
   */
  async use<T>(
    registrant: Registrant,
    name: DomainName,
    ids: CommandIds,
    work: (
      contact: RegistrantContact | undefined,
      recreate: () => Promise<RegistrantContact | undefined>,
    ) => Promise<T>,
  ): Promise<T> {
    const digest = contactIdOf(registrant, this.settings.clientId);
    let contact = await this.ensure(registrant, name, ids);
    try {
      const result = await work(contact, async () => {
        contact = await this.recreate(registrant, name, ids);
        return contact;
      });
      this.unused.delete(digest);
      return result;
    } catch (error) {
      if (error instanceof RegistryRejected && contact && this.unused.delete(digest))
        await this.discard(digest, contact, name, ids);
      throw error;
    }
  }

  /** Creates the contact if needed. */
  private async ensure(
    registrant: Registrant,
    { parent: tld }: DomainName,
    ids: CommandIds,
  ): Promise<RegistrantContact | undefined> {
    const { contacts, clientId } = this.settings;
    if (contacts.use === 'none' || !isSupported(await this.client.services(), NAMESPACES.contact)) return undefined;
    const digest = contactIdOf(registrant, clientId);
    const known = await this.known.find(digest);
    if (known !== undefined) return { id: known };
    const requested = contacts.ids === 'ours' ? digest : contacts.placeholderId;
    const command = createContact(requested, registrant, generateAuthCode(), contacts.disclose, contacts.postalInfo);
    const response = await this.client.send(forTld(command, tld), ids.additional());
    const exists = contacts.ids === 'ours' && response.code === RESULT.exists;
    if (!isSuccess(response) && !exists) throw rejectionOf(response);
    const id = contacts.ids === 'ours' ? digest : createdContactId(response);
    if (id === undefined) throw new RegistryUnavailable('The registry did not report the id of a new contact');
    await this.known.save(digest, id);
    if (!exists) this.unused.add(digest);
    return { id };
  }

  /** The registrant with this contact id, undefined if the registry does not show it to us. */
  async find(id: string, { parent: tld }: DomainName): Promise<Registrant | undefined> {
    const response = await this.show(id, tld);
    const registrant = isSuccess(response) ? registrantOf(response) : undefined;
    return registrant && { ...registrant, ...this.settings.readContact?.(response) };
  }

  private async show(id: string, tld: string): Promise<EppResponse> {
    return this.client.send(forTld(infoContact(id), tld));
  }

  /** After a 2303: creates the contact again in case the registry has deleted it. */
  private async recreate(
    registrant: Registrant,
    name: DomainName,
    ids: CommandIds,
  ): Promise<RegistrantContact | undefined> {
    const digest = contactIdOf(registrant, this.settings.clientId);
    const known = await this.known.find(digest);
    if (known !== undefined && this.settings.contacts.ids === 'registry') {
      const response = await this.show(known, name.parent);
      if (isSuccess(response)) return { id: known };
    }
    await this.known.forget(digest);
    return this.ensure(registrant, name, ids);
  }

  /**
   * Deletes an unused contact after the command that it was for was rejected. The registry keeps one that is used meanwhile,
   * or if it deletes none: then it is used again. So is one of which this is unknown: a 2303 says later that it is gone.
   * Never throws RegistryUnavailable: the rejection stands.
   */
  private async discard(digest: string, contact: RegistrantContact, name: DomainName, ids: CommandIds): Promise<void> {
    await this.known.forget(digest);
    const command = forTld(deleteContact(contact.id), name.parent);
    const response = await this.client.send(command, ids.additional()).catch((error: unknown) => {
      if (error instanceof RegistryUnavailable) return undefined;
      throw error;
    });
    const isGone = response && (isSuccess(response) || response.code === RESULT.missing);
    if (!isGone) await this.known.save(digest, contact.id);
  }

  /** A domain's contacts in addition to its registrant. */
  referencesTo(id: string | undefined): readonly ContactReference[] {
    const { use, roles, handles } = this.settings.contacts;
    if (id === undefined) return [];
    const shared = use === 'all' ? roles.filter((type) => handles[type] === undefined) : [];
    return [
      ...shared.map((type) => ({ type, id })),
      ...Object.entries(handles).map(([type, handle]) => ({ type, id: handle })),
    ];
  }

  /** The changes of a domain's contacts to this id. Contacts of other types stay. */
  changesTo(
    { contacts: present }: DomainInfo,
    id: string,
  ): { readonly add: DomainParts; readonly remove: DomainParts } {
    const wanted = this.referencesTo(id);
    const managed = present.filter(({ type }) => wanted.some((each) => each.type === type));
    return { add: { contacts: without(wanted, present) }, remove: { contacts: without(managed, wanted) } };
  }
}

function without(
  contacts: readonly ContactReference[],
  others: readonly ContactReference[],
): readonly ContactReference[] {
  return contacts.filter(({ type, id }) => !others.some((other) => other.type === type && other.id === id));
}
