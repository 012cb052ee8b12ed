import { quantityText } from '../../../domain/shared/text/quantity-text';
import { asPartOf, type AttemptedChange } from '../../../application/access/approvals/approval-needed';
import { inject, injectable } from '../../../application/ports/inject';
import { SavedContacts } from '../../../application/portfolio/saved-contacts';
import { QuoteDomains, type Quote } from '../../../application/registration/quote-domains';
import { RegisterDomain } from '../../../application/registration/register-domain';
import { RegistrationSettings } from '../../../application/registration/registration-settings';
import { assertRegistrant } from '../../../domain/registration/registrant';
import { ValidationError } from '../../../domain/shared/validation-error';
import {
  getRequester,
  WIDE,
  type DashboardPages,
  type DashboardRequest,
  type DashboardResponse,
  type DashboardRoute,
} from '../dashboard-route';
import { displayName } from '../layout/domain/domain-labels';
import { setFlash } from '../flash';
import { readField, readFields } from '../form-fields';
import { attempt, issuesText, OUTAGE, type FormIssues } from '../form-issues';
import type { FormValues } from '../layout/forms/forms';
import { PageRenderer } from '../page-renderer';
import { redirect } from '../redirect';
import { contactValues, isFillingIn, readContact, type ContactChoice } from '../registrant/contact-choice';
import { readRegistrant } from '../registrant/registrant-fields';
import { parseAgreed, type AgreedName } from '../reauthentication/agreed-names';
import { OrderDetailsPage, OrderReviewPage } from './order-page';
import { MAX_ORDERED, readHosts, readOrder, readValues } from './registration-form';

const MAX_MESSAGES = 5;
const ISSUE_MAPPING = { prefix: 'contacts.registrant.', codes: { INVALID_NAMESERVERS: 'nameservers' } } as const;

/** Several names in one order: details, review with the total, then a registration for each name. */
@injectable()
export class OrderPages implements DashboardPages {
  constructor(
    @inject(PageRenderer) private readonly renderer: PageRenderer,
    @inject(QuoteDomains) private readonly quoteDomains: QuoteDomains,
    @inject(RegisterDomain) private readonly registerDomain: RegisterDomain,
    @inject(SavedContacts) private readonly contacts: SavedContacts,
    @inject(RegistrationSettings) private readonly settings: RegistrationSettings,
  ) {}

  get routes(): readonly DashboardRoute[] {
    return [
      ['get', '/register/order', 'register', this.showDetails.bind(this)],
      ['post', '/register/order/edit', 'register', this.editDetails.bind(this)],
      ['post', '/register/order/review', 'register', this.review.bind(this), { cost: WIDE }],
      ['post', '/register/order', 'register', this.order.bind(this), { cost: WIDE }],
    ];
  }

  private async showDetails(req: DashboardRequest, res: DashboardResponse): Promise<void> {
    const choice = readContact(req, await this.contacts.of(res.locals.userSession.accountId));
    const { name } = req.query;
    const names = (Array.isArray(name) ? name : [name]).filter((each): each is string => typeof each === 'string');
    const lines = names.slice(0, MAX_ORDERED).join('\n');
    const values = { names: lines, auto_renew: 'on', nameservers: '', ...contactValues(choice) };
    this.renderDetails(req, res, values, undefined, choice);
  }

  /** From the review back to the details, or to fill in a contact. */
  private async editDetails(req: DashboardRequest, res: DashboardResponse): Promise<void> {
    if (!isFillingIn(req)) return this.renderDetails(req, res, readValues(req, FIELDS));
    const choice = readContact(req, await this.contacts.of(res.locals.userSession.accountId));
    this.renderDetails(req, res, { ...readValues(req, FIELDS), ...contactValues(choice) }, undefined, choice);
  }

  private async review(req: DashboardRequest, res: DashboardResponse): Promise<void> {
    const outcome = await attempt(() => this.quote(req, res), ISSUE_MAPPING);
    if ('issues' in outcome) return this.renderDetails(req, res, readValues(req, FIELDS), outcome.issues);
    const head = { title: 'Review the order', section: 'add' } as const;
    this.renderer.render(req, res, head, <OrderReviewPage {...outcome.result} values={readValues(req, FIELDS)} />);
  }

