import { inject, injectable } from 'inversify';
import { Reauthenticate } from '../../../application/access/sign-in/reauthenticate';
import { Clock } from '../../../application/ports/system/clock';
import { isRecentlyAuthenticated } from '../../../domain/access/session';
import { attempt, type FormIssues } from '../form-issues';
import { field, formFields } from '../form-fields';
import { Pages } from '../pages';
import { assertMayTransfer, type DashboardHandler, type DashboardRequest, type DashboardResponse } from '../visitor';
import { ConfirmPasswordPage } from './confirm-password-page';

const PASSWORD_FIELD = 'confirm_password';

/** Asks for the password before a sensitive step, unless it was entered in this session within the last ten minutes. */
@injectable()
export class Reauthentication {
  constructor(
    @inject(Pages) private readonly pages: Pages,
    @inject(Reauthenticate) private readonly reauthenticate: Reauthenticate,
    @inject(Clock) private readonly clock: Clock,
  ) {}

  /** Answers the requests that `applies` selects with a form for the password, which carries the same fields to the same address. */
  before(handler: DashboardHandler, applies: (req: DashboardRequest) => boolean = () => true): DashboardHandler {
    return async (req, res) => {
      if (!applies(req) || (await this.isConfirmed(req, res))) return handler(req, res);
    };
  }

  /** As `before`, for what moves a domain away, which members may do only if the account allows it. @throws RoleForbids */
  beforeTransfer(
    handler: DashboardHandler,
    applies: (req: DashboardRequest) => boolean = () => true,
  ): DashboardHandler {
    const confirmed = this.before(handler, applies);
    return (req, res) => {
      if (applies(req)) assertMayTransfer(res.locals.visitor);
      return confirmed(req, res);
    };
  }

  private async isConfirmed(req: DashboardRequest, res: DashboardResponse): Promise<boolean> {
    const { user, sessionDigest, authenticatedAt } = res.locals.visitor;
    if (isRecentlyAuthenticated(authenticatedAt, this.clock.now())) return true;
    const password = field(req, PASSWORD_FIELD);
    if (password === '') return this.ask(req, res);
    const outcome = await attempt(() => this.reauthenticate.execute({ userId: user.id, sessionDigest, password }));
    return 'issues' in outcome ? this.ask(req, res, outcome.issues) : true;
  }

  private ask(req: DashboardRequest, res: DashboardResponse, issues?: FormIssues): false {
    const fields = formFields(req).filter(([name]) => name !== PASSWORD_FIELD);
    const page = (
      <ConfirmPasswordPage action={req.originalUrl} cancel={placeOf(req.path)} fields={fields} issues={issues} />
    );
    this.pages.send(req, res, { title: 'Confirm your password', issues: issues ?? { status: 403 } }, page);
    return false;
  }
}

/** The page from which the step is taken. */
function placeOf(path: string): string {
  const [, place = '', id = ''] = path.split('/');
  return place === 'domains' ? `/domains/${id}` : `/${place}`;
}
