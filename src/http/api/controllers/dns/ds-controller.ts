import { inject, injectable } from '../../../../application/ports/inject';
import { ReadDsRecords } from '../../../../application/dnssec/read-ds-records';
import { SetDsRecords } from '../../../../application/dnssec/set-ds-records';
import { ValidationError } from '../../../../domain/shared/validation-error';
import { ok, type ApiResult, type JsonResult } from '../../../shared/result';
import type { ApiRequest, WriteRequest } from '../../api-request';
import { DsRecordsBody } from '../../dto/signing-bodies';
import { validated } from '../../dto/validated';
import { operationResult } from '../../presenters/operation-result';
import { presentDsRecord } from '../../presenters/dns/signing-presenter';

/** DS records of zones that other nameservers sign. */
@injectable()
export class DsController {
  constructor(
    @inject(SetDsRecords) private readonly setDsRecords: SetDsRecords,
    @inject(ReadDsRecords) private readonly readDsRecords: ReadDsRecords,
  ) {}

  async read({ caller, params }: ApiRequest<'id'>): Promise<ApiResult> {
    const { domain, signers } = await this.readDsRecords.execute({ ...caller, domainId: params.id });
    const { id, name } = domain.toState();
    return ok({ id, name, ds: signers.map(presentDsRecord) });
  }

  async put({ caller, params, body }: WriteRequest<'id'>): Promise<JsonResult> {
    const { ds, dnskeys } = validated(DsRecordsBody, body);
    if (!ds && !dnskeys) throw ValidationError.of('ds', 'or dnskeys is required; an empty list removes the DS records');
    const signers = (ds ?? []).map(({ key_tag: keyTag, algorithm, digest_type: digestType, digest }) => ({
      keyTag,
      algorithm,
      digestType,
      digest: digest.toUpperCase(),
    }));
    const keys = (dnskeys ?? []).map(({ public_key: publicKey, ...key }) => ({ ...key, publicKey }));
    return operationResult(await this.setDsRecords.execute({ ...caller, domainId: params.id, signers, keys }));
  }
}
