import { inject, injectable } from '../../../../application/ports/inject';
import { BindingQuotes } from '../../../../application/operations/binding-quotes';
import { DeleteZone } from '../../../../application/hosting/delete-zone';
import { DeleteDomain } from '../../../../application/registration/delete-domain';
import { FindDomain } from '../../../../application/registration/find-domain';
import { RestoreDomain } from '../../../../application/registration/restore-domain';
import { findDomainOf, readDomainId } from '../../layout/domain/domain-request';
import type { DomainState } from '../../../../domain/registration/domain';
import { isHosted } from '../../../../domain/registration/domain-status';
import { displayName } from '../../layout/domain/domain-labels';
import { attempt, type FormIssues } from '../../form-issues';
import { readAgreedPrice, readPriceLimit, isPrice, formatPrice } from '../../layout/money';
import { setFlash } from '../../flash';
import { Reauthentication } from '../../reauthentication/reauthentication';
import { OutageRetry } from '../../outage-retry';
import { PageRenderer } from '../../page-renderer';
import { assertMayTransfer } from '../../user-session';
import {
  getRequester,
  type DashboardPages,
  type DashboardRequest,
  type DashboardResponse,
  type DashboardRoute,
} from '../../dashboard-route';
import { DeletePage } from './delete-page';
import { RestoreDomainPage } from './restore-domain-page';
import { readKeepZone } from '../../layout/domain/keep-zone-field';
import { redirect } from '../../redirect';
import { assertTypedName } from './typed-name';

/** Deletion of a domain, and its restore from redemption (RFC 3915). Both with a review first. */
@injectable()
export class DeletionPages implements DashboardPages {
  constructor(
    @inject(PageRenderer) private readonly renderer: PageRenderer,
    @inject(Reauthentication) private readonly reauthentication: Reauthentication,
    @inject(OutageRetry) private readonly outageRetry: OutageRetry,
    @inject(FindDomain) private readonly findDomain: FindDomain,
    @inject(RestoreDomain) private readonly restoreDomain: RestoreDomain,
    @inject(BindingQuotes) private readonly quotes: Pick<BindingQuotes, 'issue'>,
    @inject(DeleteDomain) private readonly deleteDomain: DeleteDomain,
    @inject(DeleteZone) private readonly deleteZone: DeleteZone,
  ) {}

  get routes(): readonly DashboardRoute[] {
    return [
      ['get', '/domains/:id/restore', 'renew', this.reviewRestore.bind(this)],
      ['post', '/domains/:id/restore', 'renew', this.restore.bind(this)],
      ['get', '/domains/:id/delete', 'register', this.showDeletion.bind(this)],
      [
        'post',
        '/domains/:id/delete',
        'register',
        this.delete.bind(this),
        { before: this.reauthentication.requireForTransfer() },
      ],
    ];
  }

  private async restore(req: DashboardRequest, res: DashboardResponse): Promise<void> {
    const outcome = await attempt(() =>
      this.restoreDomain.execute({ ...getRequester(res), domainId: readDomainId(req), limit: readPriceLimit(req) }),
    );
    const agreed = readAgreedPrice(req);
    const again = {
      title: 'Restore the domain',
      submit: isPrice(agreed) ? `Try again: restore for ${formatPrice(agreed)}` : 'Try again',
    };
    if ('issues' in outcome && this.outageRetry.offerRetry(req, res, outcome.issues, again)) return;
    if ('issues' in outcome) return this.reviewRestore(req, res, outcome.issues);
    setFlash(req, { kind: 'success', text: `${displayName(outcome.result.domain.toState().name)} was restored.` });
    redirect(res, `/domains/${readDomainId(req)}`);
  }

  private showDeletion(req: DashboardRequest, res: DashboardResponse): Promise<void> {
    assertMayTransfer(res.locals.userSession);
    return this.reviewDeletion(req, res);
  }

  private async delete(req: DashboardRequest, res: DashboardResponse): Promise<void> {
    const { name, status } = await this.find(req, res);
    const isZone = isHosted(status);
    const outcome = await attempt(async () => {
      assertTypedName(req, name);
      const command = { ...getRequester(res), domainId: readDomainId(req) };
      await (isZone
        ? this.deleteZone.execute(command)
        : this.deleteDomain.execute({ ...command, keepZone: readKeepZone(req) }));
    });
    if ('issues' in outcome) return this.reviewDeletion(req, res, outcome.issues);
    const text = `${displayName(name)} was deleted${isZone ? '' : ' and its price refunded'}.`;
    setFlash(req, { kind: 'success', text });
    redirect(res, '/domains');
  }

  private async reviewRestore(req: DashboardRequest, res: DashboardResponse, refusal?: FormIssues): Promise<void> {
    const domain = await this.find(req, res);
    const outcome = await attempt(() => this.restoreDomain.review({ ...getRequester(res), domainId: domain.id }));
    const issues = refusal ?? ('issues' in outcome ? outcome.issues : undefined);
    const fee = 'result' in outcome ? outcome.result.price : undefined;
    const head = { title: `Restore ${displayName(domain.name)}`, section: 'domains', issues } as const;
    const { accountId } = getRequester(res);
    const quote = fee && this.quotes.issue(accountId, { name: domain.name, prices: { restore: { price: fee } } });
    const page = <RestoreDomainPage domain={domain} price={fee} quoteId={quote?.id} issues={issues} />;
    this.renderer.render(req, res, head, page);
  }

  private async reviewDeletion(req: DashboardRequest, res: DashboardResponse, issues?: FormIssues): Promise<void> {
    const domain = await this.find(req, res);
    const head = { title: `Delete ${displayName(domain.name)}`, section: 'domains', issues } as const;
    this.renderer.render(
      req,
      res,
      head,
      <DeletePage domain={domain} until={this.deleteDomain.possibleUntil(domain)} issues={issues} />,
    );
  }

  private find(req: DashboardRequest, res: DashboardResponse): Promise<DomainState> {
    return findDomainOf(req, res, this.findDomain);
  }
}
