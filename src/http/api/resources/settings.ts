import { IsArray, IsBoolean, IsIn, IsString } from 'class-validator';
import { inject, injectable } from '../../../application/ports/inject';
import { TakeOverRenewal } from '../../../application/registrar/take-over-renewal';
import { DecideTransferOut } from '../../../application/registration/decide-transfer-out';
import { FindDomain } from '../../../application/registration/find-domain';
import { ChangeAutoRenewal } from '../../../application/registration/settings/change-auto-renewal';
import { ChangeNameservers } from '../../../application/registration/settings/change-nameservers';
import { ChangeRegistrant } from '../../../application/registration/settings/change-registrant';
import { ChangeTransferLock } from '../../../application/registration/settings/change-transfer-lock';
import { IssueAuthCode } from '../../../application/registration/settings/issue-auth-code';
import { ReleaseDomain } from '../../../application/transfers/release-domain';
import type { Domain } from '../../../domain/registration/domain';
import { ok, type JsonResult } from '../../shared/result';
import type { WriteRequest } from '../api-request';
import { Optional, assertNoMembers, validated } from '../validated';
import { ContactsBody, toRegistrant } from './contacts';
import { changedDomain } from './domains';
import { operationResult } from './operations';

export class NameserversBody {
  @IsArray() @IsString({ each: true }) nameservers!: string[];
}

class AutoRenewalBody {
  @IsBoolean() auto_renew!: boolean;
  @Optional() @IsIn(['service']) renewed_by?: 'service';
}

class TransferLockBody {
  @IsBoolean() transfer_locked!: boolean;
}

class ReleaseBody {
  @IsString() registrar_tag!: string;
}

/** The settings of a domain. */
@injectable()
export class SettingsController {
  constructor(
    @inject(ChangeNameservers) private readonly changeNameservers: ChangeNameservers,
    @inject(ChangeRegistrant) private readonly changeRegistrant: ChangeRegistrant,
    @inject(ChangeAutoRenewal) private readonly changeAutoRenewal: ChangeAutoRenewal,
    @inject(TakeOverRenewal) private readonly takeOverRenewal: TakeOverRenewal,
    @inject(FindDomain) private readonly findDomain: FindDomain,
  ) {}

  async putNameservers({ caller, params, body }: WriteRequest<'id'>): Promise<JsonResult> {
    const { nameservers: hosts } = validated(NameserversBody, body);
    return operationResult(await this.changeNameservers.execute({ ...caller, domainId: params.id, hosts }));
  }

  async putContacts({ caller, params, body }: WriteRequest<'id'>): Promise<JsonResult> {
    const registrant = toRegistrant(validated(ContactsBody, body).registrant);
    return operationResult(await this.changeRegistrant.execute({ ...caller, domainId: params.id, registrant }));
  }

  async putAutoRenewal(request: WriteRequest<'id'>): Promise<JsonResult> {
    const { auto_renew: autoRenew, renewed_by: renewedBy } = validated(AutoRenewalBody, request.body);
    const command = { ...request.caller, domainId: request.params.id, autoRenew };
    const state = (await this.findDomain.byId(command, 'settings')).toState();
    const enabled = this.takeOverRenewal.registrarRenewalFor(state, { autoRenew, renewedBy });
    if (enabled !== undefined) return operationResult(await this.takeOverRenewal.execute({ ...command, enabled }));
    return autoRenewalChanged(await this.changeAutoRenewal.execute(command, request.storing(autoRenewalChanged)));
  }
}

/** Transfers of a domain to another registrar: the lock against them, the auth code for them, the decision, and the release. */
@injectable()
export class TransferOutController {
  constructor(
    @inject(ChangeTransferLock) private readonly changeTransferLock: ChangeTransferLock,
    @inject(IssueAuthCode) private readonly issueAuthCode: IssueAuthCode,
    @inject(DecideTransferOut) private readonly decideTransferOut: DecideTransferOut,
    @inject(ReleaseDomain) private readonly releaseDomain: ReleaseDomain,
  ) {}

  async putTransferLock({ caller, params, body }: WriteRequest<'id'>): Promise<JsonResult> {
    const { transfer_locked: locked } = validated(TransferLockBody, body);
    return operationResult(await this.changeTransferLock.execute({ ...caller, domainId: params.id, locked }));
  }

  async postAuthCode({ caller, params, body }: WriteRequest<'id'>): Promise<JsonResult> {
    assertNoMembers(body);
    return operationResult(await this.issueAuthCode.execute({ ...caller, domainId: params.id }));
  }

  async approveTransferOut(request: WriteRequest<'id'>): Promise<JsonResult> {
    return this.decide(request, 'approve');
  }

  async rejectTransferOut(request: WriteRequest<'id'>): Promise<JsonResult> {
    return this.decide(request, 'reject');
  }

  async release({ caller, params, body }: WriteRequest<'id'>): Promise<JsonResult> {
    const { registrar_tag: registrarTag } = validated(ReleaseBody, body);
    return operationResult(await this.releaseDomain.execute({ ...caller, domainId: params.id, registrarTag }));
  }

  private async decide(
    { caller, params, body }: WriteRequest<'id'>,
    decision: 'approve' | 'reject',
  ): Promise<JsonResult> {
    assertNoMembers(body);
    return operationResult(await this.decideTransferOut.execute({ ...caller, domainId: params.id, decision }));
  }
}

function autoRenewalChanged(domain: Domain): JsonResult {
  const state = domain.toState();
  return ok(changedDomain(state, { auto_renew: state.autoRenew }));
}
