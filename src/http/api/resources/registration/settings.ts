import { IsArray, IsBoolean, IsIn, IsString } from 'class-validator';
import { inject, injectable } from '../../../../application/ports/inject';
import { TakeOverRenewal } from '../../../../application/registrar/take-over-renewal';
import { DecideTransferOut } from '../../../../application/registration/decide-transfer-out';
import { FindDomain } from '../../../../application/registration/find-domain';
import { ChangeAutoRenewal } from '../../../../application/registration/settings/change-auto-renewal';
import { ChangeKeepZone } from '../../../../application/registration/settings/change-keep-zone';
import { ChangeNameservers } from '../../../../application/registration/settings/change-nameservers';
import { ChangeRegistrant } from '../../../../application/registration/settings/change-registrant';
import { ChangeTransferLock } from '../../../../application/registration/settings/change-transfer-lock';
import { IssueAuthCode } from '../../../../application/registration/settings/issue-auth-code';
import { ReleaseDomain } from '../../../../application/transfers/release-domain';
import type { Domain } from '../../../../domain/registration/domain';
import { ok, type JsonResult } from '../../../shared/result';
import type { WriteRequest } from '../../api-request';
import { Optional, assertNoMembers, validated } from '../../validated';
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

class KeepZoneBody {
  @IsBoolean() keep_zone!: boolean;
}

class ApprovalBody {
  @Optional() @IsBoolean() keep_zone?: boolean;
}

class ReleaseBody {
  @IsString() registrar_tag!: string;
  @Optional() @IsBoolean() keep_zone?: boolean;
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
    @inject(ChangeKeepZone) private readonly changeKeepZone: ChangeKeepZone,
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

  async putKeepZone(request: WriteRequest<'id'>): Promise<JsonResult> {
    const { keep_zone: keepZone } = validated(KeepZoneBody, request.body);
    const command = { ...request.caller, domainId: request.params.id, keepZone };
    return keepZoneChanged(await this.changeKeepZone.execute(command, request.storing(keepZoneChanged)));
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
    const { keep_zone: keepZone } = validated(ApprovalBody, request.body ?? {});
    return this.decide(request, { decision: 'approve', keepZone });
  }

  async rejectTransferOut(request: WriteRequest<'id'>): Promise<JsonResult> {
    assertNoMembers(request.body);
    return this.decide(request, { decision: 'reject' });
  }

  async release({ caller, params, body }: WriteRequest<'id'>): Promise<JsonResult> {
    const { registrar_tag: registrarTag, keep_zone: keepZone } = validated(ReleaseBody, body);
    const command = { ...caller, domainId: params.id, registrarTag, keepZone };
    return operationResult(await this.releaseDomain.execute(command));
  }

  private async decide(
    { caller, params }: WriteRequest<'id'>,
    decided: { readonly decision: 'approve' | 'reject'; readonly keepZone?: boolean | undefined },
  ): Promise<JsonResult> {
    return operationResult(await this.decideTransferOut.execute({ ...caller, domainId: params.id, ...decided }));
  }
}

function autoRenewalChanged(domain: Domain): JsonResult {
  const state = domain.toState();
  return ok(changedDomain(state, { auto_renew: state.autoRenew }));
}

function keepZoneChanged(domain: Domain): JsonResult {
  return ok(changedDomain(domain.toState(), { keep_zone: domain.keepsZone }));
}
