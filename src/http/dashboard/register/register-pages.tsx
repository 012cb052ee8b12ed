import { inject, injectable } from '../../../application/ports/inject';
import { SavedContacts } from '../../../application/portfolio/saved-contacts';
import { QuoteDomains } from '../../../application/registration/quote-domains';
import { BindingQuotes } from '../../../application/operations/binding-quotes';
import { RegisterDomain } from '../../../application/registration/register-domain';
import { RegistrationSettings } from '../../../application/registration/registration-settings';
import { DomainName } from '../../../domain/shared/domain-name';
import { DomainUnavailable } from '../../../domain/registration/registration-errors';
import { idnLanguagesOf, TldPolicies } from '../../../domain/registration/names/tld-policy';
import { displayName } from '../layout/domain/domain-labels';
import { attempt, type IssueMapping, type FormIssues } from '../form-issues';
import { readField, readParameter } from '../form-fields';
import type { FormValues } from '../layout/forms/forms';
import { readAgreedPrice, readPriceLimit, isPrice, formatPrice } from '../layout/money';
import { OutageRetry } from '../outage-retry';
import { PageRenderer } from '../page-renderer';
import { contactValues, isFillingIn, readContact, type ContactChoice } from '../registrant/contact-choice';
import {
  getRequester,
  type DashboardPages,
  type DashboardRequest,
  type DashboardResponse,
  type DashboardRoute,
} from '../dashboard-route';
import { DetailsPage } from './details-page';
import { readOrder, readValues } from './registration-form';
import { ReviewPage } from './review-page';
import { redirect } from '../redirect';
import { RegistrationOrders } from '../../../application/registration/registration-orders';

const ISSUE_MAPPING: IssueMapping = { prefix: 'contacts.registrant.', codes: { INVALID_NAMESERVERS: 'nameservers' } };

/** Registration of a domain: details, review, order. The search comes before, the progress page after. */
@injectable()
export class RegisterPages implements DashboardPages {
  constructor(
    @inject(PageRenderer) private readonly renderer: PageRenderer,
    @inject(OutageRetry) private readonly outageRetry: OutageRetry,
    @inject(QuoteDomains) private readonly quoteDomains: QuoteDomains,
    @inject(RegistrationOrders) private readonly orders: RegistrationOrders,
    @inject(RegisterDomain) private readonly registerDomain: RegisterDomain,
    @inject(BindingQuotes) private readonly quotes: Pick<BindingQuotes, 'issue'>,
    @inject(SavedContacts) private readonly contacts: SavedContacts,
    @inject(RegistrationSettings) private readonly settings: RegistrationSettings,
    @inject(TldPolicies) private readonly policies: TldPolicies,
  ) {}

  get routes(): readonly DashboardRoute[] {
    return [
      ['get', '/register/details', 'register', this.showDetails.bind(this)],
      [
        'post',
        '/register/details',
        'register',
        this.editDetails.bind(this),
        { onError: this.outageRetry.onOutage(buildRetryForm) },
      ],
      [
        'post',
        '/register/review',
        'register',
        this.review.bind(this),
        { onError: this.outageRetry.onOutage(buildRetryForm) },
      ],
      [
        'post',
        '/register',
        'register',
        this.register.bind(this),
        { onError: this.outageRetry.onOutage(buildRegisterRetryForm) },
      ],
    ];
  }

  private async showDetails(req: DashboardRequest, res: DashboardResponse): Promise<void> {
    const choice = readContact(req, await this.contacts.of(res.locals.userSession.accountId));
    const values = {
      name: readParameter(req, 'name'),
      years: '',
      auto_renew: 'on',
      nameservers: '',
      ...contactValues(choice),
    };
    await this.renderDetails(req, res, values, undefined, choice);
  }

  /** From the review back to the details, or to fill in a contact. */
  private async editDetails(req: DashboardRequest, res: DashboardResponse): Promise<void> {
    if (!isFillingIn(req)) return this.renderDetails(req, res, readValues(req, FIELDS));
    const choice = readContact(req, await this.contacts.of(res.locals.userSession.accountId));
    await this.renderDetails(req, res, { ...readValues(req, FIELDS), ...contactValues(choice) }, undefined, choice);
  }

  private async review(req: DashboardRequest, res: DashboardResponse): Promise<void> {
    const outcome = await attempt(() => this.orders.review(getRequester(res), readOrder(req)), ISSUE_MAPPING);
    if ('issues' in outcome) return this.renderDetails(req, res, readValues(req, FIELDS), outcome.issues);
    const { name, price, term } = outcome.result;
    const quote = this.quotes.issue(getRequester(res).accountId, {
      name: name.value,
      prices: { register: { price, years: term.years } },
    });
    this.renderer.render(
      req,
      res,
      { title: `Register ${displayName(name.value)}`, section: 'add' },
      <ReviewPage order={outcome.result} quoteId={quote.id} values={readValues(req, FIELDS)} />,
    );
  }

  private async register(req: DashboardRequest, res: DashboardResponse): Promise<void> {
    const outcome = await attempt(
      () => this.registerDomain.execute({ ...getRequester(res), ...readOrder(req), limit: readPriceLimit(req) }),
      ISSUE_MAPPING,
    );
    if ('issues' in outcome && this.outageRetry.offerRetry(req, res, outcome.issues, buildRegisterRetryForm(req)))
      return;
    if ('issues' in outcome) return this.renderDetails(req, res, readValues(req, FIELDS), outcome.issues);
    redirect(res, `/register/progress/${outcome.result.operation.id}`);
  }

  private async renderDetails(
    req: DashboardRequest,
    res: DashboardResponse,
    values: FormValues,
    issues?: FormIssues,
    choice?: ContactChoice,
  ): Promise<void> {
    const name = values['name'] ?? '';
    const parsed = DomainName.parse(name);
    const quotes = await this.quoteDomains.everyTerm(getRequester(res), parsed);
    const terms = quotes.flatMap(({ years, price }) => (price ? [{ years, fee: price.total }] : []));
    const [price] = quotes.flatMap((quote) => quote.price ?? []);
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
        choice={choice}
        price={price}
        terms={terms}
        idnLanguages={idnLanguagesOf(parsed, this.policies.forName(parsed) ?? {})}
        nameservers={this.settings.defaultNameservers}
      />
    );
    this.renderer.render(req, res, { title: `Register ${displayName(parsed.value)}`, section: 'add', issues }, page);
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

const FIELDS = ['name', 'years', 'auto_renew', 'nameservers', 'idn_language'] as const;
