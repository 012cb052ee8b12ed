import { inject, injectable } from '../../../../application/ports/inject';
import { FindDomain } from '../../../../application/registration/find-domain';
import { ReleaseDomain } from '../../../../application/transfers/release-domain';
import {
  getRequester,
  type DashboardPages,
  type DashboardRequest,
  type DashboardResponse,
  type DashboardRoute,
} from '../../dashboard-route';
import { displayName } from '../../layout/domain/domain-labels';
import { readField } from '../../form-fields';
import { attempt, OUTAGE, type FormIssues } from '../../form-issues';
import { Reauthentication } from '../../reauthentication/reauthentication';
import { PageRenderer } from '../../page-renderer';
import { assertMayTransfer } from '../../user-session';
import { readKeepZone } from '../../layout/domain/keep-zone-field';
import { findDomainOf, redirectToDomain } from '../../layout/domain/domain-request';
import { ReleasePage } from './release-page';
import { assertTypedName } from './typed-name';

/** The release of a domain to another registrar's tag, at registries where the losing registrar does that. */
@injectable()
export class ReleasePages implements DashboardPages {
  constructor(
    @inject(PageRenderer) private readonly renderer: PageRenderer,
    @inject(Reauthentication) private readonly reauthentication: Reauthentication,
    @inject(FindDomain) private readonly findDomain: FindDomain,
    @inject(ReleaseDomain) private readonly releaseDomain: ReleaseDomain,
  ) {}

  get routes(): readonly DashboardRoute[] {
    return [
      ['get', '/domains/:id/release', 'transfer', this.show.bind(this)],
      [
        'post',
        '/domains/:id/release',
        'transfer',
        this.release.bind(this),
        { before: this.reauthentication.requireForTransfer() },
      ],
    ];
  }

  private show(req: DashboardRequest, res: DashboardResponse): Promise<void> {
    assertMayTransfer(res.locals.userSession);
    return this.review(req, res);
  }

  private async release(req: DashboardRequest, res: DashboardResponse): Promise<void> {
    const { id, name } = await findDomainOf(req, res, this.findDomain);
    const registrarTag = readField(req, 'registrar_tag').trim();
    const outcome = await attempt(async () => {
      assertTypedName(req, name);
      return this.releaseDomain.execute({
        ...getRequester(res),
        domainId: id,
        registrarTag,
        keepZone: readKeepZone(req),
      });
    });
    // In an outage the operation continues, so the form must not be sent again.
    if ('issues' in outcome && outcome.issues.status !== OUTAGE)
      return this.review(req, res, { registrarTag, issues: outcome.issues });
    const hasLeft = 'result' in outcome && outcome.result.domain.hasLeft;
    redirectToDomain(
      req,
      res,
      outcome,
      hasLeft
        ? `${displayName(name)} was released to ${registrarTag} and has left this account.`
        : `The registry accepted the release to ${registrarTag}. ${displayName(name)} stays here until the other registrar accepts it.`,
    );
  }

  private async review(
    req: DashboardRequest,
    res: DashboardResponse,
    refused?: { readonly registrarTag: string; readonly issues: FormIssues },
  ): Promise<void> {
    const domain = await findDomainOf(req, res, this.findDomain);
    const review = await attempt(() => this.releaseDomain.review(domain));
    const issues = refused?.issues ?? ('issues' in review ? review.issues : undefined);
    this.renderer.render(
      req,
      res,
      { title: `Release ${displayName(domain.name)}`, section: 'domains', issues },
      <ReleasePage
        domain={domain}
        warnings={'result' in review ? review.result : undefined}
        values={{ registrar_tag: refused?.registrarTag }}
        issues={issues}
      />,
    );
  }
}
