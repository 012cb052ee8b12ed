import { Type } from 'class-transformer';
import { IsIn, IsObject, IsString, ValidateNested } from 'class-validator';
import type { ZoneContentsSource } from '../../../../application/hosting/zone-contents';
import { ValidationError } from '../../../../domain/shared/validation-error';
import { Optional } from '../../validated';
import { toTemplateValues } from './templates';
import { TsigBody } from './zone-sources';

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