  /** The quotes of all names and their total. @throws ValidationError */
  private async quote(req: DashboardRequest, res: DashboardResponse) {
    assertRegistrant(readRegistrant(req), 'contacts.registrant');
    const names = [...new Set(readHosts(readField(req, 'names').toLowerCase()))];
    if (names.length < 1 || names.length > MAX_ORDERED)
      throw ValidationError.of('names', `must be 1 to ${MAX_ORDERED} names`);
    const { quotes, total } = await this.quoteDomains
      .execute(
        getRequester(res),
        names.map((name) => ({ name })),
      )
      .catch((error: unknown) => {
        throw error instanceof ValidationError ? ValidationError.of('names', describeInvalid(error, names)) : error;
      });
    const unavailable = quotes.filter(({ price }) => !price).map(({ name }) => displayName(name));
    if (unavailable.length > 0)
      throw ValidationError.of('names', `must be available, which these are not: ${unavailable.join(', ')}`);
    return { quotes: quotes.filter((quote): quote is Required<Quote> => quote.price !== undefined), total };
  }

  /** Shows the form again for the names that were not ordered if the registry is unavailable, asks more, or none was ordered. */
  private async order(req: DashboardRequest, res: DashboardResponse): Promise<void> {
    const agreed = readFields(req, 'agreed').slice(0, MAX_ORDERED).flatMap(parseAgreed);
    const ordered: string[] = [];
    const refused: { readonly name: string; readonly issues: FormIssues }[] = [];
    const settings = readOrder(req);
    const prices = agreed.map(({ price }) => price);
    for (const { name, years, price, quoteId } of agreed) {
      const order = { ...getRequester(res), ...settings, name, years, limit: { maxPrice: price, quoteId }, prices };
      const outcome = await attempt(
        () => asPartOf(wholeOrder(settings, agreed), () => this.registerDomain.execute(order)),
        ISSUE_MAPPING,
      );
      // A registrant or nameservers that the service refuses are wrong for every name.
      if ('issues' in outcome && outcome.issues.fields.size > 0 && ordered.length === 0)
        return this.renderDetails(req, res, readValues(req, FIELDS), outcome.issues);
      if ('issues' in outcome) refused.push({ name, issues: outcome.issues });
      else ordered.push(displayName(name));
    }
    const text = [
      `${ordered.length} of ${quantityText(agreed.length, 'domain')} ordered${ordered.length > 0 ? `: ${ordered.join(', ')}` : ''}.`,
      ...refused.slice(0, MAX_MESSAGES).map(({ name, issues }) => `${displayName(name)}: ${issuesText(issues)}`),
    ].join(' ');
    const retryable = refused.find(
      ({ issues }) => ordered.length === 0 || issues.status === OUTAGE || issues.price !== undefined,
    );
    if (retryable) {
      const names = refused.map(({ name }) => name).join('\n');
      const issues = { ...retryable.issues, message: text, fields: new Map() };
      return this.renderDetails(req, res, { ...readValues(req, FIELDS), names }, issues);
    }
    setFlash(req, { kind: ordered.length < agreed.length || ordered.length === 0 ? 'warning' : 'success', text });
    redirect(res, '/domains');
  }

  private renderDetails(
    req: DashboardRequest,
    res: DashboardResponse,
    values: FormValues,
    issues?: FormIssues,
    choice?: ContactChoice,
  ): void {
    const head = { title: 'Register several domains', section: 'add', issues } as const;
    const { defaultNameservers } = this.settings;
    const page = (
      <OrderDetailsPage
        values={values}
        issues={issues}
        choice={choice}
        nameservers={defaultNameservers}
        most={MAX_ORDERED}
      />
    );
    this.renderer.render(req, res, head, page);
  }
}

const FIELDS = ['names', 'auto_renew', 'nameservers'] as const;

/** If one name needs a second person, all do: the rules judge their total. */
function wholeOrder(
  { registrant, autoRenew = true, nameservers }: ReturnType<typeof readOrder>,
  agreed: readonly AgreedName[],
): AttemptedChange {
  return {
    kind: 'bulk_registration',
    action: { kind: 'registration', registrant, autoRenew, nameservers },
    orders: agreed.map(({ name, years, price }) => ({ name, years, maxPrice: price })),
  };
}

/** Names the first invalid name instead of its index. */
function describeInvalid({ issues: [first] }: ValidationError, names: readonly string[]): string {
  const index = /^domains\[(\d+)\]/.exec(first?.path ?? '')?.[1];
  return `must be domain names: ${names[Number(index)] ?? ''} ${first?.message ?? ''}`;
}
