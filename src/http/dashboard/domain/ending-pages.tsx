import { inject, injectable } from 'inversify';
import { DeleteDomain } from '../../../application/registration/delete-domain';
import { FindDomain } from '../../../application/registration/find-domain';
import { RestoreDomain } from '../../../application/registration/restore-domain';
import { displayName } from '../domains/domain-words';
import { attempt, type FormIssues } from '../form-issues';
import { agreedPrice, isPrice, price } from '../layout/money';
import { setFlash } from '../notice';
import { Reauthentication } from '../middleware/reauthentication';
import { Outages } from '../outages';
import { Pages } from '../pages';
import {
  assertMayTransfer,
  requesterOf,
  type DashboardPages,
  type DashboardRequest,
  type DashboardResponse,
  type DashboardRoute,
} from '../visitor';
import { DeletePage } from './delete-page';
import { RestoreDomainPage } from './restore-domain-page';
import { seeOther } from '../see-other';

/** The end of a domain, and the way back from it: with price and consequence before either. */
@injectable()
export class EndingPages implements DashboardPages {
  constructor(
    @inject(Pages) private readonly pages: Pages,
    @inject(Reauthentication) private readonly reauthentication: Reauthentication,
    @inject(Outages) private readonly outages: Outages,
    @inject(FindDomain) private readonly findDomain: FindDomain,
    @inject(RestoreDomain) private readonly restoreDomain: RestoreDomain,
    @inject(DeleteDomain) private readonly deleteDomain: DeleteDomain,
  ) {}

  get routes(): readonly DashboardRoute[] {
    return [
      ['get', '/domains/:id/restore', 'member', this.reviewRestore.bind(this)],
      ['post', '/domains/:id/restore', 'member', this.restore.bind(this)],
      ['get', '/domains/:id/delete', 'member', this.showDeletion.bind(this)],
      ['post', '/domains/:id/delete', 'member', this.reauthentication.beforeTransfer(this.delete.bind(this))],
    ];
  }

  private async restore(req: DashboardRequest, res: DashboardResponse): Promise<void> {
    const outcome = await attempt(() =>
      this.restoreDomain.execute({ ...requesterOf(res), domainId: idOf(req), agreed: agreedPrice(req) }),
    );
    const agreed = agreedPrice(req);
    const again = {
      title: 'Restore the domain',
      submit: isPrice(agreed) ? `Try again: restore for ${price(agreed)}` : 'Try again',
    };
    if ('issues' in outcome && this.outages.offersRepeat(req, res, outcome.issues, again)) return;
    if ('issues' in outcome) return this.reviewRestore(req, res, outcome.issues);
    setFlash(req, { kind: 'done', text: `${displayName(outcome.result.domain.toState().name)} is back.` });
    seeOther(res, `/domains/${idOf(req)}`);
  }

  private showDeletion(req: DashboardRequest, res: DashboardResponse): Promise<void> {
    assertMayTransfer(res.locals.visitor);
    return this.reviewDeletion(req, res);
  }

  private async delete(req: DashboardRequest, res: DashboardResponse): Promise<void> {
    const { name } = await this.find(req, res);
    const outcome = await attempt(() => this.deleteDomain.execute({ ...requesterOf(res), domainId: idOf(req) }));
    if ('issues' in outcome) return this.reviewDeletion(req, res, outcome.issues);
    setFlash(req, { kind: 'done', text: `${displayName(name)} is deleted, and its price refunded.` });
    seeOther(res, '/domains');
  }

  private async reviewRestore(req: DashboardRequest, res: DashboardResponse, refusal?: FormIssues): Promise<void> {
    const domain = await this.find(req, res);
    const outcome = await attempt(() =>
      this.restoreDomain.review({ accountId: domain.accountId, domainId: domain.id }),
    );
    const issues = refusal ?? ('issues' in outcome ? outcome.issues : undefined);
    const fee = 'result' in outcome ? outcome.result.price : undefined;
    const head = { title: `Restore ${displayName(domain.name)}`, section: 'domains', issues } as const;
    this.pages.send(req, res, head, <RestoreDomainPage domain={domain} price={fee} issues={issues} />);
  }

  private async reviewDeletion(req: DashboardRequest, res: DashboardResponse, issues?: FormIssues): Promise<void> {
    const domain = await this.find(req, res);
    const head = { title: `Delete ${displayName(domain.name)}`, section: 'domains', issues } as const;
    this.pages.send(
      req,
      res,
      head,
      <DeletePage domain={domain} until={this.deleteDomain.possibleUntil(domain)} issues={issues} />,
    );
  }

  private async find(req: DashboardRequest, res: DashboardResponse) {
    return (await this.findDomain.byId({ accountId: res.locals.visitor.accountId, domainId: idOf(req) })).toState();
  }
}

function idOf(req: DashboardRequest): string {
  return req.params['id'] ?? '';
}
