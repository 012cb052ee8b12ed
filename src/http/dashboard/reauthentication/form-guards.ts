import type { NextFunction, Request, RequestHandler, Response } from 'express';
import { inject, injectable } from '../../../application/ports/inject';
import { FormOfOtherAccount } from '../../shared/errors';
import type { Access, DashboardResponse } from '../dashboard-route';
import type { UserSession } from '../user-session';
import { formBody } from '../middleware/form-body';
import { FormTokens } from '../middleware/form-tokens';
import { Reauthentication } from './reauthentication';
import { readOwner, SavedForms } from '../middleware/saved-forms';
import { uploadBody } from '../middleware/upload-body';

const MAX_FORM_BYTES = 262_144;
/** For forms that can be sent without signing in. */
const MAX_PUBLIC_FORM_BYTES = 16_384;

/** What a form passes before its handler: size, CSRF token, fields, the account that it is for, re-authentication for large orders. */
@injectable()
export class FormGuards {
  private readonly confirmOrder: RequestHandler;

  constructor(
    @inject(FormTokens) private readonly tokens: FormTokens,
    @inject(SavedForms) private readonly savedForms: SavedForms,
    @inject(Reauthentication) reauthentication: Reauthentication,
  ) {
    this.confirmOrder = reauthentication.requireForOrder();
  }

  /** @param upload whether the form is multipart with one large field */
  of(access: Access, { upload }: { readonly upload: boolean }): readonly RequestHandler[] {
    const form = upload
      ? uploadBody(this.tokens)
      : formBody(this.tokens, access === 'public' ? MAX_PUBLIC_FORM_BYTES : MAX_FORM_BYTES);
    return isOfAccount(access) ? [...form, this.refuseOtherAccounts.bind(this), this.confirmOrder] : form;
  }

  /** A form of a page that was opened before the person switched accounts must not change the account of now. @throws FormOfOtherAccount */
  private refuseOtherAccounts(req: Request, res: Response, next: NextFunction): void {
    const { userSession } = (res as DashboardResponse).locals as { userSession?: UserSession };
    const owner = readOwner(req.body);
    const isOther = userSession && owner !== '' && !this.savedForms.isOwner(owner, userSession.user.id);
    if (isOther && userSession.user.linked) throw new FormOfOtherAccount();
    next();
  }
}

/** Others are about the person in all of their accounts, such as sign-out. */
function isOfAccount(access: Access): boolean {
  return access !== 'public' && access !== 'signed-in';
}
