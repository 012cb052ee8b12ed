import { inject, injectable } from '../../../application/ports/inject';
import { FindDomain } from '../../../application/registration/find-domain';
import { BindingQuotes } from '../../../application/operations/binding-quotes';
import { RenewDomain } from '../../../application/registration/renew-domain';
import { formatDate } from '../../../domain/shared/time/date-text';
import { displayName } from '../layout/domain/domain-labels';
import { attempt, type FormIssues } from '../form-issues';
import { readField, readParameter } from '../form-fields';
import { readAgreedPrice, readPriceLimit, isPrice, formatPrice } from '../layout/money';
import { setFlash } from '../flash';
import { OutageRetry } from '../outage-retry';
import { PageRenderer } from '../page-renderer';
import { readNumber } from '../register/registration-form';
import {
  getRequester,
  type DashboardPages,
  type DashboardRequest,
  type DashboardResponse,
  type DashboardRoute,
} from '../dashboard-route';
import { RenewPage } from './renew-page';
import { redirect } from '../redirect';

/** Returns the epoch, which no domain expires at, for text that is not a date. */
function parseDate(text: string): Date {
  const millis = Date.parse(text);
  return new Date(Number.isNaN(millis) ? 0 : millis);
}

/** Renewal with a review of price and new expiry. A form that is sent twice renews once. */
@injectable()
export class RenewalPages implements DashboardPages {
  constructor(
    @inject(PageRenderer) private readonly renderer: PageRenderer,
    @inject(OutageRetry) private readonly outageRetry: OutageRetry,
    @inject(FindDomain) private readonly findDomain: FindDomain,
    @inject(RenewDomain) private readonly renewDomain: RenewDomain,
    @inject(BindingQuotes) private readonly quotes: Pick<BindingQuotes, 'issue'>,
  ) {}

  get routes(): readonly DashboardRoute[] {
    return [
      ['get', '/domains/:id/renew', 'renew', this.show.bind(this)],
      ['post', '/domains/:id/renew', 'renew', this.renew.bind(this)],
    ];
  }

  private show(req: DashboardRequest, res: DashboardResponse): Promise<void> {
    const years = readParameter(req, 'years');
    return this.review(req, res, years === '' ? undefined : readNumber(years));
  }

  private async renew(req: DashboardRequest, res: DashboardResponse): Promise<void> {
    const years = readNumber(readField(req, 'years'));
    const agreedPrice = readAgreedPrice(req);
    const currentExpiry = parseDate(readField(req, 'expires_at'));
    const domainId = req.params['id'] ?? '';
    const outcome = await attempt(() =>
      this.renewDomain.execute({ ...getRequester(res), domainId, years, limit: readPriceLimit(req), currentExpiry }),
    );
    const again = {
      title: 'Renew the domain',
      submit: isPrice(agreedPrice) ? `Try again: renew for ${formatPrice(agreedPrice)}` : 'Try again',
    };
    if ('issues' in outcome && this.outageRetry.offerRetry(req, res, outcome.issues, again)) return;
    if ('issues' in outcome) return this.review(req, res, years, outcome.issues);
    setFlash(req, {
      kind: 'success',
      text: `The domain was renewed until ${formatDate(outcome.result.domain.expiresAt)}.`,
    });
    redirect(res, `/domains/${domainId}`);
  }

  /** Without `years`, the shortest term is selected. */
  private async review(
    req: DashboardRequest,
    res: DashboardResponse,
    years: number | undefined,
    refusal?: FormIssues,
  ): Promise<void> {
    const query = { ...getRequester(res), domainId: req.params['id'] ?? '' };
    const domain = (await this.findDomain.byId(query)).toState();
    const offered = await attempt(() => this.renewDomain.choices(query));
    const choices = 'result' in offered ? offered.result : [];
    const chosen = choices.find((choice) => choice.years === (years ?? choices[0]?.years));
    const outcome = chosen ? { result: chosen } : await attempt(() => this.renewDomain.review({ ...query, years }));
    const issues = refusal ?? ('issues' in outcome ? outcome.issues : undefined);
    const order = 'result' in outcome ? outcome.result : undefined;
    const head = { title: `Renew ${displayName(domain.name)}`, section: 'domains', issues } as const;
    const quote =
      order &&
      this.quotes.issue(query.accountId, {
        name: domain.name,
        prices: { renew: { price: order.price, years: order.years } },
      });
    const page = <RenewPage domain={domain} choices={choices} order={order} quoteId={quote?.id} issues={issues} />;
    this.renderer.render(req, res, head, page);
  }
}
