import { inject, injectable } from '../../../application/ports/inject';
import { SavedContacts } from '../../../application/portfolio/saved-contacts';
import { isSupported } from '../../../application/operations/assert-supported';
import { BindingQuotes } from '../../../application/operations/binding-quotes';
import { CancelTransfer } from '../../../application/transfers/cancel-transfer';
import { FindTransfers } from '../../../application/transfers/find-transfers';
import { RequestTransfer } from '../../../application/transfers/request-transfer';
import { TransferOrders, type TransferOrder } from '../../../application/transfers/transfer-orders';
import { DomainName } from '../../../domain/shared/domain-name';
import { RegistrationTerm } from '../../../domain/registration/registration-term';
import { TldPolicies } from '../../../domain/registration/names/tld-policy';
import type { TransferState } from '../../../domain/registration/transfers/transfer-state';
import { buildUrl } from '../build-url';
import {
  getRequester,
  type DashboardPages,
  type DashboardRequest,
  type DashboardResponse,
  type DashboardRoute,
} from '../dashboard-route';
import { displayName } from '../layout/domain/domain-labels';
import { setFlash } from '../flash';
import { readField, readParameter } from '../form-fields';
import { attempt, OUTAGE, type FormIssues } from '../form-issues';
import type { FormValues } from '../layout/forms/forms';
import { isPrice, readAgreedPrice, readPriceLimit, readQuoteId } from '../layout/money';
import { formatCursor, loadListPage, parseCursor } from '../list-page';
import { PageRenderer } from '../page-renderer';
import { redirect } from '../redirect';
import { readNumber } from '../register/registration-form';
import { contactValues, readContact, type ContactChoice } from '../registrant/contact-choice';
import { readRegistrant, toRegistrantValues } from '../registrant/registrant-fields';
import { describeUnusedParameters } from '../unused-parameters';
import { TransferFormPage } from './transfer-form-page';
import { TransferNamePage } from './transfer-name-page';
import { TransferPage } from './transfer-page';
import { TransfersPage } from './transfers-page';

const PAGE_SIZE = 50;
const TITLE = 'Transfer a domain';

/** Transfers of names from other registrars: the list, the form in two steps, and the state of each. */
@injectable()
export class TransferPages implements DashboardPages {
  constructor(
    @inject(PageRenderer) private readonly renderer: PageRenderer,
    @inject(TransferOrders) private readonly orders: TransferOrders,
    @inject(RequestTransfer) private readonly requestTransfer: RequestTransfer,
    @inject(BindingQuotes) private readonly quotes: Pick<BindingQuotes, 'issue'>,
    @inject(CancelTransfer) private readonly cancelTransfer: CancelTransfer,
    @inject(FindTransfers) private readonly transfers: FindTransfers,
    @inject(SavedContacts) private readonly contacts: SavedContacts,
    @inject(TldPolicies) private readonly policies: TldPolicies,
  ) {}

  get routes(): readonly DashboardRoute[] {
    return [
      ['get', '/transfers', 'read', this.list.bind(this)],
      ['get', '/transfers/new', 'transfer', this.showForm.bind(this)],
      ['post', '/transfers/new', 'transfer', this.fillIn.bind(this)],
      ['post', '/transfers', 'transfer', this.request.bind(this)],
      ['get', '/transfers/:id', 'read', this.show.bind(this)],
      ['post', '/transfers/:id/cancel', 'transfer', this.cancel.bind(this)],
    ];
  }

  private async list(req: DashboardRequest, res: DashboardResponse): Promise<void> {
    const cursor = parseCursor(readParameter(req, 'before'));
    const page = await loadListPage({
      size: PAGE_SIZE,
      cursor,
      load: (limit, before) => this.transfers.page(getRequester(res), limit, before),
      url: (last?: TransferState) => buildUrl('/transfers', { before: last && formatCursor(last) }),
    });
    const warning = describeUnusedParameters(req, { before: cursor !== undefined });
    this.renderer.render(
      req,
      res,
      { title: 'Transfers', section: 'transfers', warning },
      <TransfersPage page={page} />,
    );
  }

  private async showForm(req: DashboardRequest, res: DashboardResponse): Promise<void> {
    const name = readParameter(req, 'name').trim();
    if (name === '') return this.renderNameForm(req, res, '');
    const { accountId } = res.locals.userSession;
    const outcome = await attempt(() => this.orders.quote({ ...getRequester(res), name }));
    if ('issues' in outcome) return this.renderNameForm(req, res, name, outcome.issues);
    const choice = readContact(req, await this.contacts.of(accountId));
    const values = { auto_renew: 'on', ...contactValues(choice) };
    this.renderForm(req, res, outcome.result, values, undefined, choice);
  }

