import { inject, injectable } from '../../../application/ports/inject';
import { ListTlds } from '../../../application/registration/list-tlds';
import { QuoteDomains } from '../../../application/registration/quote-domains';
import { RegisterDomain } from '../../../application/registration/register-domain';
import { DeleteDomain } from '../../../application/registration/delete-domain';
import { RestoreDomain } from '../../../application/registration/restore-domain';
import { RenewDomain } from '../../../application/registration/renew-domain';
import { SearchDomains } from '../../../application/registration/search-domains';
import { ok, type ApiResult, type JsonResult } from '../../shared/result';
import type { ApiRequest, WriteRequest } from '../api-request';
import { QuoteBody, RegisterDomainBody, RenewBody, SearchBody } from '../dto/domain-bodies';
import { pageResult, tldsRequest } from '../dto/list-query';
import { parseTime } from '../dto/parse-time';
import { toRegistrant } from '../dto/registrant-body';
import { assertNoMembers, validated } from '../dto/validated';
import { majorUnits } from '../../../domain/shared/money';
import { quoteItem, searchFailure, searchResult } from '../presenters/offer-presenter';
import { offeredTld } from '../presenters/tld-presenter';
import { operationResult } from '../presenters/operation-result';

/** Search, quotes, and all that ends or extends a registration. */
@injectable()
export class RegistrationController {
  constructor(
    @inject(SearchDomains) private readonly searchDomains: SearchDomains,
    @inject(ListTlds) private readonly listTlds: ListTlds,
    @inject(QuoteDomains) private readonly quoteDomains: QuoteDomains,
    @inject(RegisterDomain) private readonly registerDomain: RegisterDomain,
    @inject(RestoreDomain) private readonly restoreDomain: RestoreDomain,
    @inject(DeleteDomain) private readonly deleteDomain: DeleteDomain,
    @inject(RenewDomain) private readonly renewDomain: RenewDomain,
  ) {}

  async search({ caller, body }: ApiRequest): Promise<ApiResult> {
    const { query, tlds } = validated(SearchBody, body);
    const { results, failures } = await this.searchDomains.execute({ ...caller, query, tlds });
    return ok({
      results: results.map(searchResult),
      ...(failures.length > 0 && { errors: failures.map(searchFailure) }),
    });
  }

  async tlds(request: ApiRequest): Promise<ApiResult> {
    const { limit, after } = tldsRequest(request);
    const { items, last } = await this.listTlds.execute(request.caller, limit, after);
    return pageResult({ request, filters: [], items, last, limit, cursorOf: (suffix) => suffix }, offeredTld);
  }

  async quote({ caller, body }: ApiRequest): Promise<ApiResult> {
    const { quotes, total } = await this.quoteDomains.execute(
      caller,
      validated(QuoteBody, body).domains.map(({ idn_language: idnLanguage, ...item }) => ({ ...item, idnLanguage })),
    );
    return ok({ quotes: quotes.map(quoteItem), total: { amount: majorUnits(total), currency: total.currency } });
  }

  async register({ caller, body }: WriteRequest): Promise<JsonResult> {
    const order = validated(RegisterDomainBody, body);
    const { name, years, contacts, nameservers, auto_renew: autoRenew, idn_language: idnLanguage } = order;
    const registrant = toRegistrant(contacts.registrant);
    const command = { ...caller, name, years, registrant, nameservers, autoRenew, idnLanguage };
    return operationResult(await this.registerDomain.execute(command));
  }

  async restore({ caller, params, body }: WriteRequest<'id'>): Promise<JsonResult> {
    assertNoMembers(body);
    return operationResult(await this.restoreDomain.execute({ ...caller, domainId: params.id }));
  }

  async remove({ caller, params }: WriteRequest<'id'>): Promise<JsonResult> {
    return operationResult(await this.deleteDomain.execute({ ...caller, domainId: params.id }));
  }

  async renew({ caller, params, body = {} }: WriteRequest<'id'>): Promise<JsonResult> {
    const { years, current_expiry: known } = validated(RenewBody, body);
    const currentExpiry = known === undefined ? undefined : parseTime('current_expiry', known);
    return operationResult(await this.renewDomain.execute({ ...caller, domainId: params.id, years, currentExpiry }));
  }
}
