import { inject, injectable } from 'inversify';
import { AdvanceClock } from '../../../application/sandbox/advance-clock';
import { ClearFaults } from '../../../application/sandbox/clear-faults';
import { ListFaults } from '../../../application/sandbox/list-faults';
import { OrderFault } from '../../../application/sandbox/order-fault';
import { ReadLedger } from '../../../application/sandbox/read-ledger';
import { SandboxControl } from '../../../application/sandbox/sandbox-control';
import { TransferOut } from '../../../application/sandbox/transfer-out';
import type { ApiHandler } from '../caller';
import { parameter } from '../dto/list-query';
import { AdvanceBody, FaultBody, TransferOutBody } from '../dto/sandbox-bodies';
import { validated } from '../dto/validated';
import { ledgerEntry, shownFault } from '../presenters/sandbox-presenter';

/** The hands on the simulated registry: its time, its faults, its other registrars, its books. */
@injectable()
export class SandboxController {
  constructor(
    @inject(SandboxControl) private readonly control: SandboxControl,
    @inject(AdvanceClock) private readonly advanceClock: AdvanceClock,
    @inject(OrderFault) private readonly orderAFault: OrderFault,
    @inject(ListFaults) private readonly faults: ListFaults,
    @inject(ClearFaults) private readonly clearAllFaults: ClearFaults,
    @inject(TransferOut) private readonly transfer: TransferOut,
    @inject(ReadLedger) private readonly readLedger: ReadLedger,
  ) {}

  advance: ApiHandler = async (req, res) => {
    const { days } = validated(AdvanceBody, req.body);
    // 0 days tell the time, which every account may know.
    if (days !== 0) await this.control.assertHeldBy(res.locals.caller.accountId);
    const { from, now } = await this.advanceClock.execute({ days });
    res.json({ from: from.toISOString(), now: now.toISOString() });
  };

  listFaults: ApiHandler = async (_req, res) => {
    await this.control.assertHeldBy(res.locals.caller.accountId);
    res.json((await this.faults.execute()).map(shownFault));
  };

  orderFault: ApiHandler = async (req, res) => {
    const wanted = validated(FaultBody, req.body);
    await this.control.assertHeldBy(res.locals.caller.accountId);
    res.json(shownFault(await this.orderAFault.execute(wanted)));
  };

  clearFaults: ApiHandler = async (_req, res) => {
    await this.control.assertHeldBy(res.locals.caller.accountId);
    await this.clearAllFaults.execute();
    res.json([]);
  };

  transferOut: ApiHandler = async (req, res) => {
    const { name: asked, auth_code: authCode } = validated(TransferOutBody, req.body);
    const { name, completesAt } = await this.transfer.execute({ name: asked, authCode });
    res.json({ name: name.value, completes_at: completesAt.toISOString() });
  };

  ledger: ApiHandler = async (req, res) => {
    const entries = await this.readLedger.execute({
      accountId: res.locals.caller.accountId,
      name: parameter(req, 'name'),
    });
    res.json(entries.map(ledgerEntry));
  };
}
