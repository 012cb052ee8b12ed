import { inject, injectable } from 'inversify';
import { RegistrySandbox } from '../../../application/ports/registry/registry-sandbox';
import { AdvanceClock } from '../../../application/sandbox/advance-clock';
import { ClearFaults } from '../../../application/sandbox/clear-faults';
import { ListFaults } from '../../../application/sandbox/list-faults';
import { InjectFault } from '../../../application/sandbox/inject-fault';
import { ReadLedger } from '../../../application/sandbox/read-ledger';
import { SandboxControl } from '../../../application/sandbox/sandbox-control';
import { TransferOut } from '../../../application/sandbox/transfer-out';
import { attempt, type FormIssues } from '../form-issues';
import { field, optionalField } from '../form-fields';
import { dateAndTime } from '../layout/dates';
import { setFlash } from '../notice';
import { Pages } from '../pages';
import type { DashboardHandler, DashboardPages, DashboardRequest, DashboardResponse, DashboardRoute } from '../visitor';
import { SandboxPage, type SandboxForm } from './sandbox-page';
import { seeOther } from '../see-other';

/** The hands on the simulated registry. Bound only where there is one. */
@injectable()
export class SandboxPages implements DashboardPages {
  constructor(
    @inject(Pages) private readonly pages: Pages,
    @inject(RegistrySandbox) private readonly sandbox: RegistrySandbox,
    @inject(SandboxControl) private readonly control: SandboxControl,
    @inject(AdvanceClock) private readonly advanceClock: AdvanceClock,
    @inject(ListFaults) private readonly listFaults: ListFaults,
    @inject(InjectFault) private readonly injectFault: InjectFault,
    @inject(ClearFaults) private readonly clearFaults: ClearFaults,
    @inject(TransferOut) private readonly transferOut: TransferOut,
    @inject(ReadLedger) private readonly readLedger: ReadLedger,
  ) {}

  get routes(): readonly DashboardRoute[] {
    return [
      ['get', '/sandbox', 'owner', this.show.bind(this)],
      ['post', '/sandbox/advance', 'owner', this.controlled(this.advance.bind(this))],
      ['post', '/sandbox/faults', 'owner', this.controlled(this.order.bind(this))],
      ['post', '/sandbox/faults/clear', 'owner', this.controlled(this.clear.bind(this))],
      ['post', '/sandbox/transfer-out', 'owner', this.transfer.bind(this)],
    ];
  }

  private controlled(handler: DashboardHandler): DashboardHandler {
    return async (req, res) => {
      await this.control.assertAllowed(res.locals.visitor.accountId);
      return handler(req, res);
    };
  }

  private async advance(req: DashboardRequest, res: DashboardResponse): Promise<void> {
    const days = readNumber(field(req, 'days'));
    const outcome = await attempt(() => this.advanceClock.execute({ days }));
    if ('issues' in outcome)
      return this.show(req, res, { name: 'advance', values: { days: field(req, 'days') }, issues: outcome.issues });
    this.back(
      req,
      res,
      `It is ${dateAndTime(outcome.result.now)} at the registry now. What fell due on the way has happened.`,
    );
  }

  private async order(req: DashboardRequest, res: DashboardResponse): Promise<void> {
    const values = {
      kind: field(req, 'kind'),
      target: field(req, 'target'),
      times: field(req, 'times'),
      milliseconds: field(req, 'milliseconds'),
    };
    const numbers = { times: optionalNumber(req, 'times'), milliseconds: optionalNumber(req, 'milliseconds') };
    const outcome = await attempt(() =>
      this.injectFault.execute({ kind: values.kind, target: optionalField(req, 'target'), ...numbers }),
    );
    if ('issues' in outcome) return this.show(req, res, { name: 'fault', values, issues: outcome.issues });
    this.back(req, res, 'The fault is ordered.');
  }

  private async clear(req: DashboardRequest, res: DashboardResponse): Promise<void> {
    await this.clearFaults.execute();
    this.back(req, res, 'The registry does what it should from now on.');
  }

  private async transfer(req: DashboardRequest, res: DashboardResponse): Promise<void> {
    const values = { name: field(req, 'name').trim() };
    const outcome = await attempt(() =>
      this.transferOut.execute({ name: values.name, authCode: field(req, 'auth_code').trim() }),
    );
    if ('issues' in outcome) return this.show(req, res, { name: 'transfer', values, issues: outcome.issues });
    this.back(
      req,
      res,
      `${outcome.result.name.value} leaves for another registrar on ${dateAndTime(outcome.result.completesAt)}.`,
    );
  }

  private async show(
    req: DashboardRequest,
    res: DashboardResponse,
    form?: SandboxForm & { readonly issues: FormIssues },
  ): Promise<void> {
    const { accountId } = res.locals.visitor;
    const [controls, time, faults, ledger] = await Promise.all([
      this.control.isAllowed(accountId),
      this.sandbox.time(),
      this.listFaults.execute(),
      this.readLedger.execute({ accountId }),
    ]);
    const page = <SandboxPage controls={controls} time={time} faults={faults} ledger={ledger} form={form} />;
    this.pages.send(req, res, { title: 'Sandbox', section: 'sandbox', issues: form?.issues }, page);
  }

  private back(req: DashboardRequest, res: DashboardResponse, text: string): void {
    setFlash(req, { kind: 'done', text });
    seeOther(res, '/sandbox');
  }
}

function optionalNumber(req: DashboardRequest, name: string): number | undefined {
  const text = optionalField(req, name);
  return text === undefined ? undefined : readNumber(text);
}

/** NaN, which no rule accepts, for what is no number. */
function readNumber(text: string): number {
  return text.trim() === '' ? Number.NaN : Number(text);
}
