import { inject, injectable } from '../../../application/ports/inject';
import { Passkeys } from '../../../application/access/second-factor/passkeys';
import { RemoveFactors } from '../../../application/access/second-factor/remove-factors';
import type { DashboardPages, DashboardRequest, DashboardResponse, DashboardRoute } from '../dashboard-route';
import { setFlash } from '../flash';
import { readField } from '../form-fields';
import { attempt, type FormIssues } from '../form-issues';
import { Reauthentication } from '../reauthentication/reauthentication';
import { PageRenderer } from '../page-renderer';
import { redirect } from '../redirect';
import { NewPasskeyPage } from './new-passkey-page';
import { PasskeyPrompts } from '../passkeys/passkey-prompts';
import { RecoveryCodesPage } from './recovery-codes-page';

const PATH = '/settings/second-factor';

/** The user's own passkeys. */
@injectable()
export class PasskeyPages implements DashboardPages {
  constructor(
    @inject(PageRenderer) private readonly renderer: PageRenderer,
    @inject(Reauthentication) private readonly reauthentication: Reauthentication,
    @inject(Passkeys) private readonly passkeys: Passkeys,
    @inject(PasskeyPrompts) private readonly prompts: PasskeyPrompts,
    @inject(RemoveFactors) private readonly removeFactors: RemoveFactors,
  ) {}

  get routes(): readonly DashboardRoute[] {
    const confirmed = { before: this.reauthentication.require() };
    return [
      ['get', `${PATH}/passkey`, 'signed-in', this.offer.bind(this)],
      ['post', `${PATH}/passkey`, 'signed-in', this.add.bind(this), confirmed],
      ['post', `${PATH}/passkey/remove`, 'signed-in', this.remove.bind(this), confirmed],
    ];
  }

  private async offer(req: DashboardRequest, res: DashboardResponse, issues?: FormIssues): Promise<void> {
    const prompt = await this.prompts.ofNew(req, res.locals.userSession.user);
    const page = <NewPasskeyPage prompt={prompt} name={readField(req, 'name')} issues={issues} />;
    this.renderer.render(req, res, { title: 'New passkey', section: 'settings', issues }, page);
  }

  private async add(req: DashboardRequest, res: DashboardResponse): Promise<void> {
    const { user, sessionDigest } = res.locals.userSession;
    const outcome = await attempt(() =>
      this.passkeys.add({
        ...this.prompts.readResponse(req),
        userId: user.id,
        name: readField(req, 'name'),
        keepSession: sessionDigest,
      }),
    );
    if ('issues' in outcome) return this.offer(req, res, outcome.issues);
    if (outcome.result.length > 0) {
      const head = { title: 'Recovery codes', section: 'settings' } as const;
      return this.renderer.render(req, res, head, <RecoveryCodesPage codes={outcome.result} />);
    }
    setFlash(req, { kind: 'success', text: 'The passkey was added. Your other sessions have ended.' });
    redirect(res, PATH);
  }

  private async remove(req: DashboardRequest, res: DashboardResponse): Promise<void> {
    const { id } = res.locals.userSession.user;
    const outcome = await attempt(() => this.removeFactors.removePasskey(id, readField(req, 'id')));
    const reason = 'issues' in outcome ? (outcome.issues.fields.get('factor') ?? 'Cannot be removed') : undefined;
    setFlash(
      req,
      reason !== undefined
        ? {
            kind: 'warning',
            text: `The passkey was not removed: it ${reason.charAt(0).toLowerCase()}${reason.slice(1)}.`,
          }
        : { kind: 'success', text: 'The passkey was removed.' },
    );
    redirect(res, PATH);
  }
}
