import { createHash, timingSafeEqual } from 'node:crypto';
import { inject, injectable } from '../../../application/ports/inject';
import { KnownBrowsers } from '../../../application/access/sign-in/known-browsers';
import type { PasskeyPrompt } from '../../../application/access/second-factor/passkeys';
import { FactorReader } from '../../../application/ports/access/authentication';
import { UserReader } from '../../../application/ports/access/users';
import { Clock, SealBroken, SecretBox } from '../../../application/ports/system';
import { hasSecondFactor } from '../../../domain/access/factors/second-factor-rule';
import type { User } from '../../../domain/access/people/user';
import type { DashboardRequest, DashboardResponse } from '../dashboard-route';
import type { FormIssues } from '../form-issues';
import { readBrowserMarks, rememberBrowser } from '../middleware/known-browser';
import { openSession, type SessionStart } from '../middleware/sessions';
import { PasskeyPrompts } from '../passkeys/passkey-prompts';
import { PageRenderer } from '../page-renderer';
import { SecondFactorPage } from './second-factor-page';

/** What follows after sign-in, kept in the forms on the way. */
export interface SignInTarget extends Pick<SessionStart, 'provider' | 'flash'> {
  readonly next: string;
  readonly savedForm: string;
}

/** A user who has passed the first step, by a password or a provider, and not yet the second factor. */
interface PendingSignIn extends SignInTarget {
  readonly user: User;
}

interface Ticket extends SignInTarget {
  readonly userId: string;
  readonly passwordDigest: string;
  readonly until: number;
}

const PURPOSE = 'second factor of a sign-in';
const LIFETIME_MS = 300_000;

/** The steps from a right password, or a provider, to a session: with a second factor, its form comes between them. */
@injectable()
export class SignInSteps {
  constructor(
    @inject(PageRenderer) private readonly renderer: PageRenderer,
    @inject(FactorReader) private readonly factors: FactorReader,
    @inject(UserReader) private readonly users: UserReader,
    @inject(PasskeyPrompts) private readonly prompts: PasskeyPrompts,
    @inject(KnownBrowsers) private readonly browsers: KnownBrowsers,
    @inject(SecretBox) private readonly box: SecretBox,
    @inject(Clock) private readonly clock: Clock,
  ) {}

  /** Opens a session unless the user has a second factor: then it shows the form for it and returns false. @throws WrongCredentials */
  async openOrAsk(req: DashboardRequest, res: DashboardResponse, user: User, target: SignInTarget): Promise<boolean> {
    if (!hasSecondFactor(await this.factors.ofUser(user.toState().personId))) {
      await this.open(req, res, user, target);
      return true;
    }
    await this.renderForm(req, res, user, this.seal(user, target));
    return false;
  }

  async open(req: DashboardRequest, res: DashboardResponse, user: User, start: SessionStart): Promise<void> {
    const isNewBrowser = !this.browsers.isKnown(user, readBrowserMarks(req));
    await openSession(req, user, { ...start, isNewBrowser });
    rememberBrowser(req, res, user.id, this.browsers.markOf(user));
  }

  async renderForm(
    req: DashboardRequest,
    res: DashboardResponse,
    user: User,
    ticket: string,
    issues?: FormIssues,
  ): Promise<void> {
    const { personId } = user.toState();
    const { totp, passkeys } = await this.factors.ofUser(personId);
    const passkey = passkeys.length > 0 ? await this.prompts.ofPerson(req, personId, false) : undefined;
    const page = <SecondFactorPage ticket={ticket} hasApp={totp !== undefined} passkey={passkey} issues={issues} />;
    this.renderer.render(req, res, { title: 'Second factor', issues }, page);
  }

  /** For a sign-in without a password. Undefined if passkeys cannot be used at this address. */
  promptPasskey(req: DashboardRequest): Promise<PasskeyPrompt | undefined> {
    return this.prompts.ofSignIn(req);
  }

  /** The user of the passkey in the form; after a password, of the person with `personId`. @throws ValidationError naming `passkey` */
  verifyPasskey(req: DashboardRequest, personId?: string): Promise<User> {
    return this.prompts.verify(req, {
      isOnlyFactor: personId === undefined,
      ...(personId !== undefined && { personId }),
    });
  }

  /** Undefined if the ticket is older than five minutes, or the password has changed since. */
  async read(sealed: string): Promise<PendingSignIn | undefined> {
    const ticket = this.unseal(sealed);
    if (!ticket || ticket.until <= this.clock.now().getTime()) return undefined;
    const user = await this.users.find(ticket.userId);
    const { userId: _userId, passwordDigest, until: _until, ...target } = ticket;
    return user && timingSafeEqual(Buffer.from(digestOf(user)), Buffer.from(passwordDigest))
      ? { user, ...target }
      : undefined;
  }

  /** Where a sign-in leads that may have begun too long ago. */
  targetOf(sealed: string): Pick<SignInTarget, 'next' | 'savedForm'> {
    return this.unseal(sealed) ?? { next: '', savedForm: '' };
  }

  private seal(user: User, target: SignInTarget): string {
    const until = this.clock.now().getTime() + LIFETIME_MS;
    const ticket: Ticket = { ...target, userId: user.id, passwordDigest: digestOf(user), until };
    return this.box.seal(JSON.stringify(ticket), PURPOSE);
  }

  private unseal(sealed: string): Ticket | undefined {
    try {
      return JSON.parse(this.box.open(sealed, PURPOSE)) as Ticket;
    } catch (error) {
      if (error instanceof SealBroken) return undefined;
      throw error;
    }
  }
}

function digestOf(user: User): string {
  return createHash('sha256')
    .update(user.toState().passwordHash ?? '')
    .digest('hex');
}
