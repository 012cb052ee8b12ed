import { inject, injectable } from '../../../application/ports/inject';
import { DecideTransferOut } from '../../../application/registration/decide-transfer-out';
import {
  getRequester,
  type DashboardPages,
  type DashboardRequest,
  type DashboardResponse,
  type DashboardRoute,
} from '../dashboard-route';
import { attempt } from '../form-issues';
import { Reauthentication } from '../reauthentication/reauthentication';
import { readKeepZone } from '../layout/domain/keep-zone-field';
import { readDomainId, redirectToDomain } from '../layout/domain/domain-request';

type Decided = { readonly decision: 'approve' | 'reject'; readonly keepZone?: boolean };

/** The decision about a transfer to another registrar. Approval needs what an auth code needs. */
@injectable()
export class TransferOutPages implements DashboardPages {
  constructor(
    @inject(Reauthentication) private readonly reauthentication: Reauthentication,
    @inject(DecideTransferOut) private readonly decideTransferOut: DecideTransferOut,
  ) {}

  get routes(): readonly DashboardRoute[] {
    return [
      [
        'post',
        '/domains/:id/transfer-out/approve',
        'transfer',
        this.approve.bind(this),
        { before: this.reauthentication.requireForTransfer() },
      ],
      ['post', '/domains/:id/transfer-out/reject', 'transfer', this.reject.bind(this)],
    ];
  }

  private async approve(req: DashboardRequest, res: DashboardResponse): Promise<void> {
    const outcome = await this.decide(req, res, { decision: 'approve', keepZone: readKeepZone(req) });
    redirectToDomain(req, res, outcome, 'The transfer was approved. The domain has left this account.');
  }

  private async reject(req: DashboardRequest, res: DashboardResponse): Promise<void> {
    const outcome = await this.decide(req, res, { decision: 'reject' });
    redirectToDomain(req, res, outcome, 'The transfer was rejected. The domain stays in this account.');
  }

  private decide(req: DashboardRequest, res: DashboardResponse, decided: Decided) {
    return attempt(() =>
      this.decideTransferOut.execute({ ...getRequester(res), domainId: readDomainId(req), ...decided }),
    );
  }
}
