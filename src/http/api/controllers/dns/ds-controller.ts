import { inject, injectable } from 'inversify';
import { ReadDelegationSigners } from '../../../../application/dns/dnssec/read-delegation-signers';
import { SetDelegationSigners } from '../../../../application/dns/dnssec/set-delegation-signers';
import { ValidationError } from '../../../../domain/shared/validation-error';
import { ok, type ApiResult, type JsonResult } from '../../../shared/result';
import type { ApiRequest, WriteRequest } from '../../api-request';
import { SignersBody } from '../../dto/signing-bodies';
import { validated } from '../../dto/validated';
import { operationResult } from '../../presenters/operation-result';
import { shownSigner } from '../../presenters/dns/signing-presenter';

/** DS records of zones that other nameservers sign. */
@injectable()
export class DsController {
  constructor(
    @inject(SetDelegationSigners) private readonly setSigners: SetDelegationSigners,
    @inject(ReadDelegationSigners) private readonly readSigners: ReadDelegationSigners,
  ) {}

  async read({ caller, params }: ApiRequest<'id'>): Promise<ApiResult> {
    const { domain, signers } = await this.readSigners.execute({ ...caller, domainId: params.id });
    const { id, name } = domain.toState();
    return ok({ id, name, ds: signers.map(shownSigner) });
  }

  async put({ caller, params, body }: WriteRequest<'id'>): Promise<JsonResult> {
    const { ds, dnskeys } = validated(SignersBody, body);
    if (!ds && !dnskeys) throw ValidationError.of('ds', 'or dnskeys is required; an empty list removes the DS records');
    const signers = (ds ?? []).map(({ key_tag: keyTag, algorithm, digest_type: digestType, digest }) => ({
      keyTag,
      algorithm,
      digestType,
      digest: digest.toUpperCase(),
    }));
    const keys = (dnskeys ?? []).map(({ public_key: publicKey, ...key }) => ({ ...key, publicKey }));
    return operationResult(await this.setSigners.execute({ ...caller, domainId: params.id, signers, keys }));
  }
}
