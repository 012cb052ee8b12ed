import { inject, injectable } from '../../../application/ports/inject';
import { OwnIdentities } from '../../../application/access/identities/own-identities';
import { SignInWithIdentity, type SignedIn } from '../../../application/access/identities/sign-in-with-identity';
import { Reauthenticate } from '../../../application/access/sign-in/reauthenticate';
import type { Assertion, IdentityProvider } from '../../../application/ports/access/authentication';
import { identityId } from '../../../domain/access/people/identity';
import { describeUserRights } from '../../../domain/access/people/role';
import { PayloadTooLarge, RouteNotFound } from '../../shared/errors';
import type { DashboardPages, DashboardRequest, DashboardResponse, DashboardRoute } from '../dashboard-route';
import { setFlash, type Flash } from '../flash';
import { readField, readParameter } from '../form-fields';
import { attempt, type FormIssues } from '../form-issues';
import { providerSessionKey } from '../middleware/session-store';
import { MAX_COOKIE_FORM } from '../middleware/saved-forms';
import { PageRenderer } from '../page-renderer';
import { redirect } from '../redirect';
import { toLocalPath } from '../middleware/local-path';
import { SignInPage } from '../sign-in/sign-in-page';
import { SignInArrival } from '../sign-in/sign-in-arrival';
import { SignInSteps, type SignInTarget } from '../sign-in/sign-in-steps';
import type { UserSession } from '../user-session';
import { AuthorizationFlow, type Arrival, type FlowPurpose } from './authorization-flow';

const SETTINGS = '/settings/providers';

/** Sign-in with a provider, and where browsers return from it. */
@injectable()
export class CallbackPages implements DashboardPages {
  constructor(
    @inject(PageRenderer) private readonly renderer: PageRenderer,
    @inject(AuthorizationFlow) private readonly flow: AuthorizationFlow,
    @inject(SignInWithIdentity) private readonly signIn: SignInWithIdentity,
    @inject(OwnIdentities) private readonly ownIdentities: OwnIdentities,
    @inject(SignInSteps) private readonly steps: SignInSteps,
    @inject(SignInArrival) private readonly arrival: SignInArrival,
    @inject(Reauthenticate) private readonly reauthenticate: Reauthenticate,
  ) {}

  get routes(): readonly DashboardRoute[] {
    return [
      ['get', '/sign-in/with/:provider', 'public', this.start.bind(this)],
      ['post', '/sign-in/with/:provider', 'public', this.startWithForm.bind(this)],
      ['get', '/sign-in/with/:provider/callback', 'public', this.finish.bind(this)],
      ['post', '/set-up/with/:provider', 'public', this.startInvitation.bind(this)],
    ];
  }

  private async start(req: DashboardRequest, res: DashboardResponse): Promise<void> {
    const provider = this.flow.findProvider(req);
    const purpose = { kind: 'sign-in', next: toLocalPath(readParameter(req, 'next')), savedForm: '' } as const;
    const outcome = await attempt(() => this.flow.depart(req, res, provider, purpose));
    if ('issues' in outcome) return this.renderFailure(req, res, outcome.issues);
    redirect(res, outcome.result);
  }

  /** After a form that the end of a session interrupted. */
  private async startWithForm(req: DashboardRequest, res: DashboardResponse): Promise<void> {
    const provider = this.flow.findProvider(req);
    const savedForm = readField(req, 'saved_form');
    if (savedForm.length > MAX_COOKIE_FORM) throw new PayloadTooLarge();
    const purpose = { kind: 'sign-in', next: '/', savedForm } as const;
    const issues = await this.flow.renderLink(req, res, { provider, purpose, cancel: '/sign-in' });
    if (issues) return this.renderFailure(req, res, issues);
  }

  private async startInvitation(req: DashboardRequest, res: DashboardResponse): Promise<void> {
    const provider = this.flow.findProvider(req);
    if (!provider.invitations) throw new RouteNotFound();
    const purpose = { kind: 'invitation', token: readField(req, 'token') } as const;
    const issues = await this.flow.renderLink(req, res, { provider, purpose, cancel: '/sign-in' });
    if (issues) return this.renderFailure(req, res, issues);
  }

  private async finish(req: DashboardRequest, res: DashboardResponse): Promise<void> {
    const arrival = this.flow.arrive(req, res);
    if (!arrival)
      return this.renderFailure(
        req,
        res,
        failure('This sign-in is too old, or it began in another browser. Start again'),
      );
    const { provider, purpose, refusal } = arrival;
    if (refusal !== undefined)
      return this.refuse(req, res, purpose, failure(`${provider.name} did not confirm who you are (${refusal})`));
    const outcome = await attempt(async () => this.proceed(req, res, arrival, await arrival.redeem()));
    if ('issues' in outcome) return this.refuse(req, res, purpose, outcome.issues);
  }

