import { urlencoded, type Request, type RequestHandler, type Response } from 'express';
import { inject, injectable } from 'inversify';
import { Pages } from '../pages';
import { SignInPage } from '../sign-in/sign-in-page';
import { KeptForms, ownerOf, placeOf, sentFields } from './kept-forms';
import { seeOther } from '../see-other';

/** From a stranger, as far as is known: enough for every form but an upload. */
const readForm = urlencoded({ extended: false, limit: '16kb', inflate: false, parameterLimit: 200 });

/** Asks for sign-in in the place of a form that arrived without a session, and keeps what was filled in. */
@injectable()
export class LostSessions {
  constructor(
    @inject(Pages) private readonly pages: Pages,
    @inject(KeptForms) private readonly keptForms: KeptForms,
  ) {}

  async handle(req: Request, res: Response): Promise<void> {
    const isRead = await isReadable(readForm, req, res);
    const isUpload = Boolean(req.is('multipart/form-data'));
    const owner = ownerOf(req.body);
    if (isRead && !isUpload && owner === '') return seeOther(res, '/sign-in');
    const fields = isRead && !isUpload ? sentFields(req.body) : undefined;
    const next = fields ? placeOf(req.body) : pageAbout(req.path);
    const kept = fields && this.keptForms.seal({ action: req.originalUrl, place: next, fields }, owner);
    const end =
      kept === undefined
        ? 'What you filled in could not be kept: it is too long, or has a password.'
        : 'What you filled in is kept: sign in as the same person to send it.';
    const reason = `You were signed out before your form arrived, so nothing was changed. ${end}`;
    this.pages.send(
      req,
      res,
      { title: 'Sign in', issues: { status: 401 } },
      <SignInPage values={{ next, email: '', kept: kept ?? '' }} reason={reason} issues={undefined} choices={[]} />,
    );
  }
}

/** The page of the domain that a form was about, which tells no place itself. */
function pageAbout(path: string): string {
  return /^\/domains\/[^/]+/.exec(path)?.[0] ?? '/';
}

function isReadable(parser: RequestHandler, req: Request, res: Response): Promise<boolean> {
  return new Promise((resolve) => {
    void parser(req, res, (error?: unknown) => resolve(error === undefined));
  });
}
