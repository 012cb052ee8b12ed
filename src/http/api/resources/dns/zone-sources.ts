import { IsArray, IsObject, IsString, ValidateNested, IsIn } from 'class-validator';
import { inject, injectable } from '../../../../application/ports/inject';
import type { NameserverCheck } from '../../../../application/ports/dns/other-nameservers';
import { CheckDelegation } from '../../../../application/registrar/check-delegation';
import { ReadPresentZone } from '../../../../application/registrar/read-present-zone';
import { ok, type ApiResult, type JsonResult } from '../../../shared/result';
import type { ApiRequest, WriteRequest } from '../../api-request';
import { Optional, validated } from '../../validated';
import { Type } from 'class-transformer';
import type { ZoneContentsSource } from '../../../../application/hosting/zone-contents';
import { ValidationError } from '../../../../domain/shared/validation-error';
import { toTemplateValues } from './templates';

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

const SOURCES = ['transfer', 'lookup', 'registrar', 'zonefile', 'template'] as const;

/** Where the first records of a zone come from. */
export class ZoneContentsBody {
  @IsIn(SOURCES) source!: (typeof SOURCES)[number];
  @Optional() @IsString() nameserver?: string;
  @Optional() @IsObject() @ValidateNested() @Type(() => TsigBody) tsig?: TsigBody;
  @Optional() @IsString() zone_file?: string;
  @Optional() @IsString() template?: string;
  @Optional() @IsObject() values?: Record<string, unknown>;
}

/** The members that belong to each source, besides `source`. */
const MEMBERS: Readonly<Record<ZoneContentsBody['source'], readonly (keyof ZoneContentsBody)[]>> = {
  transfer: ['nameserver', 'tsig'],
  lookup: [],
  registrar: [],
  zonefile: ['zone_file'],
  template: ['template', 'values'],
};

/** @throws ValidationError */
export function zoneContentsSource({ source, ...members }: ZoneContentsBody): ZoneContentsSource {
  const given = Object.entries(members).flatMap(([name, value]) => (value === undefined ? [] : [name]));
  const surplus = given.find((name) => !MEMBERS[source].some((each) => each === name));
  if (surplus !== undefined) throw ValidationError.of(`from.${surplus}`, `must not be given with source ${source}`);
  if (source === 'zonefile') return { source, zoneFile: required('zone_file', members.zone_file) };
  if (source === 'template')
    return {
      source,
      templateId: required('template', members.template),
      values: toTemplateValues(members.values, 'from.values'),
    };
  return { source, nameserver: members.nameserver, tsig: members.tsig };
}

function required(name: string, value: string | undefined): string {
  if (value === undefined) throw ValidationError.of(`from.${name}`, 'must be given');
  return value;
}
