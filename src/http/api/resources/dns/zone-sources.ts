import { Type } from 'class-transformer';
import { IsArray, IsObject, IsString, ValidateNested } from 'class-validator';
import { inject, injectable } from '../../../../application/ports/inject';
import type { NameserverCheck } from '../../../../application/ports/dns/zone-sources';
import { CheckDelegation } from '../../../../application/registrar/check-delegation';
import { ReadPresentZone } from '../../../../application/registrar/read-present-zone';
import { ok, type ApiResult, type JsonResult } from '../../../shared/result';
import type { ApiRequest, WriteRequest } from '../../api-request';
import { Optional, validated } from '../../validated';

export class TsigBody {
  @IsString() name!: string;
  @IsString() algorithm!: string;
  @IsString() secret!: string;
}

class PresentZoneBody {
  @IsString() source!: string;
  @Optional() @IsString() nameserver?: string;
  @Optional() @IsObject() @ValidateNested() @Type(() => TsigBody) tsig?: TsigBody;
}

class DelegationCheckBody {
  @Optional() @IsArray() @IsString({ each: true }) nameservers?: string[];
}

/** What other nameservers serve for a domain. */
@injectable()
export class ZoneSourcesController {
  constructor(
    @inject(ReadPresentZone) private readonly readPresentZone: ReadPresentZone,
    @inject(CheckDelegation) private readonly checkDelegation: CheckDelegation,
  ) {}

  async discover({ caller, params, body }: WriteRequest<'id'>): Promise<JsonResult> {
    const { source, nameserver, tsig } = validated(PresentZoneBody, body);
    const found = await this.readPresentZone.execute({ ...caller, domainId: params.id, source, nameserver, tsig });
    return ok({ source, zone_file: found.zoneFile, skipped: found.skipped, left_out: found.leftOut });
  }

  async check({ caller, params, body }: ApiRequest<'id'>): Promise<ApiResult> {
    const { nameservers: hosts } = validated(DelegationCheckBody, body ?? {});
    const { ready, nameservers, present, warnings } = await this.checkDelegation.execute({
      ...caller,
      domainId: params.id,
      hosts,
    });
    return ok({ ready, nameservers: nameservers.map(shownCheck), present: present.map(shownCheck), warnings });
  }
}

function shownCheck({ nameserver, state, delegationTtl, negativeTtl }: NameserverCheck): object {
  return { nameserver, answers: state === 'answers', delegation_ttl: delegationTtl, negative_ttl: negativeTtl };
}
