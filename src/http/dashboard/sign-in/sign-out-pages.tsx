import type { ErrorRequestHandler } from 'express';
import { inject, injectable } from '../../../application/ports/inject';
import { IdentityProviders } from '../../../application/ports/access/authentication';
import { FormExpired } from '../../shared/errors';
import type { DashboardPages, DashboardRequest, DashboardResponse, DashboardRoute } from '../dashboard-route';
import { DashboardSettings } from '../dashboard-settings';
import { closeSession } from '../middleware/sessions';
import { PageRenderer } from '../page-renderer';
import { redirect } from '../redirect';
import { serviceUrl } from '../service-url';

/** Ends the session; after a sign-in with a provider, it offers to sign out there, too (OpenID Connect RP-Initiated Logout 1.0). */
@injectable()
export class SignOutPages implements DashboardPages {
  constructor(
    @inject(PageRenderer) private readonly renderer: PageRenderer,
    @inject(IdentityProviders) private readonly providers: IdentityProviders,
    @inject(DashboardSettings) private readonly settings: DashboardSettings,
  ) {}

  get routes(): readonly DashboardRoute[] {
    return [['post', '/sign-out', 'public', this.signOut.bind(this), { onError: acceptExpiredForm }]];
  }

  private async signOut(req: DashboardRequest, res: DashboardResponse): Promise<void> {
    const provider = this.providers.all.find(({ id }) => id === req.session.provider);
    await closeSession(req, res);
    delete (res.locals as Partial<DashboardResponse['locals']>).userSession;
    const url = provider && (await this.providers.signOutUrl(provider, `${serviceUrl(req, this.settings)}/sign-in`));
    if (url === undefined) return redirect(res, '/sign-in');
    const page = (
      <section class="card narrow">
        <h1>You are signed out of Namewright</h1>
        <p>You are still signed in at {provider?.name}, if you have not signed out there.</p>
        <p class="actions">
          <a class="button primary" href={url}>
            Sign out of {provider?.name}
          </a>
          <a class="button" href="/sign-in">
            Go to sign-in
          </a>
        </p>
      </section>
    );
    this.renderer.render(req, res, { title: 'Signed out' }, page);
  }
}

/** A tab may be older than a sign-out in another: then there is nothing left to do. */
const acceptExpiredForm: ErrorRequestHandler = (error, _req, res, next) => {
  if (error instanceof FormExpired && res.locals['userSession'] === undefined) redirect(res, '/sign-in');
  else next(error);
};
