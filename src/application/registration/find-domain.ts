import { inject, injectable } from '../ports/inject';
import type { Reader } from '../../domain/access/actor';
import type { KeyAction } from '../../domain/access/key-limits';
import type { Domain } from '../../domain/registration/domain';
import { parseZoneName } from '../../domain/dns/zone-names/zone-name';
import { DomainName } from '../../domain/shared/domain-name';
import { DomainNotFound } from '../../domain/shared/domain-errors';
import { ValidationError } from '../../domain/shared/validation-error';
import { requireDomain, requireOwned } from '../access/require-domain';
import { DomainReader } from '../ports/registration/domain-repository';

/** Finds a domain of the account by id or name. @throws DomainNotFound, also for an invalid name; LimitedKey */
@injectable()
export class FindDomain {
  constructor(@inject(DomainReader) private readonly domains: DomainReader) {}

  /** @param action what the domain is found for */
  async byId(
    { accountId, actor, domainId }: Reader & { domainId: string },
    action: KeyAction = 'read',
  ): Promise<Domain> {
    return requireDomain(await this.domains.find(accountId, domainId), { actor }, action);
  }

  /** Also a name without a registration. @param action what the name is found for */
  async ownedById(
    { accountId, actor, domainId }: Reader & { domainId: string },
    action: KeyAction = 'read',
  ): Promise<Domain> {
    return requireOwned(await this.domains.find(accountId, domainId), { actor }, action);
  }

  /** @param action what the domain is found for */
  async byName({ accountId, actor, name }: Reader & { name: string }, action: KeyAction = 'read'): Promise<Domain> {
    return requireDomain(await this.domains.findByName(accountId, parseName(name)), { actor }, action);
  }

  /** A name that has a zone here, registered or not. */
  async zoneById(query: Reader & { domainId: string }, action: KeyAction = 'read'): Promise<Domain> {
    return withZone(await this.ownedById(query, action));
  }

  /** As `zoneById`. */
  async zoneByName({ accountId, actor, name }: Reader & { name: string }, action: KeyAction = 'read'): Promise<Domain> {
    return withZone(requireOwned(await this.domains.findByName(accountId, parseName(name)), { actor }, action));
  }
}

function withZone(domain: Domain): Domain {
  if (domain.status === 'transferred_out') throw new DomainNotFound();
  return domain;
}

function parseName(text: string): DomainName {
  try {
    return DomainName.fromState(parseZoneName(text));
  } catch (error) {
    if (error instanceof ValidationError) throw new DomainNotFound();
    throw error;
  }
}
