import { inject, injectable } from 'inversify';
import { DomainQueries } from '../../../application/ports/registration/domain-queries';
import { CheckOperation } from '../../../application/registration/check-operation';
import { FindOperation } from '../../../application/registration/find-operation';
import { QuoteDomains } from '../../../application/registration/quote-domains';
import { RegisterDomain } from '../../../application/registration/register-domain';
import { RegistrationSettings } from '../../../application/registration/registration-settings';
import { DomainReader } from '../../../application/ports/registration/domain-repository';
import { DomainName } from '../../../domain/registration/domain-name';
import { DomainUnavailable } from '../../../domain/registration/errors';
import { RegistrationTerm } from '../../../domain/registration/registration-term';
import { TldPolicies } from '../../../domain/registration/tld-policy';
import { displayName } from '../domains/domain-words';
import { attempt, type IssuePlaces, type FormIssues } from '../form-issues';
import { field, parameter } from '../form-fields';
import type { FormValues } from '../layout/forms';
import { agreedPrice, isPrice, price as inWords } from '../layout/money';
import { setFlash } from '../notice';
import { Outages } from '../outages';
import { Pages } from '../pages';
import { readRegistrant, registrantValues } from '../registrant/registrant-fields';
import {
  requesterOf,
  WIDE,
  type DashboardPages,
  type DashboardRequest,
  type DashboardResponse,
  type DashboardRoute,
} from '../visitor';
import { DetailsPage } from './details-page';
import { ProgressPage } from './progress-page';
import { readOrder } from './registration-form';
import { ReviewPage } from './review-page';
import { OfferSearch } from './offer-search';
import { SearchPage } from './search-page';
import { seeOther } from '../see-other';

const PLACES: IssuePlaces = { prefix: 'contacts.registrant.', codes: { INVALID_NAMESERVERS: 'nameservers' } };

/** From a word to a registered domain: search, details, review, progress. */
@injectable()
export class RegisterPages implements DashboardPages {
  constructor(
    @inject(Pages) private readonly pages: Pages,
    @inject(Outages) private readonly outages: Outages,
    @inject(OfferSearch) private readonly offers: OfferSearch,
    @inject(QuoteDomains) private readonly quoteDomains: QuoteDomains,
    @inject(RegisterDomain) private readonly registerDomain: RegisterDomain,
    @inject(FindOperation) private readonly findOperation: FindOperation,
    @inject(CheckOperation) private readonly checkOperation: CheckOperation,
    @inject(DomainReader) private readonly domains: DomainReader,
    @inject(DomainQueries) private readonly survey: DomainQueries,
    @inject(TldPolicies) private readonly policies: TldPolicies,
    @inject(RegistrationSettings) private readonly settings: RegistrationSettings,
  ) {}

  get routes(): readonly DashboardRoute[] {
    return [
      ['get', '/register', 'member', this.search.bind(this), { cost: WIDE }],
      ['get', '/register/details', 'member', this.begin.bind(this)],
      ['post', '/register/details', 'member', this.outages.keeping(this.change.bind(this), tryAgain)],
      ['post', '/register/review', 'member', this.outages.keeping(this.review.bind(this), tryAgain)],
      ['post', '/register', 'member', this.outages.keeping(this.register.bind(this), registerAgain)],
      ['get', '/register/progress/:operationId', 'member', this.progress.bind(this)],
      ['post', '/register/progress/:operationId', 'member', this.check.bind(this)],
    ];
  }

  private async search(req: DashboardRequest, res: DashboardResponse): Promise<void> {
    const query = parameter(req, 'q').trim();
    const head = { title: 'Find a domain', section: 'register' } as const;
    if (query === '') return this.pages.send(req, res, head, <SearchPage query="" />);
    const found = await attempt(async () => this.offers.find(res.locals.visitor.accountId, query));
    if ('issues' in found)
      return this.pages.send(
        req,
        res,
        { ...head, issues: found.issues },
        <SearchPage query={query} issues={found.issues} />,
      );
    await this.pages.sendList(req, res, head, (rows) => <SearchPage query={query}>{rows}</SearchPage>, found.result);
  }

  private async begin(req: DashboardRequest, res: DashboardResponse): Promise<void> {
    const last = await this.survey.newest(res.locals.visitor.accountId);
    const values = {
      name: parameter(req, 'name'),
      years: '',
      auto_renew: 'on',
      nameservers: '',
      ...(last && registrantValues(last.registrant)),
    };
    await this.details(req, res, values, undefined, last !== undefined);
  }

