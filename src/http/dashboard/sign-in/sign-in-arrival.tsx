import { inject, injectable } from '../../../application/ports/inject';
import { UserReader } from '../../../application/ports/access/users';
import type { User } from '../../../domain/access/people/user';
import type { DashboardRequest, DashboardResponse } from '../dashboard-route';
import { setFlash, type Flash } from '../flash';
import { ResubmitFormPage } from '../layout/forms/resubmit-form-page';
import { SavedForms, type SavedForm } from '../middleware/saved-forms';
import { SessionAuthentication } from './session-authentication';
import { PageRenderer } from '../page-renderer';
import { redirect } from '../redirect';
import { toLocalPath } from '../middleware/local-path';
import type { SignInTarget } from './sign-in-steps';

/** Where a user goes after sign-in: to the page before it, or to the form that its session's end had interrupted. */
@injectable()
export class SignInArrival {
  constructor(
    @inject(PageRenderer) private readonly renderer: PageRenderer,
    @inject(SavedForms) private readonly savedForms: SavedForms,
    @inject(SessionAuthentication) private readonly sessionAuthentication: SessionAuthentication,
    @inject(UserReader) private readonly users: UserReader,
  ) {}

  /** The user of the person who filled in the saved form, or else the last used one: a person may have several accounts. */
  async chooseUser(user: User, savedForm: string): Promise<User> {
    const { linked, personId } = user.toState();
    if (!linked) return user;
    if (savedForm === '') return (await this.users.lastUsed(personId)) ?? user;
    const all = await this.users.ofPerson(personId);
    return all.find(({ id }) => this.savedForms.open(savedForm, id)) ?? user;
  }

  /** Shows a signed-in user the form that they were to confirm, or says it on the page `next` if the form was not kept. */
  showForm(
    req: DashboardRequest,
    res: DashboardResponse,
    { next, savedForm }: Pick<SignInTarget, 'next' | 'savedForm'>,
    flash: Flash,
  ): void {
    const form = this.savedForms.open(savedForm, res.locals.userSession.user.id);
    if (form) return this.renderForm(req, res, form, flash.text);
    setFlash(req, flash);
    redirect(res, toLocalPath(next));
  }

  async proceed(
    req: DashboardRequest,
    res: DashboardResponse,
    userId: string,
    { next, savedForm, flash }: SignInTarget,
  ): Promise<void> {
    if (savedForm === '') {
      if (flash) setFlash(req, flash);
      return redirect(res, toLocalPath(next));
    }
    const form = this.savedForms.open(savedForm, userId);
    if (!form) {
      setFlash(req, {
        kind: 'warning',
        text: 'The form that you sent before signing in was discarded because it belongs to another user or is older than an hour. Fill it in again.',
      });
      return redirect(res, '/');
    }
    await this.sessionAuthentication.setUserSession(req, res);
    const reason =
      'Nothing was changed, because your session had ended before this form arrived. You are signed in again and can send it now.';
    this.renderForm(req, res, form, reason);
  }

  private renderForm(req: DashboardRequest, res: DashboardResponse, form: SavedForm, reason: string): void {
    const page = (
      <ResubmitFormPage
        title="Send your form?"
        reason={reason}
        action={form.action}
        fields={form.fields}
        submit="Send"
        cancel={form.returnPath}
      />
    );
    this.renderer.render(req, res, { title: 'Send your form?' }, page);
  }
}
