import { inject, injectable } from '../../../application/ports/inject';
import { ConnectService, type ConnectPlan } from '../../../application/dns/domain-connect/connect-service';
import {
  ReadConnectRequest,
  type ConnectQuery,
  type ConnectRequest,
} from '../../../application/dns/domain-connect/read-connect-request';
import { ConnectRefused } from '../../../domain/domain-connect/connect-errors';
import { returnUrl } from '../../../domain/domain-connect/return-url';
import {
  BULK,
  getRequester,
  type DashboardPages,
  type DashboardRequest,
  type DashboardResponse,
  type DashboardRoute,
} from '../dashboard-route';
import { setFlash } from '../flash';
import { readField } from '../form-fields';
import { attempt, type FormIssues } from '../form-issues';
import { displayName } from '../layout/domain/domain-labels';
import { allowFormRedirect } from '../middleware/security-headers';
import { PageRenderer } from '../page-renderer';
import { redirect } from '../redirect';
import { buildRollBackForm } from '../zone/history/roll-back-form';
import { ConnectPage, PLAN_FIELD } from './connect-page';
import { RefusedPage } from './refused-page';

const PATH = '/v2/domainTemplates/providers/:providerId/services/:serviceId/apply';

/** The synchronous flow of Domain Connect: a service provider sends the browser here, a person agrees, and the browser goes back. */
@injectable()
export class ConnectPages implements DashboardPages {
  constructor(
    @inject(PageRenderer) private readonly renderer: PageRenderer,
    @inject(ReadConnectRequest) private readonly requests: ReadConnectRequest,
    @inject(ConnectService) private readonly connectService: ConnectService,
  ) {}

  get routes(): readonly DashboardRoute[] {
    return [
      ['get', PATH, 'write', this.ask.bind(this), { cost: BULK }],
      ['post', PATH, 'write', this.accept.bind(this), { cost: BULK }],
    ];
  }

  private async ask(req: DashboardRequest, res: DashboardResponse): Promise<void> {
    await this.orRefuse(req, res, undefined, async () => {
      const request = await this.requests.execute(queryOf(req));
      await this.orRefuse(req, res, request, async () => this.renderPlan(req, res, request));
    });
  }

  /** What was shown is what is written: if the zone or the template has changed since, the person is asked again. */
  private async accept(req: DashboardRequest, res: DashboardResponse): Promise<void> {
    await this.orRefuse(req, res, undefined, async () => {
      const request = await this.requests.execute(queryOf(req), { isFinal: true });
      await this.orRefuse(req, res, request, async () => {
        const digest = readField(req, PLAN_FIELD);
        const outcome = await attempt(() => this.connectService.execute(request, getRequester(res), digest));
        if ('issues' in outcome) return this.renderPlan(req, res, request, outcome.issues);
        const { written, domain, isChanged } = outcome.result;
        if (request.returnTo) return redirect(res, returnUrl(request.returnTo, request.parameters.state));
        setFlash(req, {
          kind: 'success',
          text: `${request.template.serviceName} is connected to ${displayName(domain.name)}. You can close this window.`,
          ...(isChanged && {
            undo: buildRollBackForm(domain.id, { version: written - 1, expected: written }),
          }),
        });
        redirect(res, `/domains/${domain.id}/connected-services`);
      });
    });
  }

  private async renderPlan(
    req: DashboardRequest,
    res: DashboardResponse,
    request: ConnectRequest,
    issues?: FormIssues,
  ): Promise<void> {
    const plan: ConnectPlan = await this.connectService.plan(request, getRequester(res));
    if (request.returnTo) allowFormRedirect(res, request.returnTo);
    this.renderer.render(
      req,
      res,
      {
        title: `Connect ${displayName(plan.domain.name)} to ${request.template.serviceName}`,
        section: 'domains',
        issues,
      },
      <ConnectPage action={req.originalUrl} request={request} plan={plan} issues={issues} />,
    );
  }

  /** A refusal is a page, which leads back only if the request may. */
  private async orRefuse(
    req: DashboardRequest,
    res: DashboardResponse,
    request: ConnectRequest | undefined,
    work: () => Promise<void>,
  ): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (!(error instanceof ConnectRefused)) throw error;
      const back = request?.returnTo && returnUrl(request.returnTo, request.parameters.state, { error: error.error });
      const status = error.error === 'temporarily_unavailable' ? 503 : 400;
      this.renderer.render(
        req,
        res,
        { title: 'The service was not connected', section: 'domains', issues: { status } },
        <RefusedPage reason={error.details ?? error.message} back={back} />,
      );
    }
  }
}

/** The query as it was received: signatures are over its octets. */
function queryOf({ params, originalUrl }: DashboardRequest): ConnectQuery {
  const start = originalUrl.indexOf('?');
  return {
    providerId: params['providerId'] ?? '',
    serviceId: params['serviceId'] ?? '',
    query: start === -1 ? '' : originalUrl.slice(start + 1),
  };
}
