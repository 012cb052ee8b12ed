import { ApprovalNeeded } from '../../application/access/approvals/approval-needed';
import { inject, injectable } from '../../application/ports/inject';
import type { Proposal } from '../../domain/access/proposals/proposal';
import { writeOf } from '../api/proposals/attempted-writes';
import { ProposedWrites } from '../api/proposals/proposed-writes';
import { getRequester, type DashboardRequest, type DashboardResponse } from './dashboard-route';
import { setFlash } from './flash';
import { redirect } from './redirect';
import { hasEveryDomain } from './user-session';

const REASON = 'Sent from the dashboard. Needs a second person by the approval rules of the account';

/** Makes proposals of what forms ask for and the approval rules of the account give to a second person. */
@injectable()
export class ProposedForms {
  constructor(@inject(ProposedWrites) private readonly writes: ProposedWrites) {}

  /** @throws what `handle` throws, and what the proposal is refused with */
  async handle(req: DashboardRequest, res: DashboardResponse, handle: () => Promise<void> | void): Promise<void> {
    try {
      await handle();
    } catch (error) {
      const proposal = await this.propose(res, error);
      setFlash(req, {
        kind: 'warning',
        text: 'Nothing was changed yet: this needs a second person. It is done when someone else accepts the proposal.',
      });
      redirect(res, hasEveryDomain(res.locals.userSession) ? `/proposals/${proposal.id}` : '/');
    }
  }

  /** @throws `error` itself unless it is an ApprovalNeeded for what can be proposed; what the proposal is refused with */
  async propose(res: DashboardResponse, error: unknown): Promise<Proposal> {
    if (!(error instanceof ApprovalNeeded) || !error.attempted) throw error;
    const scope = res.locals.userSession.user.role === 'owner' ? 'ADMIN' : 'WRITE';
    return this.writes.propose({ ...getRequester(res), scope }, writeOf(error.attempted), REASON);
  }
}
