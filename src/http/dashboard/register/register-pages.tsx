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
import { displayName } from '../domains/domain-labels';
import { attempt, type IssueMapping, type FormIssues } from '../form-issues';
import { readField, readParameter } from '../form-fields';
import type { FormValues } from '../layout/forms';
import { readAgreedPrice, isPrice, formatPrice } from '../layout/money';
import { setFlash } from '../flash';
import { OutageRetry } from '../outage-retry';
import { PageRenderer } from '../page-renderer';
import { readRegistrant, toRegistrantValues } from '../registrant/registrant-fields';
import {
  getRequester,
  WIDE,
  type DashboardPages,
  type DashboardRequest,
  type DashboardResponse,
  type DashboardRoute,
} from '../dashboard-route';
import { DetailsPage } from './details-page';
import { ProgressPage } from './progress-page';
import { readOrder } from './registration-form';
import { ReviewPage } from './review-page';
import { OfferSearch } from './offer-search';
import { SearchPage } from './search-page';
import { redirect } from '../redirect';

const ISSUE_MAPPING: IssueMapping = { prefix: 'contacts.registrant.', codes: { INVALID_NAMESERVERS: 'nameservers' } };

/** Registration of a domain in four steps: search, details, review, progress. */
@injectable()
export class RegisterPages implements DashboardPages {
  constructor(
    @inject(PageRenderer) private readonly renderer: PageRenderer,
    @inject(OutageRetry) private readonly outageRetry: OutageRetry,
    @inject(OfferSearch) private readonly offers: OfferSearch,
    @inject(QuoteDomains) private readonly quoteDomains: QuoteDomains,
    @inject(RegisterDomain) private readonly registerDomain: RegisterDomain,
    @inject(FindOperation) private readonly findOperation: FindOperation,
    @inject(CheckOperation) private readonly checkOperation: CheckOperation,
    @inject(DomainReader) private readonly domains: DomainReader,
    @inject(DomainQueries) private readonly domainQueries: DomainQueries,
    @inject(TldPolicies) private readonly policies: TldPolicies,
    @inject(RegistrationSettings) private readonly settings: RegistrationSettings,
  ) {}

  get routes(): readonly DashboardRoute[] {
    return [
      ['get', '/register', 'member', this.search.bind(this), { cost: WIDE }],
      ['get', '/register/details', 'member', this.showDetails.bind(this)],
      [
        'post',
        '/register/details',
        'member',
        this.editDetails.bind(this),
        { onError: this.outageRetry.onOutage(buildRetryForm) },
      ],
      [
        'post',
        '/register/review',
        'member',
        this.review.bind(this),
        { onError: this.outageRetry.onOutage(buildRetryForm) },
      ],
      [
        'post',
        '/register',
        'member',
        this.register.bind(this),
        { onError: this.outageRetry.onOutage(buildRegisterRetryForm) },
      ],
      ['get', '/register/progress/:operationId', 'member', this.progress.bind(this)],
      ['post', '/register/progress/:operationId', 'member', this.checkNow.bind(this)],
    ];
  }

  private async search(req: DashboardRequest, res: DashboardResponse): Promise<void> {
    const query = readParameter(req, 'q').trim();
    const head = { title: 'Find a domain', section: 'register' } as const;
    if (query === '') return this.renderer.render(req, res, head, <SearchPage query="" />);
    const found = await attempt(async () => this.offers.search(res.locals.userSession.accountId, query));
    if ('issues' in found)
      return this.renderer.render(
        req,
        res,
        { ...head, issues: found.issues },
        <SearchPage query={query} issues={found.issues} />,
      );
    await this.renderer.renderList(
      req,
      res,
      head,
      (rows) => <SearchPage query={query}>{rows}</SearchPage>,
      found.result,
    );
  }

  private async showDetails(req: DashboardRequest, res: DashboardResponse): Promise<void> {
    const last = await this.domainQueries.newest(res.locals.userSession.accountId);
    const values = {
      name: readParameter(req, 'name'),
      years: '',
      auto_renew: 'on',
      nameservers: '',
      ...(last?.registrant && toRegistrantValues(last.registrant)),
    };
    await this.renderDetails(req, res, values, undefined, Boolean(last?.registrant));
  }

  /** From the review back to the details. */
  private editDetails(req: DashboardRequest, res: DashboardResponse): Promise<void> {
    return this.renderDetails(req, res, readFormValues(req));
  }

