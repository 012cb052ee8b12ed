import { createHash, timingSafeEqual } from 'node:crypto';
import { inject, injectable } from 'inversify';
import { KnownBrowsers } from '../../../application/access/sign-in/known-browsers';
import { FactorReader } from '../../../application/ports/access/factor-repository';
import { UserReader } from '../../../application/ports/access/user-repository';
import { Clock } from '../../../application/ports/system/clock';
import { SealBroken, SecretBox } from '../../../application/ports/system/secret-box';
import type { User } from '../../../domain/access/people/user';
import type { DashboardRequest, DashboardResponse } from '../dashboard-route';
import type { FormIssues } from '../form-issues';
import { rememberBrowser } from '../middleware/known-browser';
import { openSession } from '../middleware/sessions';
import { PageRenderer } from '../page-renderer';
import { SecondFactorPage } from './second-factor-page';

/** What follows after sign-in, kept in the forms on the way. */
export interface SignInTarget {
  readonly next: string;
  readonly savedForm: string;
}

/** A user who has entered the right password and not yet the second factor. */
export interface PendingSignIn extends SignInTarget {
  readonly user: User;
}

interface Ticket extends SignInTarget {
  readonly userId: string;
  readonly passwordDigest: string;
  readonly until: number;
}

const PURPOSE = 'second factor of a sign-in';
const LIFETIME_MS = 300_000;

/** The steps from a right password to a session: with a second factor, its form comes between them. */
@injectable()
export class SignInSteps {
  constructor(
    @inject(PageRenderer) private readonly renderer: PageRenderer,
    @inject(FactorReader) private readonly factors: FactorReader,
    @inject(UserReader) private readonly users: UserReader,
    @inject(KnownBrowsers) private readonly browsers: KnownBrowsers,
    @inject(SecretBox) private readonly box: SecretBox,
    @inject(Clock) private readonly clock: Clock,
  ) {}

  /** Opens a session unless the user has a second factor: then it shows the form for it and returns false. @throws WrongCredentials */
  async openOrAsk(req: DashboardRequest, res: DashboardResponse, user: User, target: SignInTarget): Promise<boolean> {
    const { totp } = await this.factors.ofUser(user.id);
    if (!totp) {
      await this.open(req, res, user);
      return true;
    }
    this.renderForm(req, res, this.seal(user, target));
    return false;
  }

  async open(req: DashboardRequest, res: DashboardResponse, user: User, secondFactor = false): Promise<void> {
    await openSession(req, user, secondFactor);
    rememberBrowser(req, res, user.id, this.browsers.markOf(user));
  }

  renderForm(req: DashboardRequest, res: DashboardResponse, ticket: string, issues?: FormIssues): void {
    const page = <SecondFactorPage ticket={ticket} issues={issues} />;
    this.renderer.render(req, res, { title: 'Second factor', issues }, page);
  }

  /** Undefined if the ticket is older than five minutes, or the password has changed since. */
  async read(sealed: string): Promise<PendingSignIn | undefined> {
    const ticket = this.unseal(sealed);
    if (!ticket || ticket.until <= this.clock.now().getTime()) return undefined;
    const user = await this.users.find(ticket.userId);
    return user && timingSafeEqual(Buffer.from(digestOf(user)), Buffer.from(ticket.passwordDigest))
      ? { user, next: ticket.next, savedForm: ticket.savedForm }
      : undefined;
  }

  private seal(user: User, { next, savedForm }: SignInTarget): string {
    const until = this.clock.now().getTime() + LIFETIME_MS;
    const ticket: Ticket = { userId: user.id, passwordDigest: digestOf(user), next, savedForm, until };
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