  private async proceed(
    req: DashboardRequest,
    res: DashboardResponse,
    { purpose, lastLogout }: Arrival,
    assertion: Assertion,
  ): Promise<void> {
    const arrived = { ...assertion, lastLogout };
    if (purpose.kind === 'sign-in') return this.open(req, res, await this.signIn.execute(assertion), arrived, purpose);
    if (purpose.kind === 'invitation')
      return this.open(req, res, await this.signIn.acceptInvitation(purpose.token, assertion), arrived);
    const { userSession } = res.locals as Partial<DashboardResponse['locals']>;
    if (userSession?.sessionDigest !== purpose.session) return redirect(res, '/sign-in');
    if (purpose.kind === 'link') {
      await this.ownIdentities.link(userSession.user.id, assertion);
      setFlash(req, { kind: 'success', text: `You can now sign in with ${assertion.provider.name}.` });
      return redirect(res, SETTINGS);
    }
    this.arrival.showForm(req, res, purpose, await this.confirm(userSession, purpose, assertion));
  }

  private async confirm(
    { user: { personId }, sessionDigest }: UserSession,
    { hasEnteredCode }: Extract<FlowPurpose, { kind: 'confirm' }>,
    { provider, secondFactor, ...identity }: Assertion,
  ): Promise<Flash> {
    if (!(await this.ownIdentities.has(personId, identity)))
      return { kind: 'warning', text: `That is not the account at ${provider.name} that you linked.` };
    const confirmation = { sessionDigest, personId, secondFactor, hasEnteredCode };
    return (await this.reauthenticate.recordProvider(confirmation))
      ? { kind: 'success', text: 'You are confirmed for ten minutes. Nothing has been changed yet: send the form.' }
      : {
          kind: 'warning',
          text: `${provider.name} did not confirm a second factor. Send the form again and enter a code before you continue to ${provider.name}.`,
        };
  }

  private async open(
    req: DashboardRequest,
    res: DashboardResponse,
    signedIn: SignedIn,
    {
      provider,
      secondFactor,
      authenticatedAt,
      lastLogout,
      session: sid,
      ...identity
    }: Assertion & Pick<Arrival, 'lastLogout'>,
    { next, savedForm }: Pick<SignInTarget, 'next' | 'savedForm'> = { next: '/', savedForm: '' },
  ): Promise<void> {
    const session = {
      id: provider.id,
      identity: identityId(identity),
      session: sid === undefined ? undefined : providerSessionKey(provider.id, sid),
      authenticatedAt: authenticatedAt?.getTime() ?? null,
      lastLogout,
    };
    const target = { next, savedForm, provider: session, flash: describeRole(provider, signedIn) };
    const user = await this.arrival.chooseUser(signedIn.user, savedForm);
    if (secondFactor) await this.steps.open(req, res, user, { ...target, hasUsedSecondFactor: true });
    else if (!(await this.steps.openOrAsk(req, res, user, target))) return;
    await this.arrival.proceed(req, res, user.id, target);
  }

  private async refuse(
    req: DashboardRequest,
    res: DashboardResponse,
    purpose: FlowPurpose,
    issues: FormIssues,
  ): Promise<void> {
    const { userSession } = res.locals as Partial<DashboardResponse['locals']>;
    const isForSession = purpose.kind === 'link' || purpose.kind === 'confirm';
    if (!isForSession || userSession?.sessionDigest !== purpose.session) return this.renderFailure(req, res, issues);
    const flash = { kind: 'warning', text: textOf(issues) } as const;
    const target = purpose.kind === 'confirm' ? purpose : { next: SETTINGS, savedForm: '' };
    this.arrival.showForm(req, res, target, flash);
  }

  private async renderFailure(req: DashboardRequest, res: DashboardResponse, issues: FormIssues): Promise<void> {
    const page = (
      <SignInPage
        values={{ next: '', email: '', saved_form: '' }}
        reason={textOf(issues)}
        issues={undefined}
        accounts={[]}
        passkey={await this.steps.promptPasskey(req)}
      />
    );
    this.renderer.render(req, res, { title: 'Sign in', issues }, page);
  }
}

function failure(message: string): FormIssues {
  return { status: 401, message, fields: new Map() };
}

function textOf({ message, fields }: FormIssues): string {
  const [field] = fields.values();
  const text =
    message ??
    (field === undefined ? 'That did not work' : `This account ${field.charAt(0).toLowerCase()}${field.slice(1)}`);
  return text.endsWith('.') ? text : `${text}.`;
}

function describeRole({ name }: IdentityProvider, { changedRole, keptAsLastOwner }: SignedIn): Flash | undefined {
  if (changedRole)
    return { kind: 'success', text: `Your role is now ${describeUserRights(changedRole)}, by your groups at ${name}.` };
  return (
    keptAsLastOwner && {
      kind: 'warning',
      text: `You stay owner, whatever your groups at ${name} say, because an account needs one.`,
    }
  );
}
