import { inject, injectable } from '../../../application/ports/inject';
import { ReadSecondaries } from '../../../application/dns/publishing/read-secondaries';
import { AccountReader } from '../../../application/ports/access/accounts-and-api-keys';
import type { DashboardPages, DashboardRequest, DashboardResponse, DashboardRoute } from '../dashboard-route';
import { PageRenderer } from '../page-renderer';
import { SecondariesPage } from './secondaries-page';

/** The secondaries of this service, for owners. Secrets are not shown, and addresses, keys and configurations only to the first account, which is the operator's. */
@injectable()
export class SecondaryPages implements DashboardPages {
  constructor(
    @inject(PageRenderer) private readonly renderer: PageRenderer,
    @inject(AccountReader) private readonly accounts: AccountReader,
    @inject(ReadSecondaries) private readonly secondaries: ReadSecondaries,
  ) {}

  get routes(): readonly DashboardRoute[] {
    return [['get', '/nameservers', 'owner', this.show.bind(this)]];
  }

  private async show(req: DashboardRequest, res: DashboardResponse): Promise<void> {
    const [report, [first]] = await Promise.all([this.secondaries.execute(), this.accounts.all()]);
    const withDetails = first?.id === res.locals.userSession.accountId;
    const page = <SecondariesPage {...report} withDetails={withDetails} />;
    this.renderer.render(req, res, { title: 'Nameservers', section: 'nameservers' }, page);
  }
}
