import { Transform, Type } from 'class-transformer';
import { IsArray, IsBase64, IsIn, IsInt, IsObject, Matches, Max, Min, ValidateNested } from 'class-validator';
import { inject, injectable } from '../../../../application/ports/inject';
import { ReadDsRecords } from '../../../../application/dnssec/read-ds-records';
import { SetDsRecords } from '../../../../application/dnssec/set-ds-records';
import { ValidationError } from '../../../../domain/shared/validation-error';
import { ok, type ApiResult, type JsonResult } from '../../../shared/result';
import type { ApiRequest, WriteRequest } from '../../api-request';
import { Optional, validated } from '../../validated';
import { operationResult } from '../registration/operations';
import { presentDsRecord } from './signing';

const MAX_16_BITS = 65_535;
const MAX_8_BITS = 255;

/** Presentation format may break hexadecimal digits and Base64 by white space (RFC 4034, sections 2.2 and 5.3). */
function WithoutSpaces(): PropertyDecorator {
  return Transform(({ value }: { readonly value: unknown }) =>
    typeof value === 'string' ? value.replaceAll(/\s+/g, '') : value,
  );
}

class DsRecordBody {
  @IsInt() @Min(0) @Max(MAX_16_BITS) key_tag!: number;
  @IsInt() @Min(0) @Max(MAX_8_BITS) algorithm!: number;
  @IsIn([2, 4]) digest_type!: number;
  @WithoutSpaces()
  @Matches(/^([0-9a-f]{64}|[0-9a-f]{96})$/i, { message: 'must be 64 or 96 hexadecimal digits' })
  digest!: string;
}

class KeyBody {
  @IsInt() @Min(0) @Max(MAX_16_BITS) flags!: number;
  @IsInt() @Min(0) @Max(MAX_8_BITS) algorithm!: number;
  @WithoutSpaces() @IsBase64() public_key!: string;
}

export class DsRecordsBody {
  @Optional()
  @IsArray()
  @IsObject({ each: true })
  @ValidateNested({ each: true })
  @Type(() => DsRecordBody)
  ds?: DsRecordBody[];
  @Optional()
  @IsArray()
  @IsObject({ each: true })
  @ValidateNested({ each: true })
  @Type(() => KeyBody)
  dnskeys?: KeyBody[];
}

/** DS records of zones that other nameservers sign. */
@injectable()
export class DsController {
  constructor(
    @inject(SetDsRecords) private readonly setDsRecords: SetDsRecords,
    @inject(ReadDsRecords) private readonly readDsRecords: ReadDsRecords,
  ) {}

  async read({ caller, params }: ApiRequest<'id'>): Promise<ApiResult> {
    const { domain, dsRecords } = await this.readDsRecords.execute({ ...caller, domainId: params.id });
    const { id, name } = domain.toState();
    return ok({ id, name, ds: dsRecords.map(presentDsRecord) });
  }

  async put({ caller, params, body }: WriteRequest<'id'>): Promise<JsonResult> {
    const { ds, dnskeys } = validated(DsRecordsBody, body);
    if (!ds && !dnskeys) throw ValidationError.of('ds', 'or dnskeys is required; an empty list removes the DS records');
    const dsRecords = (ds ?? []).map(({ key_tag: keyTag, algorithm, digest_type: digestType, digest }) => ({
      keyTag,
      algorithm,
      digestType,
      digest: digest.toUpperCase(),
    }));
    const keys = (dnskeys ?? []).map(({ public_key: publicKey, ...key }) => ({ ...key, publicKey }));
    return operationResult(await this.setDsRecords.execute({ ...caller, domainId: params.id, dsRecords, keys }));
  }
}
