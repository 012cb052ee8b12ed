import { inject, injectable } from '../../../application/ports/inject';
import { LifecyclePlan } from '../../../application/operations/lifecycle-plan';
import { DOMAIN_FILTERS, DomainFilters } from '../../../application/portfolio/domain-filters';
import { FindDomain } from '../../../application/registration/find-domain';
import { ListDomains } from '../../../application/registration/list-domains';
import type { Reader } from '../../../domain/access/actor';
import { isForRecordsOnly } from '../../../domain/access/key-permissions';
import type { DomainFilter } from '../../../application/ports/registration/domain-repository';
import type { Domain } from '../../../domain/registration/domain';
import { ok, okStream, type ApiResult, type JsonResult, type ResultHeaders } from '../../shared/result';
import type { ApiRequest } from '../api-request';
import { domainFilter } from '../dto/domain-filter';
import { pageRequest, pageResult, positionCursor } from '../dto/list-query';
import { sortedCursor, sortedRequest } from '../dto/sorted-query';
import { parameter, switchParameter } from '../dto/validated';
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
    const headers = await this.totalOf(request, filter);
    if (parameter(request, 'sort') !== undefined) return this.sorted(request, filter, headers);
    const page = pageRequest(request);
    if (!page) return okStream(this.domains.all(request.caller, filter), listedDomain, headers);
    const { items, next } = await this.domains.page(request.caller, filter, page.limit, page.after);
    return pageResult(
      { request, filters: DOMAIN_FILTERS, items, last: next, limit: page.limit, cursorOf: positionCursor },
      listedDomain,
      headers,
    );
  }

  /** Always by pages: a sorted list is read in its order, and cannot be streamed in the order of another index. */
  private async sorted(request: ApiRequest, filter: DomainFilter, headers: ResultHeaders): Promise<JsonResult> {
    const { order, limit, after } = sortedRequest(request);
    const { items, next } = await this.domains.sorted(request.caller, { ...filter, ...order }, limit, after);
    return pageResult(
      { request, filters: ['sort', ...DOMAIN_FILTERS], items, last: next, limit, cursorOf: sortedCursor },
      listedDomain,
      headers,
    );
  }

  private async totalOf(request: ApiRequest, filter: DomainFilter): Promise<ResultHeaders> {
    if (switchParameter(request, 'total') !== true) return {};
    return { 'Total-Count': String(await this.domains.total(request.caller, filter)) };
  }

  async read({ caller, params }: ApiRequest<'id'>): Promise<ApiResult> {
    return ok(this.full(caller, await this.findDomain.byId({ ...caller, domainId: params.id })));
  }

  async readByName({ caller, params }: ApiRequest<'name'>): Promise<ApiResult> {
    return ok(this.full(caller, await this.findDomain.byName({ ...caller, name: params.name })));
  }
}
