import { inject, injectable } from '../../../../application/ports/inject';
import { ChangeSigning, type SignedDomain } from '../../../../application/dnssec/change-signing';
import { ReadSigning } from '../../../../application/dnssec/read-signing';
import { RollKey } from '../../../../application/dnssec/roll-key';
import { ok, type ApiResult, type JsonResult } from '../../../shared/result';
import type { ApiRequest, WriteRequest } from '../../api-request';
import { SigningBody } from '../../dto/signing-bodies';
import { assertNoMembers, validated } from '../../dto/validated';
import { shownSigning, signingReport } from '../../presenters/dns/signing-presenter';

/** DNSSEC of a domain: the switch, its progress, key rollovers. */
@injectable()
export class SigningController {
  constructor(
    @inject(ReadSigning) private readonly readSigning: ReadSigning,
    @inject(ChangeSigning) private readonly changeSigning: ChangeSigning,
    @inject(RollKey) private readonly rollKey: RollKey,
  ) {}

  async read({ caller, params }: ApiRequest<'id'>): Promise<ApiResult> {
    return ok(signingReport(await this.readSigning.execute({ ...caller, domainId: params.id })));
  }

  async put(request: WriteRequest<'id'>): Promise<JsonResult> {
    const { enabled, denial } = validated(SigningBody, request.body);
    const command = { ...request.caller, domainId: request.params.id, enabled, denial };
    return toResult(await this.changeSigning.execute(command, request.storing(toResult)));
  }

  async roll(request: WriteRequest<'id'>): Promise<JsonResult> {
    assertNoMembers(request.body);
    const command = { ...request.caller, domainId: request.params.id };
    return toResult(await this.rollKey.execute(command, request.storing(toResult)));
  }
}

function toResult(signed: SignedDomain): JsonResult {
  return ok(shownSigning(signed));
}
