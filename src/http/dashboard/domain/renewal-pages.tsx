import { inject, injectable } from 'inversify';
import { FindDomain } from '../../../application/registration/find-domain';
import { RenewDomain } from '../../../application/registration/renew-domain';
import { displayName } from '../domains/domain-words';
import { attempt, type FormIssues } from '../form-issues';
import { field, parameter } from '../form-fields';
import { longDate } from '../layout/dates';
import { agreedPrice, isPrice, price } from '../layout/money';
import { setFlash } from '../notice';
import { Outages } from '../outages';
import { Pages } from '../pages';
import { readNumber } from '../register/registration-form';
import {
  requesterOf,
  type DashboardPages,
  type DashboardRequest,
  type DashboardResponse,
  type DashboardRoute,
} from '../visitor';
import { RenewPage } from './renew-page';
import { seeOther } from '../see-other';

/** An instant that nothing expires at, for what is none. */
function readInstant(text: string): Date {
  const millis = Date.parse(text);
  return new Date(Number.isNaN(millis) ? 0 : millis);
}

/** Renewal with its price and the new expiry before it is confirmed; a form that is sent twice renews once. */
@injectable()
export class RenewalPages implements DashboardPages {
  constructor(
    @inject(Pages) private readonly pages: Pages,
    @inject(Outages) private readonly outages: Outages,
    @inject(FindDomain) private readonly findDomain: FindDomain,
    @inject(RenewDomain) private readonly renewDomain: RenewDomain,
  ) {}

  get routes(): readonly DashboardRoute[] {
    return [
      ['get', '/domains/:id/renew', 'member', this.show.bind(this)],
      ['post', '/domains/:id/renew', 'member', this.renew.bind(this)],
    ];
  }

  private show(req: DashboardRequest, res: DashboardResponse): Promise<void> {
    const years = parameter(req, 'years');
    return this.review(req, res, years === '' ? undefined : readNumber(years));
  }

  private async renew(req: DashboardRequest, res: DashboardResponse): Promise<void> {
    const years = readNumber(field(req, 'years'));
    const agreed = { price: agreedPrice(req), expiresAt: readInstant(field(req, 'expires_at')) };
    const domainId = req.params['id'] ?? '';
    const outcome = await attempt(() => this.renewDomain.execute({ ...requesterOf(res), domainId, years, agreed }));
    const again = {
      title: 'Renew the domain',
      submit: isPrice(agreed.price) ? `Try again: renew for ${price(agreed.price)}` : 'Try again',
    };
    if ('issues' in outcome && this.outages.offersRepeat(req, res, outcome.issues, again)) return;
    if ('issues' in outcome) return this.review(req, res, years, outcome.issues);
    setFlash(req, { kind: 'done', text: `Renewed until ${longDate(outcome.result.domain.expiresAt)}.` });
    seeOther(res, `/domains/${domainId}`);
  }

  /** Begins with the shortest term where none is chosen. */
  private async review(
    req: DashboardRequest,
    res: DashboardResponse,
    years: number | undefined,
    refusal?: FormIssues,
  ): Promise<void> {
    const [accountId, domainId] = [res.locals.visitor.accountId, req.params['id'] ?? ''];
    const domain = (await this.findDomain.byId({ accountId, domainId })).toState();
    const offered = await attempt(() => this.renewDomain.choices({ accountId, domainId }));
    const choices = 'result' in offered ? offered.result : [];
    const chosen = choices.find((choice) => choice.years === (years ?? choices[0]?.years));
    const outcome = chosen
      ? { result: chosen }
      : await attempt(() => this.renewDomain.review({ accountId, domainId, years }));
    const issues = refusal ?? ('issues' in outcome ? outcome.issues : undefined);
    const order = 'result' in outcome ? outcome.result : undefined;
    const head = { title: `Renew ${displayName(domain.name)}`, section: 'domains', issues } as const;
    this.pages.send(req, res, head, <RenewPage domain={domain} choices={choices} order={order} issues={issues} />);
  }
}
