import { inject, injectable } from 'inversify';
import { LifecyclePlan } from '../../../application/lifecycle/lifecycle-plan';
import { DOMAIN_FILTERS, DomainFilters } from '../../../application/portfolio/domain-filters';
import { FindDomain } from '../../../application/registration/find-domain';
import { ListDomains } from '../../../application/registration/list-domains';
import type { Reader } from '../../../domain/access/actor';
import { isForRecordsOnly } from '../../../domain/access/key-permissions';
import type { Domain } from '../../../domain/registration/domain';
import { ok, okStream, type ApiResult } from '../../shared/result';
import type { ApiRequest } from '../api-request';
import { domainFilter } from '../dto/domain-filter';
import { pageRequest, pageResult, positionCursor } from '../dto/list-query';
import { fullDomain, listedDomain } from '../presenters/domain-presenter';

@injectable()
export class DomainsController {
  constructor(
    @inject(ListDomains) private readonly domains: ListDomains,
    @inject(FindDomain) private readonly findDomain: FindDomain,
    @inject(DomainFilters) private readonly filters: DomainFilters,
    @inject(LifecyclePlan) private readonly plan: LifecyclePlan,
  ) {}

  private full({ actor }: Reader, domain: Domain): object {
    const state = domain.toState();
    const registrant = isForRecordsOnly(actor) ? null : state.registrant;
    return fullDomain({ ...state, registrant }, this.plan.dates(state));
  }

  async list(request: ApiRequest): Promise<ApiResult> {
    const filter = await domainFilter(this.filters, request);
    const page = pageRequest(request);
    if (!page) return okStream(this.domains.all(request.caller, filter), listedDomain);
    const { items, next } = await this.domains.page(request.caller, filter, page.limit, page.after);
    return pageResult(
      { request, filters: DOMAIN_FILTERS, items, last: next, limit: page.limit, cursorOf: positionCursor },
      listedDomain,
    );
  }

  async read({ caller, params }: ApiRequest<'id'>): Promise<ApiResult> {
    return ok(this.full(caller, await this.findDomain.byId({ ...caller, domainId: params.id })));
  }

  async readByName({ caller, params }: ApiRequest<'name'>): Promise<ApiResult> {
    return ok(this.full(caller, await this.findDomain.byName({ ...caller, name: params.name })));
  }
}
