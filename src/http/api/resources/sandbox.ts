import { IsInt, IsNumber, IsString } from 'class-validator';
import { inject, injectable } from '../../../application/ports/inject';
import type { LedgerEntry, RegistryFault } from '../../../application/ports/registry/registry-sandbox';
import { AdvanceClock } from '../../../application/sandbox/advance-clock';
import { ClearFaults } from '../../../application/sandbox/clear-faults';
import { DecideElsewhere } from '../../../application/sandbox/decide-elsewhere';
import { InjectFault } from '../../../application/sandbox/inject-fault';
import { ListFaults } from '../../../application/sandbox/list-faults';
import { ReadLedger } from '../../../application/sandbox/read-ledger';
import { RegisterElsewhere } from '../../../application/sandbox/register-elsewhere';
import { SandboxControl } from '../../../application/sandbox/sandbox-control';
import { TransferOut } from '../../../application/sandbox/transfer-out';
import { assertActionAllowed } from '../../../domain/access/key-permissions';
import { majorUnits } from '../../../domain/shared/money';
import { ok, type ApiResult, type JsonResult } from '../../shared/result';
import type { ApiRequest, WriteRequest } from '../api-request';
import { Optional, validated, parameter } from '../validated';

class AdvanceBody {
  @IsNumber() days!: number;
}

class FaultBody {
  @IsString() kind!: string;
  @Optional() @IsString() target?: string;
  @Optional() @IsInt() times?: number;
  @Optional() @IsInt() milliseconds?: number;
}

class NameElsewhereBody {
  @IsString() name!: string;
}

class TransferDecisionBody {
  @IsString() name!: string;
  @IsString() decision!: string;
}

class TransferOutBody {
  @IsString() name!: string;
  @IsString() auth_code!: string;
}

/** The controls of the simulated registry: its clock, faults and ledger. */
@injectable()
export class SandboxController {
  constructor(
    @inject(SandboxControl) private readonly control: SandboxControl,
    @inject(AdvanceClock) private readonly advanceClock: AdvanceClock,
    @inject(InjectFault) private readonly injectAFault: InjectFault,
    @inject(ListFaults) private readonly faults: ListFaults,
    @inject(ClearFaults) private readonly clearAllFaults: ClearFaults,
    @inject(ReadLedger) private readonly readLedger: ReadLedger,
  ) {}

  async advance({ caller, body }: WriteRequest): Promise<JsonResult> {
    const { days } = validated(AdvanceBody, body);
    // 0 days read the time, which every account may know.
    if (days === 0) assertActionAllowed(caller.actor, 'read');
    else await this.control.assertAllowed(caller);
    const { from, now } = await this.advanceClock.execute({ days });
    return ok({ from: from.toISOString(), now: now.toISOString() });
  }

  async listFaults({ caller }: ApiRequest): Promise<ApiResult> {
    await this.control.assertAllowed(caller);
    return ok((await this.faults.execute()).map(shownFault));
  }

  async injectFault({ caller, body }: WriteRequest): Promise<JsonResult> {
    const wanted = validated(FaultBody, body);
    await this.control.assertAllowed(caller);
    return ok(shownFault(await this.injectAFault.execute(wanted)));
  }

  async clearFaults({ caller }: WriteRequest): Promise<JsonResult> {
    await this.control.assertAllowed(caller);
    await this.clearAllFaults.execute();
    return ok([]);
  }

  async ledger(request: ApiRequest): Promise<ApiResult> {
    const entries = await this.readLedger.execute({ ...request.caller, name: parameter(request, 'name') });
    return ok(entries.map(ledgerEntry));
  }
}

/** The other registrars of the simulated registry. */
@injectable()
export class OtherRegistrarController {
  constructor(
    @inject(SandboxControl) private readonly control: SandboxControl,
    @inject(TransferOut) private readonly transfer: TransferOut,
    @inject(RegisterElsewhere) private readonly registerAtOther: RegisterElsewhere,
    @inject(DecideElsewhere) private readonly decideAtOther: DecideElsewhere,
  ) {}

  async transferOut({ caller, body }: WriteRequest): Promise<JsonResult> {
    const { name: asked, auth_code: authCode } = validated(TransferOutBody, body);
    const { name, completesAt } = await this.transfer.execute({ ...caller, name: asked, authCode });
    return ok({ name: name.value, completes_at: completesAt.toISOString() });
  }

  async registerElsewhere({ caller, body }: WriteRequest): Promise<JsonResult> {
    const { name: asked } = validated(NameElsewhereBody, body);
    const { name, authCode } = await this.registerAtOther.execute({ ...caller, name: asked });
    return ok({ name: name.value, auth_code: authCode.code, expires_at: authCode.expiresAt.toISOString() });
  }

  async decideElsewhere({ caller, body }: WriteRequest): Promise<JsonResult> {
    const wanted = validated(TransferDecisionBody, body);
    await this.control.assertAllowed(caller);
    const { name, decision } = await this.decideAtOther.execute(wanted);
    return ok({ name: name.value, decision });
  }
}

function shownFault({ kind, target, times, milliseconds }: RegistryFault): object {
  return { kind, target: target ?? null, times: times ?? null, milliseconds: milliseconds ?? null };
}

function ledgerEntry({ at, kind, name, years, amount: money, transactionId }: LedgerEntry): object {
  return {
    at: at.toISOString(),
    kind,
    name: name.value,
    years,
    amount: majorUnits(money),
    currency: money.currency,
    transaction_id: transactionId,
  };
}