  /** Back from the review. */
  private change(req: DashboardRequest, res: DashboardResponse): Promise<void> {
    return this.details(req, res, formValues(req));
  }

  private async review(req: DashboardRequest, res: DashboardResponse): Promise<void> {
    const outcome = await attempt(
      () => this.registerDomain.review({ ...readOrder(req), accountId: res.locals.visitor.accountId }),
      PLACES,
    );
    if ('issues' in outcome) return this.details(req, res, formValues(req), outcome.issues);
    this.pages.send(
      req,
      res,
      { title: `Register ${displayName(outcome.result.name.value)}`, section: 'register' },
      <ReviewPage order={outcome.result} values={formValues(req)} />,
    );
  }

  private async register(req: DashboardRequest, res: DashboardResponse): Promise<void> {
    const outcome = await attempt(
      () => this.registerDomain.execute({ ...requesterOf(res), ...readOrder(req), agreedPrice: agreedPrice(req) }),
      PLACES,
    );
    if ('issues' in outcome && this.outages.offersRepeat(req, res, outcome.issues, registerAgain(req))) return;
    if ('issues' in outcome) return this.details(req, res, formValues(req), outcome.issues);
    seeOther(res, `/register/progress/${outcome.result.operation.id}`);
  }

  private async progress(req: DashboardRequest, res: DashboardResponse): Promise<void> {
    const { accountId } = res.locals.visitor;
    const operation = (
      await this.findOperation.execute({ accountId, operationId: req.params['operationId'] ?? '' })
    ).toState();
    const domain = (await this.domains.findEvenGone(accountId, operation.domainId))?.toState();
    this.pages.send(
      req,
      res,
      { title: domain ? `Registering ${displayName(domain.name)}` : 'Registration', section: 'register' },
      <ProgressPage operation={operation} domain={domain} />,
    );
  }

  /** Asks the registry now, and says when it was asked too recently. */
  private async check(req: DashboardRequest, res: DashboardResponse): Promise<void> {
    const operationId = req.params['operationId'] ?? '';
    const outcome = await attempt(() =>
      this.checkOperation.execute({ accountId: res.locals.visitor.accountId, operationId }),
    );
    setFlash(
      req,
      'issues' in outcome
        ? {
            kind: 'warning',
            text:
              outcome.issues.status === 429
                ? 'The registry was asked a few seconds ago. Try again in a moment.'
                : `The registry could not be asked: ${outcome.issues.message ?? 'try again in a moment'}.`,
          }
        : { kind: 'done', text: 'The registry is being asked now.' },
    );
    seeOther(res, `/register/progress/${operationId}`);
  }

  private async details(
    req: DashboardRequest,
    res: DashboardResponse,
    values: FormValues,
    issues?: FormIssues,
    prefilled = false,
  ): Promise<void> {
    const name = values['name'] ?? '';
    const parsed = DomainName.parse(name);
    const sold = this.policies.forName(parsed)?.years;
    const { quotes } = await this.quoteDomains.execute(
      res.locals.visitor.accountId,
      sold ? RegistrationTerm.all(sold).map(({ years }) => ({ name, years })) : [{ name }],
    );
    const terms = quotes.flatMap(({ years, price }) => (price ? [{ years, fee: price.total }] : []));
    const [price] = quotes.flatMap((quote) => quote.price?.registration ?? []);
    if (!price || !terms[0])
      throw new DomainUnavailable(`${displayName(parsed.value)} was taken in the meantime, or is not sold`);
    const chosen = {
      ...values,
      name: parsed.value,
      years: values['years'] === '' ? String(terms[0].years) : values['years'],
    };
    const page = (
      <DetailsPage
        values={chosen}
        issues={issues}
        prefilled={prefilled}
        price={price}
        terms={terms}
        nameservers={this.settings.defaultNameservers}
      />
    );
    this.pages.send(req, res, { title: `Register ${displayName(parsed.value)}`, section: 'register', issues }, page);
  }
}

function tryAgain(req: DashboardRequest) {
  return { title: `Register ${displayName(field(req, 'name'))}`, submit: 'Try again' };
}

function registerAgain(req: DashboardRequest) {
  const agreed = agreedPrice(req);
  return { ...tryAgain(req), submit: isPrice(agreed) ? `Try again: register for ${inWords(agreed)}` : 'Try again' };
}

const FIELDS = ['name', 'years', 'auto_renew', 'nameservers'] as const;

function formValues(req: DashboardRequest): FormValues {
  const own = Object.fromEntries(FIELDS.map((name) => [name, field(req, name)]));
  return { ...own, ...registrantValues(readRegistrant(req)) };
}
