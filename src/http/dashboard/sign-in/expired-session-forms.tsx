import { urlencoded, type Request, type RequestHandler, type Response } from 'express';
import { inject, injectable } from '../../../application/ports/inject';
import { PasskeyPrompts } from '../passkeys/passkey-prompts';
import type { DashboardRequest } from '../dashboard-route';
import { PageRenderer } from '../page-renderer';
import { redirect } from '../redirect';
import { SignInPage } from './sign-in-page';
import { readOwner, readReturnPath, readSubmittedFields, SavedForms } from '../middleware/saved-forms';

/** Small limits, because the sender is not authenticated; large enough for every form except an upload. */
const parseForm = urlencoded({ extended: false, limit: '16kb', inflate: false, parameterLimit: 200 });

/** Handles a form that arrives without a session: saves its fields and asks the user to sign in. */
@injectable()
export class ExpiredSessionForms {
  constructor(
    @inject(PageRenderer) private readonly renderer: PageRenderer,
    @inject(SavedForms) private readonly savedForms: SavedForms,
    @inject(PasskeyPrompts) private readonly passkeys: PasskeyPrompts,
  ) {}

  async renderSignIn(req: Request, res: Response): Promise<void> {
    const isParsed = await canParse(parseForm, req, res);
    const isRead = isParsed && !req.is('multipart/form-data');
    const owner = readOwner(req.body);
    if (isRead && owner === '') return redirect(res, '/sign-in');
    const fields = isRead ? readSubmittedFields(req.body) : undefined;
    const next = isRead ? readReturnPath(req.body) : getDomainPage(req.path);
    const saved = fields && this.savedForms.seal({ action: req.originalUrl, returnPath: next, fields }, owner);
    const advice =
      saved === undefined
        ? 'Your entries could not be saved because the form is too long or contains a password or another secret. Sign in and fill it in again.'
        : 'Your entries are saved. Sign in as the same user to send them.';
    const reason = `Nothing was changed: your session had ended before the form arrived. ${advice}`;
    this.renderer.render(
      req,
      res,
      { title: 'Sign in', issues: { status: 401 } },
      <SignInPage
        values={{ next, email: '', saved_form: saved ?? '' }}
        reason={reason}
        issues={undefined}
        accounts={[]}
        passkey={await this.passkeys.ofSignIn(req as DashboardRequest)}
      />,
    );
  }
}

/** The page of the domain in `path`, for a form whose return path could not be read. */
function getDomainPage(path: string): string {
  return /^\/domains\/[^/]+/.exec(path)?.[0] ?? '/';
}

function canParse(parser: RequestHandler, req: Request, res: Response): Promise<boolean> {
  return new Promise((resolve) => {
    void parser(req, res, (error?: unknown) => resolve(error === undefined));
  });
}