  private async review(req: DashboardRequest, res: DashboardResponse): Promise<void> {
    const outcome = await attempt(
      () => this.registerDomain.review({ ...readOrder(req), accountId: res.locals.userSession.accountId }),
      ISSUE_MAPPING,
    );
    if ('issues' in outcome) return this.renderDetails(req, res, readFormValues(req), outcome.issues);
    this.renderer.render(
      req,
      res,
      { title: `Register ${displayName(outcome.result.name.value)}`, section: 'register' },
      <ReviewPage order={outcome.result} values={readFormValues(req)} />,
    );
  }

  private async register(req: DashboardRequest, res: DashboardResponse): Promise<void> {
    const outcome = await attempt(
      () => this.registerDomain.execute({ ...getRequester(res), ...readOrder(req), agreedPrice: readAgreedPrice(req) }),
      ISSUE_MAPPING,
    );
    if ('issues' in outcome && this.outageRetry.offerRetry(req, res, outcome.issues, buildRegisterRetryForm(req)))
      return;
    if ('issues' in outcome) return this.renderDetails(req, res, readFormValues(req), outcome.issues);
    redirect(res, `/register/progress/${outcome.result.operation.id}`);
  }

  private async progress(req: DashboardRequest, res: DashboardResponse): Promise<void> {
    const { accountId } = res.locals.userSession;
    const operation = (
      await this.findOperation.execute({ accountId, operationId: req.params['operationId'] ?? '' })
    ).toState();
    const domain = (await this.domains.findEvenGone(accountId, operation.domainId))?.toState();
    this.renderer.render(
      req,
      res,
      { title: domain ? `Registering ${displayName(domain.name)}` : 'Registration', section: 'register' },
      <ProgressPage operation={operation} domain={domain} />,
    );
  }

  /** Checks an uncertain registration with the registry now. */
  private async checkNow(req: DashboardRequest, res: DashboardResponse): Promise<void> {
    const operationId = req.params['operationId'] ?? '';
    const outcome = await attempt(() =>
      this.checkOperation.execute({ accountId: res.locals.userSession.accountId, operationId }),
    );
    setFlash(
      req,
      'issues' in outcome
        ? {
            kind: 'warning',
            text:
              outcome.issues.status === 429
                ? 'The registry was not checked again, because the last check was a few seconds ago. Try again in a moment.'
                : `The registry could not be checked: ${outcome.issues.message ?? 'it is unavailable'}. Try again in a moment.`,
          }
        : { kind: 'success', text: 'The registration is being checked with the registry.' },
    );
    redirect(res, `/register/progress/${operationId}`);
  }

  private async renderDetails(
    req: DashboardRequest,
    res: DashboardResponse,
    values: FormValues,
    issues?: FormIssues,
    prefilled = false,
  ): Promise<void> {
    const name = values['name'] ?? '';
    const parsed = DomainName.parse(name);
    const soldTerms = this.policies.forName(parsed)?.years;
    const { quotes } = await this.quoteDomains.execute(
      res.locals.userSession.accountId,
      soldTerms ? RegistrationTerm.all(soldTerms).map(({ years }) => ({ name, years })) : [{ name }],
    );
    const terms = quotes.flatMap(({ years, price }) => (price ? [{ years, fee: price.total }] : []));
    const [price] = quotes.flatMap((quote) => quote.price?.registration ?? []);
    if (!price || !terms[0])
      throw new DomainUnavailable(`${displayName(parsed.value)} is no longer available or cannot be registered here`);
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
    this.renderer.render(
      req,
      res,
      { title: `Register ${displayName(parsed.value)}`, section: 'register', issues },
      page,
    );
  }
}

function buildRetryForm(req: DashboardRequest) {
  return { title: `Register ${displayName(readField(req, 'name'))}`, submit: 'Try again' };
}

function buildRegisterRetryForm(req: DashboardRequest) {
  const agreed = readAgreedPrice(req);
  return {
    ...buildRetryForm(req),
    submit: isPrice(agreed) ? `Try again: register for ${formatPrice(agreed)}` : 'Try again',
  };
}

const FIELDS = ['name', 'years', 'auto_renew', 'nameservers'] as const;

function readFormValues(req: DashboardRequest): FormValues {
  const own = Object.fromEntries(FIELDS.map((name) => [name, readField(req, name)]));
  return { ...own, ...toRegistrantValues(readRegistrant(req)) };
}
