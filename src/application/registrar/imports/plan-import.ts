import { inject, injectable } from '../../ports/inject';
import type { Actor } from '../../../domain/access/actor';
import { DomainName } from '../../../domain/shared/domain-name';
import { DomainReader } from '../../ports/registration/domain-repository';
import { RegistryPort } from '../../ports/registry/registry-port';
import { ListHeldNames } from './list-held-names';

/** What an import would do with a name. */
export interface PlannedImport {
  readonly name: string;
  readonly outcome: 'import' | 'present' | 'not held' | 'skipped';
  /** Null if our account does not hold the name. */
  readonly expiresAt: Date | null;
  /** Why it is skipped. */
  readonly reason?: string;
}

/** Tells what an import would do, name by name, and stores nothing. @throws the errors of `ListHeldNames` */
@injectable()
export class PlanImport {
  constructor(
    @inject(ListHeldNames) private readonly heldNames: ListHeldNames,
    @inject(DomainReader) private readonly domains: DomainReader,
    @inject(RegistryPort) private readonly registry: RegistryPort,
  ) {}

  /** @param names all that the registry lists if absent */
  async *execute(
    query: { readonly accountId: string; readonly actor: Actor; readonly registry: string },
    names?: readonly string[],
  ): AsyncGenerator<PlannedImport> {
    if (names) {
      for (const text of names) yield await this.planFor(DomainName.parse(text), query.accountId);
      return;
    }
    let cursor: string | undefined;
    do {
      const page = await this.heldNames.page({ ...query, cursor });
      for (const { name, expiresAt, domainId } of page.names)
        yield { name, outcome: domainId === undefined ? 'import' : 'present', expiresAt };
      for (const { name, reason } of page.skipped) yield { name, outcome: 'skipped', expiresAt: null, reason };
      cursor = page.next;
    } while (cursor !== undefined);
  }

  private async planFor(name: DomainName, accountId: string): Promise<PlannedImport> {
    const facts = await this.registry.info(name);
    const [known] = await this.domains.liveAmong([name.value]);
    const isOurs = facts?.sponsoredByUs === true && (known === undefined || known.accountId === accountId);
    if (!isOurs) return { name: name.value, outcome: 'not held', expiresAt: null };
    return { name: name.value, outcome: known ? 'present' : 'import', expiresAt: facts.expiresAt };
  }
}
