import { inject, injectable } from 'inversify';
import { QuoteDomains } from '../../../application/registration/quote-domains';
import { RegisterDomain } from '../../../application/registration/register-domain';
import { DeleteDomain } from '../../../application/registration/delete-domain';
import { RestoreDomain } from '../../../application/registration/restore-domain';
import { RenewDomain } from '../../../application/registration/renew-domain';
import { SearchDomains } from '../../../application/registration/search-domains';
import { requesterOf, type ApiHandler } from '../caller';
import { QuoteBody, RegisterDomainBody, RenewBody, SearchBody } from '../dto/domain-bodies';
import { toRegistrant } from '../dto/registrant-body';
import { assertNoMembers, validated } from '../dto/validated';
import { amount } from '../presenters/money-presenter';
import { quoteItem, searchFailure, searchResult } from '../presenters/offer-presenter';
import { sendOutcome } from '../presenters/outcome-presenter';

/** What has a price: search, quote, register, renew. */
@injectable()
export class RegistrationController {
  constructor(
    @inject(SearchDomains) private readonly searchDomains: SearchDomains,
    @inject(QuoteDomains) private readonly quoteDomains: QuoteDomains,
    @inject(RegisterDomain) private readonly registerDomain: RegisterDomain,
    @inject(RestoreDomain) private readonly restoreDomain: RestoreDomain,
    @inject(DeleteDomain) private readonly deleteDomain: DeleteDomain,
    @inject(RenewDomain) private readonly renewDomain: RenewDomain,
  ) {}

  search: ApiHandler = async (req, res) => {
    const { query, tlds } = validated(SearchBody, req.body);
    const { results, failures } = await this.searchDomains.execute({
      accountId: res.locals.caller.accountId,
      query,
      tlds,
    });
    res.json({
      results: results.map(searchResult),
      ...(failures.length > 0 && { errors: failures.map(searchFailure) }),
    });
  };

  quote: ApiHandler = async (req, res) => {
    const { quotes, total } = await this.quoteDomains.execute(
      res.locals.caller.accountId,
      validated(QuoteBody, req.body).domains,
    );
    res.json({ quotes: quotes.map(quoteItem), total: { amount: amount(total), currency: total.currency } });
  };

  register: ApiHandler = async (req, res) => {
    const { name, years, contacts, nameservers, auto_renew: autoRenew } = validated(RegisterDomainBody, req.body);
    sendOutcome(
      res,
      await this.registerDomain.execute({
        ...requesterOf(res),
        name,
        years,
        registrant: toRegistrant(contacts.registrant),
        nameservers,
        autoRenew,
      }),
    );
  };

  restore: ApiHandler = async (req, res) => {
    assertNoMembers(req.body);
    sendOutcome(res, await this.restoreDomain.execute({ ...requesterOf(res), domainId: req.params['id'] ?? '' }));
  };

  remove: ApiHandler = async (req, res) => {
    sendOutcome(res, await this.deleteDomain.execute({ ...requesterOf(res), domainId: req.params['id'] ?? '' }));
  };

  renew: ApiHandler = async (req, res) => {
    const { years } = validated(RenewBody, req.body === undefined ? {} : req.body);
    sendOutcome(res, await this.renewDomain.execute({ ...requesterOf(res), domainId: req.params['id'] ?? '', years }));
  };
}
