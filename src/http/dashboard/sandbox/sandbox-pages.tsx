import { inject, injectable } from '../../../application/ports/inject';
import { RegistrySandbox } from '../../../application/ports/registry/registry-sandbox';
import { AdvanceClock } from '../../../application/sandbox/advance-clock';
import { ClearFaults } from '../../../application/sandbox/clear-faults';
import { ListFaults } from '../../../application/sandbox/list-faults';
import { InjectFault } from '../../../application/sandbox/inject-fault';
import { ReadLedger } from '../../../application/sandbox/read-ledger';
import { SandboxControl } from '../../../application/sandbox/sandbox-control';
import { TransferOut } from '../../../application/sandbox/transfer-out';
import { formatDateTime } from '../../../domain/shared/time/date-text';
import { attempt, type FormIssues } from '../form-issues';
import { readField, readOptionalField } from '../form-fields';
import { setFlash } from '../flash';
import { PageRenderer } from '../page-renderer';
import {
  getRequester,
  type DashboardPages,
  type DashboardRequest,
  type DashboardResponse,
  type DashboardRoute,
} from '../dashboard-route';
import { SandboxPage, type SandboxForm } from './sandbox-page';
import { redirect } from '../redirect';

/** The page of the sandbox, with or without a form that was rejected. */
@injectable()
class SandboxView {
  constructor(
    @inject(PageRenderer) private readonly renderer: PageRenderer,
    @inject(RegistrySandbox) private readonly sandbox: RegistrySandbox,
    @inject(SandboxControl) private readonly control: SandboxControl,
    @inject(ListFaults) private readonly listFaults: ListFaults,
    @inject(ReadLedger) private readonly readLedger: ReadLedger,
  ) {}

  async show(
    req: DashboardRequest,
    res: DashboardResponse,
    form?: SandboxForm & { readonly issues: FormIssues },
  ): Promise<void> {
    const { accountId } = res.locals.userSession;
    const [controls, time, faults, ledger] = await Promise.all([
      this.control.isAllowed(accountId),
      this.sandbox.time(),
      this.listFaults.execute(),
      this.readLedger.execute(getRequester(res)),
    ]);
    const page = <SandboxPage controls={controls} time={time} faults={faults} ledger={ledger} form={form} />;
    this.renderer.render(req, res, { title: 'Sandbox', section: 'sandbox', issues: form?.issues }, page);
  }
}

/** Controls of the simulated registry. Bound only if the registry is simulated. */
@injectable()
export class SandboxPages implements DashboardPages {
  constructor(
    @inject(SandboxView) private readonly view: SandboxView,
    @inject(SandboxControl) private readonly control: SandboxControl,
    @inject(AdvanceClock) private readonly advanceClock: AdvanceClock,
    @inject(InjectFault) private readonly injectFault: InjectFault,
    @inject(ClearFaults) private readonly clearFaults: ClearFaults,
    @inject(TransferOut) private readonly transferOut: TransferOut,
  ) {}

  get routes(): readonly DashboardRoute[] {
    return [
      ['get', '/sandbox', 'owner', async (req, res) => this.view.show(req, res)],
      ['post', '/sandbox/advance', 'owner', this.advance.bind(this)],
      ['post', '/sandbox/faults', 'owner', this.order.bind(this)],
      ['post', '/sandbox/faults/clear', 'owner', this.clear.bind(this)],
      ['post', '/sandbox/transfer-out', 'owner', this.transfer.bind(this)],
    ];
  }

  private async advance(req: DashboardRequest, res: DashboardResponse): Promise<void> {
    await this.assertControl(res);
    const days = readNumber(readField(req, 'days'));
    const outcome = await attempt(() => this.advanceClock.execute({ days }));
    if ('issues' in outcome)
      return this.view.show(req, res, {
        name: 'advance',
        values: { days: readField(req, 'days') },
        issues: outcome.issues,
      });
    this.redirectWithFlash(
      req,
      res,
      `The registry's clock is now at ${formatDateTime(outcome.result.now, res.locals.userSession.timeZone)}. Renewals, expiries and deletions due until then have run.`,
    );
  }

  private async order(req: DashboardRequest, res: DashboardResponse): Promise<void> {
    await this.assertControl(res);
    const values = {
      kind: readField(req, 'kind'),
      target: readField(req, 'target'),
      times: readField(req, 'times'),
      milliseconds: readField(req, 'milliseconds'),
    };
    const numbers = { times: optionalNumber(req, 'times'), milliseconds: optionalNumber(req, 'milliseconds') };
    const outcome = await attempt(() =>
      this.injectFault.execute({ kind: values.kind, target: readOptionalField(req, 'target'), ...numbers }),
    );
    if ('issues' in outcome) return this.view.show(req, res, { name: 'fault', values, issues: outcome.issues });
    this.redirectWithFlash(req, res, 'The fault was added.');
  }

  private async clear(req: DashboardRequest, res: DashboardResponse): Promise<void> {
    await this.assertControl(res);
    await this.clearFaults.execute();
    this.redirectWithFlash(req, res, 'All faults were cleared. The registry works normally again.');
  }

  private async transfer(req: DashboardRequest, res: DashboardResponse): Promise<void> {
    const values = { name: readField(req, 'name').trim() };
    const outcome = await attempt(() =>
      this.transferOut.execute({
        ...getRequester(res),
        name: values.name,
        authCode: readField(req, 'auth_code').trim(),
      }),
    );
    if ('issues' in outcome) return this.view.show(req, res, { name: 'transfer', values, issues: outcome.issues });
    this.redirectWithFlash(
      req,
      res,
      `The transfer of ${outcome.result.name.value} has started and completes on ${formatDateTime(outcome.result.completesAt, res.locals.userSession.timeZone)}.`,
    );
  }

  /** @throws unless the account controls the sandbox */
  private assertControl(res: DashboardResponse): Promise<void> {
    return this.control.assertAllowed(getRequester(res));
  }

  private redirectWithFlash(req: DashboardRequest, res: DashboardResponse, text: string): void {
    setFlash(req, { kind: 'success', text });
    redirect(res, '/sandbox');
  }
}

function optionalNumber(req: DashboardRequest, name: string): number | undefined {
  const text = readOptionalField(req, name);
  return text === undefined ? undefined : readNumber(text);
}

/** Returns NaN, which fails validation, for text that is not a number. */
function readNumber(text: string): number {
  return text.trim() === '' ? Number.NaN : Number(text);
}
