import { inject, injectable } from 'inversify';
import { LifecyclePlan } from '../../../application/lifecycle/lifecycle-plan';
import type { DomainFilter } from '../../../application/ports/registration/domain-repository';
import { FindDomain } from '../../../application/registration/find-domain';
import { ListDomains } from '../../../application/registration/list-domains';
import type { Domain } from '../../../domain/registration/domain';
import { VISIBLE_STATUSES } from '../../../domain/registration/domain-status';
import { foldNamePart } from '../../../domain/shared/idna';
import { ValidationError } from '../../../domain/shared/validation-error';
import type { ApiHandler, ApiRequest } from '../caller';
import { nextLink, pageRequest, parameter } from '../dto/list-query';
import { fullDomain, listedDomain } from '../presenters/domain-presenter';
import { sendJson } from '../send-json';
import { streamArray } from '../stream-array';

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

  list: ApiHandler = async (req, res) => {
    const { accountId } = res.locals.caller;
    const filter = domainFilter(req);
    const page = pageRequest(req);
    if (!page) return streamArray(res, this.domains.all(accountId, filter), listedDomain);
    const found = await this.domains.page(accountId, filter, page.limit + 1, page.after);
    const shown = found.slice(0, page.limit);
    const last = shown.at(-1);
    if (last && found.length > page.limit) res.setHeader('Link', nextLink(req, ['status', 'name'], page.limit, last));
    sendJson(res, shown.map(listedDomain));
  };

  read: ApiHandler = async (req, res) => {
    const domain = await this.findDomain.byId({
      accountId: res.locals.caller.accountId,
      domainId: req.params['id'] ?? '',
    });
    sendJson(res, this.full(domain));
  };

  readByName: ApiHandler = async (req, res) => {
    const domain = await this.findDomain.byName({
      accountId: res.locals.caller.accountId,
      name: req.params['name'] ?? '',
    });
    sendJson(res, this.full(domain));
  };
}

function domainFilter(req: ApiRequest): DomainFilter {
  const wanted = parameter(req, 'status');
  const status = VISIBLE_STATUSES.find((candidate) => candidate === wanted);
  if (wanted !== undefined && status === undefined)
    throw ValidationError.of('status', `must be one of ${VISIBLE_STATUSES.join(', ')}`);
  const part = parameter(req, 'name');
  return { status, nameContains: part === undefined ? undefined : foldNamePart(part) };
}
