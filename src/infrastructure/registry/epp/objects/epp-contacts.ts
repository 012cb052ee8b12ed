import {
  RegistryNotContacted,
  RegistryRejected,
  RegistryUnavailable,
} from '../../../../application/ports/registry/registry-errors';
import type { Clock, Log } from '../../../../application/ports/system';
import type { DomainName } from '../../../../domain/shared/domain-name';
import type { Registrant } from '../../../../domain/registration/registrant';
import type { StoredValues } from '../../registry-adapter';
import { NAMESPACES } from '../codec/namespaces';
import type { CommandIds } from '../session/command-ids';
import type { EppClient } from '../session/epp-client';
import { forTld } from '../mapping/commands/command';
import { contactIdOf, createContact, deleteContact } from '../mapping/commands/contact-commands';
import { contactStatusesOf, createdContactId, infoContact, registrantOf } from '../mapping/contact-data';
import type { ContactReference, DomainParts } from '../mapping/commands/domain-commands';
import type { DomainInfo } from '../mapping/domain-data';
import type { EppResponse } from '../mapping/response';
import { offersNamespace } from '../mapping/greeting';
import { rejectionOf, RESULT, isSuccess } from '../mapping/result-codes';
import type { RegistryProfile } from '../profiles/profile';
import { generateAuthCode } from './auth-code';
import { KnownContactIds, UnusedContacts } from './stored-contacts';

export interface ContactSettings {
  readonly clientId: string;
  readonly profile: Pick<RegistryProfile, 'contacts' | 'readContact' | 'options'>;
  /** What an id depends on besides the registrant's data, like the server and the profile's options. */
  readonly scope: string;
}

/** Longer than a registry waits for the end of a transfer, which may use the contact then. */
const LEFT_AFTER_MS = 30 * 24 * 3_600_000;

/** A registrant's contact at the registry. */
export interface RegistrantContact {
  readonly id: string;
}

/** Contact objects (RFC 5733). Contacts are never updated, only replaced. */
export class EppContacts {
  /** Ids of existing contacts by digest. A registry that has deleted one returns 2303 to commands that refer to it. */
  private readonly known: KnownContactIds;
  private readonly unused: UnusedContacts;
  /** By digest: calls at the same time for one registrant share its contact. */
  private readonly ensuring = new Map<string, Promise<RegistrantContact | undefined>>();

  constructor(
    private readonly client: EppClient,
    private readonly settings: ContactSettings,
    clock: Clock,
    private readonly log: Log,
    /** Where ids are kept: those that the registry assigns, and those that no domain uses yet. */
    stored?: StoredValues,
  ) {
    const { profile, scope } = settings;
    // Ids that we choose are computed again after a restart.
    this.known = new KnownContactIds(profile.contacts.ids === 'registry' ? stored : undefined, scope);
    this.unused = new UnusedContacts(clock, stored, scope);
  }

  /**
   * Runs `work` with the registrant's contact, undefined if the registry has none. Deletes one that is new, or left from a call
   * with an unknown outcome or of a process that died, if `work` is rejected.
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
      if (this.unused.isAdded(digest))
        await this.unused
          .remove(digest)
          .catch((err: unknown) => this.log.warn({ err }, 'a used contact could not be recorded as used'));
      return result;
    } catch (error) {
      if (error instanceof RegistryRejected && contact && (await this.unused.find(digest)))
        await this.discard(digest, contact.id, name.parent, ids);
      throw error;
    }
  }

  /** Deletes the contacts that calls of dead processes, or with unknown outcomes, left at the registry. Harmless to repeat. */
  async deleteLeft(): Promise<void> {
    for (const { digest, id, tld, transactionId } of await this.unused.olderThan(LEFT_AFTER_MS)) {
      const known = id ?? (await this.known.find(digest));
      if (known === undefined) this.warnOfLost(transactionId);
      if (known === undefined || isInUse(await this.show(known, tld))) await this.unused.remove(digest);
      else await this.client.runCall(`${transactionId}-left`, (ids) => this.discard(digest, known, tld, ids));
    }
  }

  private warnOfLost(transactionId: string): void {
    this.log.warn(
      { transactionId },
      'the registry may have a contact that no domain uses: the response to its create was lost. Ask the registry for the id by the transaction id, and delete it',
    );
  }

