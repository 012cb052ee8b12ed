import type { DomainName } from '../../../../domain/shared/domain-name';
import type { Registrant } from '../../../../domain/registration/registrant';
import { updateDomain, type HostMode } from '../mapping/commands/domain-commands';
import type { DomainInfo } from '../mapping/domain-data';
import { isSuccess, rejectionOf, RESULT } from '../mapping/result-codes';
import type { EppClient } from '../session/epp-client';
import type { EppContacts, RegistrantContact } from './epp-contacts';
import type { EppDomains } from './epp-domains';

/** The registrants of domain objects (RFC 5731). */
export class EppRegistrants {
  constructor(
    private readonly client: EppClient,
    private readonly domains: EppDomains,
    private readonly contacts: EppContacts,
    private readonly hostMode: HostMode,
  ) {}

  async find(name: DomainName): Promise<Registrant | undefined> {
    const id = (await this.domains.findSponsored(name))?.registrant;
    return id === undefined ? undefined : this.contacts.find(id, name);
  }

  /** Creates the contact again if the registry has deleted it. Sends no update for a domain that has it already. */
  async replace(name: DomainName, registrant: Registrant, transactionId: string): Promise<void> {
    return this.client.runCall(transactionId, async (ids) => {
      const present = await this.domains.requireSponsored(name);
      await this.contacts.use(registrant, name, ids, async (contact, recreate) => {
        const update = (current: DomainInfo, { id }: RegistrantContact) =>
          this.client.send(
            updateDomain(name.value, { registrant: id, ...this.contacts.changesTo(current, id) }, this.hostMode),
            ids.main(),
          );

        if (!contact) return;
        const { add, remove } = this.contacts.changesTo(present, contact.id);
        const isUnchanged =
          present.registrant === contact.id && [add, remove].every(({ contacts = [] }) => contacts.length === 0);
        if (isUnchanged) return;
        let response = await update(present, contact);
        if (response.code === RESULT.missing) {
          const again = (await recreate()) ?? contact;
          response = await update(await this.domains.requireSponsored(name), again);
        }
        if (!isSuccess(response)) throw rejectionOf(response);
      });
    });
  }
}
