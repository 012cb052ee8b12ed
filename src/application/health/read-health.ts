import { inject, injectable } from '../ports/inject';
import type { Reader } from '../../domain/access/actor';
import { assertWholeZoneAllowed } from '../../domain/access/key-permissions';
import type { HealthReport } from '../../domain/health/health-report';
import type { Domain } from '../../domain/registration/domain';
import { HealthReader } from '../ports/health/health-repository';
import { FindDomain } from '../registration/find-domain';

export interface DomainHealth {
  readonly domain: Domain;
  /** Undefined if the domain was never checked. */
  readonly report: HealthReport | undefined;
}

/** Reads the last result of the checks of a domain, which shows its whole zone. @throws LimitedKey, DomainNotFound */
@injectable()
export class ReadHealth {
  constructor(
    @inject(FindDomain) private readonly findDomain: FindDomain,
    @inject(HealthReader) private readonly health: HealthReader,
  ) {}

  async execute(query: Reader & { readonly domainId: string }): Promise<DomainHealth> {
    assertWholeZoneAllowed(query.actor);
    const domain = await this.findDomain.ownedById(query);
    return { domain, report: await this.health.find(domain.id) };
  }
}
