import { inject, injectable } from '../../../../application/ports/inject';
import { ReadTransferOut } from '../../../../application/transfers/read-transfer-out';
import {
  getRequester,
  type DashboardPages,
  type DashboardRequest,
  type DashboardResponse,
  type DashboardRoute,
} from '../../dashboard-route';
import { displayName } from '../../layout/domain/domain-labels';
import { readDomainId } from '../../layout/domain/domain-request';
import { PageRenderer } from '../../page-renderer';
import { mayTransfer } from '../../user-session';
import { TransferOutPage } from './transfer-out-page';

/** The way of a domain to another registrar. Its forms are those of the lock, the auth code and the decision. */
@injectable()
export class TransferOutStepPages implements DashboardPages {
  constructor(
    @inject(PageRenderer) private readonly renderer: PageRenderer,
    @inject(ReadTransferOut) private readonly readTransferOut: ReadTransferOut,
  ) {}

  get routes(): readonly DashboardRoute[] {
    return [['get', '/domains/:id/transfer-out', 'read', this.show.bind(this)]];
  }

  private async show(req: DashboardRequest, res: DashboardResponse): Promise<void> {
    const transfer = await this.readTransferOut.execute({ ...getRequester(res), domainId: readDomainId(req) });
    this.renderer.render(
      req,
      res,
      { title: `Transfer ${displayName(transfer.domain.name)} to another registrar`, section: 'domains' },
      <TransferOutPage {...transfer} transferable={mayTransfer(res.locals.userSession)} />,
    );
  }
}
