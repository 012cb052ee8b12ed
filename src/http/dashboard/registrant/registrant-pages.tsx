import { inject, injectable } from '../../../application/ports/inject';
import { ChangeRegistrant } from '../../../application/registration/settings/change-registrant';
import { FindDomain } from '../../../application/registration/find-domain';
import type { DomainState } from '../../../domain/registration/domain';
import { displayName } from '../layout/domain/domain-labels';
import { attempt, type FormIssues } from '../form-issues';
import type { FormValues } from '../layout/forms/forms';
import { PageRenderer } from '../page-renderer';
import { readRegistrant, toRegistrantValues } from './registrant-fields';
import {
  getRequester,
  type DashboardPages,
  type DashboardRequest,
  type DashboardResponse,
  type DashboardRoute,
} from '../dashboard-route';
import { RegistrantPage } from './registrant-page';
import { findDomainOf, readDomainId, redirectToDomain } from '../layout/domain/domain-request';

/** The registrant of a domain. */
@injectable()
export class RegistrantPages implements DashboardPages {
  constructor(
    @inject(PageRenderer) private readonly renderer: PageRenderer,
    @inject(FindDomain) private readonly findDomain: FindDomain,
    @inject(ChangeRegistrant) private readonly changeRegistrant: ChangeRegistrant,
  ) {}

  get routes(): readonly DashboardRoute[] {
    return [
      ['get', '/domains/:id/registrant', 'settings', this.editRegistrant.bind(this)],
      ['post', '/domains/:id/registrant', 'settings', this.putRegistrant.bind(this)],
    ];
  }

  private async editRegistrant(req: DashboardRequest, res: DashboardResponse): Promise<void> {
    const domain = await findDomainOf(req, res, this.findDomain);
    this.renderRegistrant(req, res, domain, domain.registrant ? toRegistrantValues(domain.registrant) : {});
  }

  private async putRegistrant(req: DashboardRequest, res: DashboardResponse): Promise<void> {
    const registrant = readRegistrant(req);
    const outcome = await attempt(
      () => this.changeRegistrant.execute({ ...getRequester(res), domainId: readDomainId(req), registrant }),
      { prefix: 'registrant.' },
    );
    if ('issues' in outcome)
      return this.renderRegistrant(
        req,
        res,
        await findDomainOf(req, res, this.findDomain),
        toRegistrantValues(registrant),
        outcome.issues,
      );
    redirectToDomain(req, res, outcome, 'The registrant was changed.');
  }

  private renderRegistrant(
    req: DashboardRequest,
    res: DashboardResponse,
    domain: DomainState,
    values: FormValues,
    issues?: FormIssues,
  ): void {
    const head = { title: `Registrant of ${displayName(domain.name)}`, section: 'domains', issues } as const;
    this.renderer.render(req, res, head, <RegistrantPage domain={domain} values={values} issues={issues} />);
  }
}
