import { inject, injectable } from '../ports/inject';
import type { Registrant } from '../../domain/registration/registrant';
import { DomainQueries } from '../ports/registration/domain-repository';

/** A registrant of the account's domains, by the newest domain that has it. */
export interface SavedContact {
  readonly domainId: string;
  readonly registrant: Registrant;
}

const DOMAINS = 200;
const MOST = 20;

/** The registrants of an account's newest domains, each once, the newest first. */
@injectable()
export class SavedContacts {
  constructor(@inject(DomainQueries) private readonly domains: Pick<DomainQueries, 'newest'>) {}

  async of(accountId: string): Promise<readonly SavedContact[]> {
    const contacts = new Map<string, SavedContact>();
    for (const { id, registrant } of await this.domains.newest(accountId, DOMAINS)) {
      const key = JSON.stringify(registrant);
      if (registrant && !contacts.has(key)) contacts.set(key, { domainId: id, registrant });
    }
    return [...contacts.values()].slice(0, MOST);
  }
}