  /** Fills a saved contact into the form. The auth code is not sent back. */
  private async fillIn(req: DashboardRequest, res: DashboardResponse): Promise<void> {
    const [name, years] = [readField(req, 'name'), readNumber(readField(req, 'years'))];
    const outcome = await attempt(() => this.orders.quote({ ...getRequester(res), name, years }));
    const order = 'issues' in outcome ? this.shownOrder(req, outcome.issues) : outcome.result;
    const issues = 'issues' in outcome ? outcome.issues : undefined;
    if (!order) return this.renderNameForm(req, res, name, issues);
    const choice = readContact(req, await this.contacts.of(res.locals.userSession.accountId));
    const values = { auto_renew: readField(req, 'auto_renew'), ...contactValues(choice) };
    this.renderForm(req, res, order, values, issues, choice);
  }

  private async request(req: DashboardRequest, res: DashboardResponse): Promise<void> {
    const name = readField(req, 'name');
    const years = readNumber(readField(req, 'years'));
    const autoRenew = readField(req, 'auto_renew') === 'on';
    const registrant = readRegistrant(req);
    const outcome = await attempt(
      () =>
        this.requestTransfer.execute({
          ...getRequester(res),
          name,
          authCode: readField(req, 'auth_code').trim(),
          years,
          registrant,
          autoRenew,
          limit: readPriceLimit(req),
        }),
      { prefix: 'registrant.' },
    );
    if ('result' in outcome) return redirect(res, `/transfers/${outcome.result.id}`);
    const quoted = await attempt(() => this.orders.quote({ ...getRequester(res), name, years }));
    const order = 'issues' in quoted ? this.shownOrder(req, quoted.issues) : quoted.result;
    if (!order) return this.renderNameForm(req, res, name, 'issues' in quoted ? quoted.issues : undefined);
    const values = { auto_renew: autoRenew ? 'on' : '', ...toRegistrantValues(registrant) };
    this.renderForm(req, res, order, values, outcome.issues);
  }

  /** The order as the submitted form showed it, if `issues` are an outage, during which the registry names no price. */
  private shownOrder(req: DashboardRequest, { status }: FormIssues): TransferOrder | undefined {
    const price = readAgreedPrice(req);
    if (status !== OUTAGE || !isPrice(price)) return undefined;
    const name = DomainName.parse(readField(req, 'name'));
    const term = RegistrationTerm.ofYears(readNumber(readField(req, 'years')));
    const needsAuthCode = this.policies.forName(name)?.transfersWithoutCode !== true;
    return { name, term, price, needsAuthCode, formerExpiry: null };
  }

  private async show(req: DashboardRequest, res: DashboardResponse): Promise<void> {
    const transfer = (await this.transfers.byId({ ...getRequester(res), transferId: readId(req) })).toState();
    this.renderer.render(
      req,
      res,
      { title: `Transfer of ${displayName(transfer.name)}`, section: 'transfers' },
      <TransferPage transfer={transfer} cancellable={this.isCancellable(transfer)} />,
    );
  }

  private async cancel(req: DashboardRequest, res: DashboardResponse): Promise<void> {
    const outcome = await attempt(() => this.cancelTransfer.execute({ ...getRequester(res), transferId: readId(req) }));
    if ('issues' in outcome)
      setFlash(req, { kind: 'warning', text: outcome.issues.message ?? 'The transfer was not cancelled.' });
    else if (outcome.result.finished) setFlash(req, { kind: 'success', text: 'The transfer was cancelled.' });
    else setFlash(req, { kind: 'success', text: 'The registry is asked to cancel the transfer.' });
    redirect(res, `/transfers/${readId(req)}`);
  }

  private isCancellable({ name, status, cancelRequestedAt }: TransferState): boolean {
    if (cancelRequestedAt || (status !== 'queued' && status !== 'pending')) return false;
    return status === 'queued' || isSupported(this.policies, DomainName.fromState(name), 'cancel_transfer');
  }

  private renderNameForm(req: DashboardRequest, res: DashboardResponse, name: string, issues?: FormIssues): void {
    this.renderer.render(
      req,
      res,
      { title: TITLE, section: 'transfers', issues },
      <TransferNamePage name={name} issues={issues} />,
    );
  }

  private renderForm(
    req: DashboardRequest,
    res: DashboardResponse,
    order: TransferOrder,
    values: FormValues,
    issues?: FormIssues,
    choice?: ContactChoice,
  ): void {
    const { accountId } = getRequester(res);
    const { name, price, term } = order;
    const prices = { transfer: { price, years: term.years } };
    // During an outage the price is the one that was shown, and so is its quote.
    const isShownAgain = issues?.status === OUTAGE;
    const shown = isShownAgain ? readQuoteId(req) : undefined;
    const quoteId = shown ?? this.quotes.issue(accountId, { name: name.value, prices }).id;
    this.renderer.render(
      req,
      res,
      { title: `Transfer ${displayName(order.name.value)}`, section: 'transfers', issues },
      <TransferFormPage order={order} quoteId={quoteId} values={values} issues={issues} choice={choice} />,
    );
  }
}

function readId(req: DashboardRequest): string {
  return req.params['id'] ?? '';
}
