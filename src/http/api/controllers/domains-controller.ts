import { inject, injectable } from 'inversify';
import { LifecyclePlan } from '../../../application/lifecycle/lifecycle-plan';
import type { DomainFilter } from '../../../application/ports/registration/domain-repository';
import { FindDomain } from '../../../application/registration/find-domain';
import { ListDomains } from '../../../application/registration/list-domains';
import type { Domain } from '../../../domain/registration/domain';
import { VISIBLE_STATUSES } from '../../../domain/registration/domain-status';
import { foldNamePart } from '../../../domain/shared/idna';
import { ValidationError } from '../../../domain/shared/validation-error';
import { ok, okStream, type ApiResult } from '../../shared/result';
import type { ApiRequest } from '../api-request';
import { pageRequest, pageResult, positionCursor } from '../dto/list-query';
import { parameter } from '../dto/validated';
import { fullDomain, listedDomain } from '../presenters/domain-presenter';

@injectable()
export class DomainsController {
  constructor(
    @inject(ListDomains) private readonly domains: ListDomains,
    @inject(FindDomain) private readonly findDomain: FindDomain,
    @inject(LifecyclePlan) private readonly plan: LifecyclePlan,
  ) {}

  private full(domain: Domain): object {
    const state = domain.toState();
    return fullDomain(state, this.plan.dates(state));
  }

  async list(request: ApiRequest): Promise<ApiResult> {
    const filter = domainFilter(request);
    const page = pageRequest(request);
    if (!page) return okStream(this.domains.all(request.caller, filter), listedDomain);
    const { items, next } = await this.domains.page(request.caller, filter, page.limit, page.after);
    return pageResult(
      { request, filters: ['status', 'name'], items, last: next, limit: page.limit, cursorOf: positionCursor },
      listedDomain,
    );
  }

  async read({ caller, params }: ApiRequest<'id'>): Promise<ApiResult> {
    return ok(this.full(await this.findDomain.byId({ ...caller, domainId: params.id })));
  }

  async readByName({ caller, params }: ApiRequest<'name'>): Promise<ApiResult> {
    return ok(this.full(await this.findDomain.byName({ ...caller, name: params.name })));
  }
}

function domainFilter(request: ApiRequest): DomainFilter {
  const wanted = parameter(request, 'status');
  const status = VISIBLE_STATUSES.find((candidate) => candidate === wanted);
  if (wanted !== undefined && status === undefined)
    throw ValidationError.of('status', `must be one of ${VISIBLE_STATUSES.join(', ')}`);
  const part = parameter(request, 'name');
  return { status, nameContains: part === undefined ? undefined : foldNamePart(part) };
}
