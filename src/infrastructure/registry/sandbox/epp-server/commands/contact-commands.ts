import { NAMESPACES } from '../../../epp/codec/namespaces';
import { childOf, elementFactory } from '../../../epp/codec/xml-element';
import type { CommandContext } from './command-context';
import { contactData, contactIdOf, emailOf, phoneOf, postalInfosOf } from '../xml/contact-xml';
import { EppError } from '../epp-error';
import type { ResponseData } from '../xml/epp-response';
import { required, requiredAll } from '../xml/epp-request';
import type { RegistryBackend } from '../registry-backend';
import type { Contact } from '../backend-store';
import { assertNotProhibited, assertUpdatable, changedStatuses, clientStatuses } from '../xml/status-xml';

const CONTACT = NAMESPACES.contact;
const contact = elementFactory(CONTACT);

const SETTABLE = ['clientDeleteProhibited', 'clientTransferProhibited', 'clientUpdateProhibited'];
const MAX_CHECKED = 100;

/** RFC 5733 without transfers of contacts. */
export class ContactCommands {
  constructor(private readonly backend: RegistryBackend) {}

  async check({ request }: CommandContext): Promise<ResponseData> {
    const ids = requiredAll(request.body, CONTACT, 'id', MAX_CHECKED).map(contactIdOf);
    const taken = new Set((await this.backend.store.contacts(ids)).map(({ id }) => id));
    const data = ids.map((id) =>
      contact('cd', [
        contact('id', id, { avail: taken.has(id) ? '0' : '1' }),
        taken.has(id) ? contact('reason', 'In use') : undefined,
      ]),
    );
    return { resData: contact('chkData', data) };
  }

  /** For the sponsor only: personal data. */
  async info({ request, registrar }: CommandContext): Promise<ResponseData> {
    const found = await this.sponsored(required(request.body, CONTACT, 'id'), registrar);
    const extension = this.backend.personality.contacts.extension?.(found.details ?? {});
    return {
      resData: contactData(found, await this.backend.store.contactIsLinked(found.id)),
      extensions: [extension],
    };
  }

  async create({ request, received, registrar, now }: CommandContext): Promise<ResponseData> {
    const { body } = request;
    const { assignedId, detailsOf } = this.backend.personality.contacts;
    const named = contactIdOf(required(body, CONTACT, 'id'));
    const details = detailsOf?.(received);
    const postalInfos = postalInfosOf(body);
    if (postalInfos.length === 0) throw new EppError(2003, 'postalInfo is missing');
    if (!childOf(body, CONTACT, 'authInfo')) throw new EppError(2003, 'authInfo is missing');
    const created: Contact = {
      id: named,
      postalInfos,
      voice: phoneOf(body, 'voice'),
      fax: phoneOf(body, 'fax'),
      email: emailOf(body),
      sponsor: registrar,
      creator: registrar,
      createdAt: now.getTime(),
      updatedBy: null,
      updatedAt: null,
      statuses: [],
      ...(details && { details }),
    };
    const id = assignedId ? await this.addAssigned(created, assignedId) : named;
    if (!assignedId && !(await this.backend.store.addContact(created))) throw new EppError(2302, `${id} is in use`);
    return { resData: contact('creData', [contact('id', id), contact('crDate', now.toISOString())]) };
  }

  async update({ request: { body }, registrar, now }: CommandContext): Promise<ResponseData> {
    const found = await this.sponsored(required(body, CONTACT, 'id'), registrar);
    const [added, removed] = [clientStatuses(body, 'add', SETTABLE), clientStatuses(body, 'rem', SETTABLE)];
    assertUpdatable(found.statuses, removed);
    const changes = childOf(body, CONTACT, 'chg');
    const postalInfos = changes ? postalInfosOf(changes) : [];
    await this.backend.store.saveContact({
      ...found,
      postalInfos: [
        ...found.postalInfos.filter(({ type }) => !postalInfos.some((changed) => changed.type === type)),
        ...postalInfos,
      ],
      voice: childOf(changes, CONTACT, 'voice') ? phoneOf(changes, 'voice') : found.voice,
      fax: childOf(changes, CONTACT, 'fax') ? phoneOf(changes, 'fax') : found.fax,
      email: changes && childOf(changes, CONTACT, 'email') ? emailOf(changes) : found.email,
      statuses: changedStatuses(found.statuses, added, removed),
      updatedBy: registrar,
      updatedAt: now.getTime(),
    });
    return {};
  }

  async delete({ request, registrar }: CommandContext): Promise<ResponseData> {
    const { id, statuses } = await this.sponsored(required(request.body, CONTACT, 'id'), registrar);
    assertNotProhibited(statuses, 'clientDeleteProhibited');
    if (await this.backend.store.contactIsLinked(id)) throw new EppError(2305, `A domain refers to ${id}`);
    await this.backend.store.removeContact(id);
    return {};
  }

  /** Returns the id. Transform commands run one at a time. */
  private async addAssigned(created: Contact, assignedId: (serial: number) => string): Promise<string> {
    for (let serial = (await this.backend.store.contactCount()) + 1; ; serial += 1) {
      const id = assignedId(serial);
      if (await this.backend.store.addContact({ ...created, id })) return id;
    }
  }

  private async sponsored(id: string, registrar: string): Promise<Contact> {
    const [found] = await this.backend.store.contacts([id]);
    if (!found) throw new EppError(2303, 'The contact does not exist', contact('id', id.slice(0, 16)));
    if (found.sponsor !== registrar) throw new EppError(2201);
    return found;
  }
}
