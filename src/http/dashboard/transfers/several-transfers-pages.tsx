import { inject, injectable } from '../../../application/ports/inject';
import { FindBulkJob } from '../../../application/portfolio/bulk/find-bulk-job';
import { SavedContacts } from '../../../application/portfolio/saved-contacts';
import { ReviewedTransfers } from '../../../application/portfolio/transfers/reviewed-transfers';
import { ReviewTransfers } from '../../../application/portfolio/transfers/review-transfers';
import { StartBulkTransfers } from '../../../application/portfolio/transfers/start-bulk-transfers';
import type { Registrant } from '../../../domain/registration/registrant';
import { isSame } from '../../../domain/shared/money';
import { ValidationError } from '../../../domain/shared/validation-error';
import {
  BULK,
  getRequester,
  type DashboardPages,
  type DashboardRequest,
  type DashboardResponse,
  type DashboardRoute,
} from '../dashboard-route';
import { setFlash } from '../flash';
import { readField, readParameter } from '../form-fields';
import { attempt, issuesText, type FormIssues } from '../form-issues';
import type { FormValues } from '../layout/forms/forms';
import { readAgreedPrice } from '../layout/money';
import { PageRenderer } from '../page-renderer';
import { redirect } from '../redirect';
import { CONTACT_FIELD } from '../registrant/contact-choice';
import { readRegistrant, toRegistrantValues } from '../registrant/registrant-fields';
import { SEALED_FIELD, SeveralReviewPage } from './several-review-page';
import { CODES_FIELD, SeveralTransfersPage } from './several-transfers-page';

const PATH = '/transfers/several';
const TITLE = 'Transfer several domains';

/** Transfers of many names from another registrar: names with their auth codes, a review with the total, a job. */
@injectable()
export class SeveralTransfersPages implements DashboardPages {
  constructor(
    @inject(PageRenderer) private readonly renderer: PageRenderer,
    @inject(ReviewTransfers) private readonly reviewTransfers: ReviewTransfers,
    @inject(ReviewedTransfers) private readonly reviewed: ReviewedTransfers,
    @inject(StartBulkTransfers) private readonly startTransfers: StartBulkTransfers,
    @inject(FindBulkJob) private readonly findJob: FindBulkJob,
    @inject(SavedContacts) private readonly contacts: SavedContacts,
  ) {}

  get routes(): readonly DashboardRoute[] {
    return [
      ['get', PATH, 'transfer', this.show.bind(this)],
      ['post', `${PATH}/review`, 'transfer', this.review.bind(this), { cost: BULK }],
      ['post', PATH, 'transfer', this.order.bind(this), { cost: BULK }],
    ];
  }

  /** With the names that failed in a job, for their auth codes to be filled in. */
  private async show(req: DashboardRequest, res: DashboardResponse): Promise<void> {
    const jobId = readParameter(req, 'failed');
    const failures =
      jobId === ''
        ? []
        : (await this.findJob.execute({ ...getRequester(res), jobId })).failures.map(({ name }) => name);
    const names = failures.map((name) => `${name},`).join('\n');
    return this.render(req, res, { [CODES_FIELD]: names, auto_renew: 'on' });
  }

  private async review(req: DashboardRequest, res: DashboardResponse): Promise<void> {
    const autoRenew = readField(req, 'auto_renew') === 'on';
    const registrant = await this.readRegistrant(req, res);
    const outcome = await attempt(
      () =>
        this.reviewTransfers.execute({
          ...getRequester(res),
          text: readField(req, CODES_FIELD),
          registrant,
          autoRenew,
        }),
      { prefix: 'registrant.' },
    );
    if ('issues' in outcome) {
      const contact = readField(req, CONTACT_FIELD);
      const values = { ...toRegistrantValues(registrant), [CONTACT_FIELD]: contact, auto_renew: autoRenew ? 'on' : '' };
      return this.render(req, res, values, withoutCodes(outcome.issues));
    }
    this.renderer.render(
      req,
      res,
      { title: 'Review the transfers', section: 'transfers' },
      <SeveralReviewPage review={outcome.result} registrant={registrant} autoRenew={autoRenew} />,
    );
  }

  private async order(req: DashboardRequest, res: DashboardResponse): Promise<void> {
    const requester = getRequester(res);
    const outcome = await attempt(async () => {
      const { orders, registrant, autoRenew, total, ...review } = this.reviewed.open(
        requester,
        readField(req, SEALED_FIELD),
      );
      if (!isSame(total, readAgreedPrice(req))) throw ValidationError.of('price', 'must be the total of the review');
      const priced = orders.map(({ price, ...order }) => ({ ...order, maxPrice: price }));
      return this.startTransfers.execute({ ...requester, orders: priced, registrant, autoRenew, review });
    });
    if ('result' in outcome) return redirect(res, `/bulk/${outcome.result.id}`);
    const isOrdered = outcome.issues.price === 'quote ended';
    const text = isOrdered ? 'These transfers were ordered already.' : issuesText(outcome.issues);
    setFlash(req, { kind: 'warning', text });
    redirect(res, isOrdered ? '/bulk' : PATH);
  }

  /** That of the chosen contact, or of the fields. */
  private async readRegistrant(req: DashboardRequest, res: DashboardResponse): Promise<Registrant> {
    const wanted = readField(req, CONTACT_FIELD);
    const contacts = wanted === '' ? [] : await this.contacts.of(res.locals.userSession.accountId);
    return contacts.find(({ domainId }) => domainId === wanted)?.registrant ?? readRegistrant(req);
  }

  private async render(
    req: DashboardRequest,
    res: DashboardResponse,
    values: FormValues,
    issues?: FormIssues,
  ): Promise<void> {
    const contacts = await this.contacts.of(res.locals.userSession.accountId);
    const head = { title: TITLE, section: 'transfers', issues } as const;
    const page = <SeveralTransfersPage contacts={contacts} values={values} issues={issues} />;
    this.renderer.render(req, res, head, page);
  }
}

/** The auth codes are not sent back, so the lines must be pasted again in any case. */
function withoutCodes(issues: FormIssues): FormIssues {
  if (issues.fields.has(CODES_FIELD)) return issues;
  const again = 'Paste the names and auth codes again: they are never sent back';
  return { ...issues, fields: new Map([...issues.fields, [CODES_FIELD, again]]) };
}
