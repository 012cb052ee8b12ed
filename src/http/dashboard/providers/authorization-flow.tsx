import { timingSafeEqual } from 'node:crypto';
import { inject, injectable } from '../../../application/ports/inject';
import { countAttempt } from '../../../application/access/sign-in/count-attempt';
import {
  IdentityProviders,
  ProviderRefused,
  type Assertion,
  type IdentityProvider,
  type ProviderRequest,
} from '../../../application/ports/access/authentication';
import { SignInAddressLimiter, type RateLimiter } from '../../../application/ports/access/rate-limits-and-usage';
import { Clock, SealBroken, SecretBox } from '../../../application/ports/system';
import { RouteNotFound } from '../../shared/errors';
import type { DashboardRequest, DashboardResponse } from '../dashboard-route';
import { DashboardSettings } from '../dashboard-settings';
import { readParameter } from '../form-fields';
import { attempt, type FormIssues } from '../form-issues';
import { cookieName } from '../middleware/cookies';
import { SessionStore } from '../middleware/session-store';
import { PageRenderer } from '../page-renderer';
import { serviceUrl } from '../service-url';
import { ContinuePage } from './continue-page';

/** Why the browser goes to a provider. */
export type FlowPurpose =
  | { readonly kind: 'sign-in'; readonly next: string; readonly savedForm: string }
  | { readonly kind: 'invitation'; readonly token: string }
  /** For the session with that digest only. */
  | { readonly kind: 'link'; readonly session: string }
  | {
      readonly kind: 'confirm';
      readonly session: string;
      readonly next: string;
      /** The form to confirm, sealed; empty if it was not kept. */
      readonly savedForm: string;
      /** Whether the user entered a code of the second factor. */
      readonly hasEnteredCode: boolean;
    };

interface FlowState extends ProviderRequest {
  readonly provider: string;
  readonly purpose: FlowPurpose;
  readonly until: number;
  readonly lastLogout: number;
}

export interface Arrival {
  readonly provider: IdentityProvider;
  readonly purpose: FlowPurpose;
  /** `SessionStore.lastLogout` when the browser went to the provider. */
  readonly lastLogout: number;
  /** What the provider says, once it was asked: call it once. @throws ProviderUnavailable, ProviderRefused, RateLimitExceeded */
  readonly redeem: () => Promise<Assertion>;
  /** The OAuth error code, if the provider sent one (RFC 6749, section 4.1.2.1). */
  readonly refusal: string | undefined;
}

const COOKIE = 'namewright-provider';
const PURPOSE = 'authorization flow';
const LIFETIME_MS = 600_000;

/** Sends browsers to providers and takes them back. A sealed cookie has the state between, so that only the same browser can return. */
@injectable()
export class AuthorizationFlow {
  constructor(
    @inject(PageRenderer) private readonly renderer: PageRenderer,
    @inject(IdentityProviders) private readonly providers: IdentityProviders,
    @inject(SignInAddressLimiter) private readonly byAddress: RateLimiter<'sign-in-address'>,
    @inject(DashboardSettings) private readonly settings: DashboardSettings,
    @inject(SessionStore) private readonly sessions: SessionStore,
    @inject(SecretBox) private readonly box: SecretBox,
    @inject(Clock) private readonly clock: Clock,
  ) {}

  /** The provider in the path. @throws RouteNotFound */
  findProvider({ params }: DashboardRequest): IdentityProvider {
    const found = this.providers.all.find(({ id }) => id === params['provider']);
    if (!found) throw new RouteNotFound();
    return found;
  }

  /**
   * Shows a link to the provider, because browsers do not let a form lead to another site (`form-action`).
   * Returns why not, if the provider does not respond.
   */
  async renderLink(
    req: DashboardRequest,
    res: DashboardResponse,
    { provider, purpose, cancel }: { provider: IdentityProvider; purpose: FlowPurpose; cancel: string },
  ): Promise<FormIssues | undefined> {
    const outcome = await attempt(() => this.depart(req, res, provider, purpose));
    if ('issues' in outcome) return outcome.issues;
    const page = <ContinuePage name={provider.name} url={outcome.result} cancel={cancel} />;
    this.renderer.render(req, res, { title: `Continue to ${provider.name}` }, page);
    return undefined;
  }

  /** The URL of the provider to which the browser goes next. @throws ProviderUnavailable */
  async depart(
    req: DashboardRequest,
    res: DashboardResponse,
    provider: IdentityProvider,
    purpose: FlowPurpose,
  ): Promise<string> {
    const fresh = purpose.kind === 'confirm';
    const { url, request } = await this.providers.start(provider, {
      redirectUri: this.callbackOf(req, provider),
      fresh,
    });
    const lastLogout = await this.sessions.lastLogout();
    const until = this.clock.now().getTime() + LIFETIME_MS;
    const state: FlowState = { ...request, provider: provider.id, purpose, until, lastLogout };
    res.cookie(cookieName(req, COOKIE), this.box.seal(JSON.stringify(state), PURPOSE), {
      ...cookieOptions(req),
      maxAge: LIFETIME_MS,
    });
    return url;
  }

  /** Undefined if the browser did not start the flow, or more than ten minutes ago. */
  arrive(req: DashboardRequest, res: DashboardResponse): Arrival | undefined {
    const provider = this.findProvider(req);
    const started = this.readState(req);
    res.clearCookie(cookieName(req, COOKIE), cookieOptions(req));
    if (started?.provider !== provider.id || started.until <= this.clock.now().getTime()) return undefined;
    const { purpose, state, nonce, codeVerifier } = started;
    if (!isSame(readParameter(req, 'state'), state)) return undefined;
    const error = readParameter(req, 'error');
    const currentUrl = `${this.callbackOf(req, provider)}${new URL(req.originalUrl, 'http://localhost').search}`;
    const fresh = purpose.kind === 'confirm';
    return {
      provider,
      purpose,
      lastLogout: started.lastLogout,
      refusal: error === '' ? undefined : /^[a-z_]{1,40}$/.test(error) ? error : 'error',
      redeem: async () => {
        await countAttempt(this.byAddress, req.ip ?? '');
        const found = await this.providers.finish(provider, { state, nonce, codeVerifier, currentUrl, fresh });
        if (found.issuer === '' || found.subject === '') throw new ProviderRefused(provider);
        return found;
      },
    };
  }

  private callbackOf(req: DashboardRequest, { id }: IdentityProvider): string {
    return `${serviceUrl(req, this.settings)}/sign-in/with/${id}/callback`;
  }

  private readState({ cookies, secure }: DashboardRequest): FlowState | undefined {
    const sealed = (cookies as Readonly<Record<string, unknown>>)[cookieName({ secure }, COOKIE)];
    if (typeof sealed !== 'string') return undefined;
    try {
      return JSON.parse(this.box.open(sealed, PURPOSE)) as FlowState;
    } catch (error) {
      if (error instanceof SealBroken) return undefined;
      throw error;
    }
  }
}

function cookieOptions({ secure }: DashboardRequest) {
  return { path: '/', httpOnly: true, sameSite: 'lax', secure } as const;
}

function isSame(one: string, other: string): boolean {
  const [left, right] = [Buffer.from(one), Buffer.from(other)];
  return left.length === right.length && timingSafeEqual(left, right);
}
