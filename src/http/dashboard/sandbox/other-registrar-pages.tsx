import { inject, injectable } from '../../../application/ports/inject';
import { DecideElsewhere } from '../../../application/sandbox/decide-elsewhere';
import { RegisterElsewhere } from '../../../application/sandbox/register-elsewhere';
import { SandboxControl } from '../../../application/sandbox/sandbox-control';
import {
  getRequester,
  type DashboardPages,
  type DashboardRequest,
  type DashboardResponse,
  type DashboardRoute,
} from '../dashboard-route';
import { setFlash } from '../flash';
import { readField } from '../form-fields';
import { attempt } from '../form-issues';
import { PageRenderer } from '../page-renderer';
import { redirect } from '../redirect';
import { OtherRegistrarPage, type OtherRegistrarPageProps } from './other-registrar-page';

const PATH = '/sandbox/other-registrar';

/** The other registrar of the simulated registry. Bound only if the registry is simulated. */
@injectable()
export class OtherRegistrarPages implements DashboardPages {
  constructor(
    @inject(PageRenderer) private readonly renderer: PageRenderer,
    @inject(SandboxControl) private readonly control: SandboxControl,
    @inject(RegisterElsewhere) private readonly registerElsewhere: RegisterElsewhere,
    @inject(DecideElsewhere) private readonly decideElsewhere: DecideElsewhere,
  ) {}

  get routes(): readonly DashboardRoute[] {
    return [
      ['get', PATH, 'owner', async (req, res) => this.show(req, res)],
      ['post', `${PATH}/domains`, 'owner', this.register.bind(this)],
      ['post', `${PATH}/decisions`, 'owner', this.decide.bind(this)],
    ];
  }

  /** Shows the auth code without a redirect, so that it is stored nowhere. */
  private async register(req: DashboardRequest, res: DashboardResponse): Promise<void> {
    const values = { name: readField(req, 'name').trim() };
    const outcome = await attempt(() => this.registerElsewhere.execute({ ...getRequester(res), ...values }));
    if ('issues' in outcome) return this.show(req, res, { form: { name: 'register', values, issues: outcome.issues } });
    return this.show(req, res, { registered: outcome.result });
  }

  private async decide(req: DashboardRequest, res: DashboardResponse): Promise<void> {
    await this.control.assertAllowed(getRequester(res));
    const values = { name: readField(req, 'name').trim(), decision: readField(req, 'decision') };
    const outcome = await attempt(() => this.decideElsewhere.execute(values));
    if ('issues' in outcome) return this.show(req, res, { form: { name: 'decide', values, issues: outcome.issues } });
    setFlash(req, { kind: 'success', text: `The transfer of ${outcome.result.name.value} has ended.` });
    redirect(res, PATH);
  }

  private async show(
    req: DashboardRequest,
    res: DashboardResponse,
    shown: Omit<OtherRegistrarPageProps, 'controls'> = {},
  ): Promise<void> {
    const controls = await this.control.isAllowed(res.locals.userSession.accountId);
    const page = <OtherRegistrarPage controls={controls} {...shown} />;
    this.renderer.render(req, res, { title: 'Other registrar', section: 'sandbox', issues: shown.form?.issues }, page);
  }
}
