import { inject, injectable } from '../../../application/ports/inject';
import { VerifyZone } from '../../../application/hosting/verify-zone';
import {
  getRequester,
  WIDE,
  type DashboardPages,
  type DashboardRequest,
  type DashboardResponse,
  type DashboardRoute,
} from '../dashboard-route';
import { attempt } from '../form-issues';
import { readDomainId, redirectToDomain } from '../layout/domain/domain-request';

/** Looks for the record that proves that a name without a registration is the account's. */
@injectable()
export class VerificationPages implements DashboardPages {
  constructor(@inject(VerifyZone) private readonly verifyZone: VerifyZone) {}

  get routes(): readonly DashboardRoute[] {
    return [['post', '/domains/:id/verify', 'register', this.verify.bind(this), { cost: WIDE }]];
  }

  private async verify(req: DashboardRequest, res: DashboardResponse): Promise<void> {
    const command = { ...getRequester(res), domainId: readDomainId(req) };
    const outcome = await attempt(() => this.verifyZone.execute(command));
    redirectToDomain(req, res, outcome, 'The name is proven to be yours, and its zone is served.');
  }
}