  /** Creates the contact if needed. */
  private async ensure(
    registrant: Registrant,
    name: DomainName,
    ids: CommandIds,
  ): Promise<RegistrantContact | undefined> {
    const { clientId, profile } = this.settings;
    if (profile.contacts.use === 'none' || !offersNamespace(await this.client.services(), NAMESPACES.contact))
      return undefined;
    const digest = contactIdOf(registrant, clientId);
    const ensuring =
      this.ensuring.get(digest) ??
      this.findOrCreate(digest, registrant, name, ids).finally(() => this.ensuring.delete(digest));
    this.ensuring.set(digest, ensuring);
    return ensuring;
  }

  private async findOrCreate(
    digest: string,
    registrant: Registrant,
    { parent: tld }: DomainName,
    ids: CommandIds,
  ): Promise<RegistrantContact> {
    const known = await this.known.find(digest);
    if (known !== undefined) return { id: known };
    const { contacts } = this.settings.profile;
    const left = await this.unused.find(digest);
    if (left && left.id === undefined) this.warnOfLost(left.transactionId);
    const requested = contacts.ids === 'ours' ? digest : contacts.placeholderId;
    const command = createContact(requested, registrant, generateAuthCode(), contacts.disclose, contacts.postalInfo);
    const commandId = ids.additional();
    const intent = { digest, tld, transactionId: commandId.text };
    await this.unused.add(contacts.ids === 'ours' ? { ...intent, id: digest } : intent);
    const response = await this.client.send(forTld(command, tld), commandId).catch(async (error: unknown) => {
      if (error instanceof RegistryNotContacted && !left) await this.unused.remove(digest);
      throw error;
    });
    const exists = contacts.ids === 'ours' && response.code === RESULT.exists;
    // One that exists is left from an earlier call, or it is used.
    if (!isSuccess(response) && left?.id === undefined) await this.unused.remove(digest);
    if (!isSuccess(response) && !exists) throw rejectionOf(response);
    const id = contacts.ids === 'ours' ? digest : createdContactId(response);
    if (id === undefined) throw new RegistryUnavailable('The registry did not report the id of a new contact');
    await this.known.save(digest, id);
    if (contacts.ids === 'registry') await this.unused.add({ ...intent, id });
    return { id };
  }

  /** The registrant with this contact id, undefined if the registry does not show it to us. */
  async find(id: string, { parent: tld }: DomainName): Promise<Registrant | undefined> {
    const response = await this.show(id, tld);
    const registrant = isSuccess(response) ? registrantOf(response) : undefined;
    const read = registrant && { ...registrant, ...this.readProfile(response) };
    return read?.organization === undefined ? read && ofPerson(read) : read;
  }

  private readProfile(response: EppResponse): Partial<Registrant> {
    const { readContact, options } = this.settings.profile;
    return readContact?.(response, options) ?? {};
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
    if (known !== undefined && this.settings.profile.contacts.ids === 'registry') {
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
  private async discard(digest: string, id: string, tld: string, ids: CommandIds): Promise<void> {
    await this.known.forget(digest);
    const command = forTld(deleteContact(id), tld);
    const response = await this.client.send(command, ids.additional()).catch((error: unknown) => {
      if (error instanceof RegistryUnavailable) return undefined;
      throw error;
    });
    const isGone = response && (isSuccess(response) || response.code === RESULT.missing);
    if (!isGone) await this.known.save(digest, id);
    if (response) await this.unused.remove(digest);
  }

  /** A domain's contacts in addition to its registrant. */
  referencesTo(id: string | undefined): readonly ContactReference[] {
    const { use, roles, handles } = this.settings.profile.contacts;
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

/** Registries may report these fields for a person; they are refused in orders. */
function ofPerson({ companyNumber: _number, legalForm: _form, ...registrant }: Registrant): Registrant {
  return registrant;
}

/** RFC 5733 section 2.2: `linked` while an object refers to the contact. */
function isInUse(response: EppResponse): boolean {
  return isSuccess(response) && contactStatusesOf(response).includes('linked');
}

function without(
  contacts: readonly ContactReference[],
  others: readonly ContactReference[],
): readonly ContactReference[] {
  return contacts.filter(({ type, id }) => !others.some((other) => other.type === type && other.id === id));
}
