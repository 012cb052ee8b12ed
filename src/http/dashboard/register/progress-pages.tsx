import { inject, injectable } from '../../../application/ports/inject';
import { CheckOperation } from '../../../application/registration/operations/check-operation';
import { FindOperation } from '../../../application/registration/operations/find-operation';
import { DomainReader } from '../../../application/ports/registration/domain-repository';
import type { OperationState } from '../../../domain/registration/operations/operation';
import { displayName } from '../layout/domain/domain-labels';
import { attempt } from '../form-issues';
import { setFlash } from '../flash';
import { PageRenderer } from '../page-renderer';
import {
  getRequester,
  type DashboardPages,
  type DashboardRequest,
  type DashboardResponse,
  type DashboardRoute,
} from '../dashboard-route';
import { ProgressPage } from './progress-page';
import { redirect } from '../redirect';

/** The progress of a registration. */
@injectable()
export class ProgressPages implements DashboardPages {
  constructor(
    @inject(PageRenderer) private readonly renderer: PageRenderer,
    @inject(FindOperation) private readonly findOperation: FindOperation,
    @inject(CheckOperation) private readonly checkOperation: CheckOperation,
    @inject(DomainReader) private readonly domains: DomainReader,
  ) {}

  get routes(): readonly DashboardRoute[] {
    return [
      ['get', '/register/progress/:operationId', 'read', this.show.bind(this)],
      ['post', '/register/progress/:operationId', 'read', this.checkNow.bind(this)],
    ];
  }

  private async show(req: DashboardRequest, res: DashboardResponse): Promise<void> {
    const { accountId } = res.locals.userSession;
    const operation = await this.find(req, res);
    const domain = (await this.domains.findEvenGone(accountId, operation.domainId))?.toState();
    this.renderer.render(
      req,
      res,
      { title: domain ? `Registering ${displayName(domain.name)}` : 'Registration', section: 'add' },
      <ProgressPage operation={operation} domain={domain} />,
    );
  }

  /** Checks an uncertain registration with the registry now. */
  private async checkNow(req: DashboardRequest, res: DashboardResponse): Promise<void> {
    const { id: operationId, accountId } = await this.find(req, res);
    const outcome = await attempt(() => this.checkOperation.execute({ accountId, operationId }));
    setFlash(
      req,
      'issues' in outcome
        ? {
            kind: 'warning',
            text:
              outcome.issues.status === 429
                ? 'The registry was not checked again, because the last check was a few seconds ago. Try again in a moment.'
                : `The registry could not be checked: ${outcome.issues.message ?? 'it is unavailable'}. Try again in a moment.`,
          }
        : { kind: 'success', text: 'The registration is being checked with the registry.' },
    );
    redirect(res, `/register/progress/${operationId}`);
  }

  private async find(req: DashboardRequest, res: DashboardResponse): Promise<OperationState> {
    const operationId = req.params['operationId'] ?? '';
    return (await this.findOperation.execute({ ...getRequester(res), operationId })).toState();
  }
}
