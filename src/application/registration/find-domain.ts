import { inject, injectable } from 'inversify';
import type { Domain } from '../../domain/registration/domain';
import { DomainName } from '../../domain/registration/domain-name';
import { DomainNotFound } from '../../domain/registration/errors';
import { ValidationError } from '../../domain/shared/validation-error';
import { DomainReader } from '../ports/registration/domain-repository';

/** Finds a domain of the account by id or name. @throws DomainNotFound, also for an invalid name */
@injectable()
export class FindDomain {
  constructor(@inject(DomainReader) private readonly domains: DomainReader) {}

  async byId({ accountId, domainId }: { accountId: string; domainId: string }): Promise<Domain> {
    const domain = await this.domains.find(accountId, domainId);
    if (!domain) throw new DomainNotFound();
    return domain;
  }

  async byName({ accountId, name }: { accountId: string; name: string }): Promise<Domain> {
    const domain = await this.domains.findByName(accountId, parseName(name));
    if (!domain) throw new DomainNotFound();
    return domain;
  }
}

function parseName(text: string): DomainName {
  try {
    return DomainName.parse(text);
  } catch (error) {
    if (error instanceof ValidationError) throw new DomainNotFound();
    throw error;
  }
}
