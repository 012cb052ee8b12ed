import { inject, injectable } from 'inversify';
import type { Domain } from '../../domain/registration/domain';
import { DomainName } from '../../domain/registration/domain-name';
import { DomainNotFound } from '../../domain/registration/errors';
import { ValidationError } from '../../domain/shared/validation-error';
import { DomainReader } from '../ports/registration/domain-repository';

/** One domain of the account, by id or by name. @throws DomainNotFound, also for what is no domain name at all */
@injectable()
export class FindDomain {
  constructor(@inject(DomainReader) private readonly domains: DomainReader) {}

  async byId({ accountId, domainId }: { accountId: string; domainId: string }): Promise<Domain> {
    const domain = await this.domains.find(accountId, domainId);
    if (!domain) throw new DomainNotFound();
    return domain;
  }

  async byName({ accountId, name }: { accountId: string; name: string }): Promise<Domain> {
    const domain = await this.domains.findByName(accountId, knownName(name));
    if (!domain) throw new DomainNotFound();
    return domain;
  }
}

function knownName(text: string): DomainName {
  try {
    return DomainName.parse(text);
  } catch (error) {
    if (error instanceof ValidationError) throw new DomainNotFound();
    throw error;
  }
}
