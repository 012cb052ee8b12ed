import { Type } from 'class-transformer';
import { ArrayMaxSize, IsArray, IsBoolean, IsIn, IsInt, IsObject, IsString, ValidateNested } from 'class-validator';
import { IMPORT_MODES, type ImportMode } from '../../../../application/dns/zones/zone-files/import-zone-file';
import {
  MAX_BULK_REGISTRATIONS,
  MAX_BULK_TRANSFERS,
  MAX_BULK_ZONE_FILES,
  type BulkKind,
} from '../../../../domain/portfolio/bulk-job';
import { ValidationError } from '../../../../domain/shared/validation-error';
import { Optional, validated } from '../../validated';
import { ContactsBody } from '../registration/contacts';
import { MaxPriceBody } from '../registration/registration';

const KINDS: readonly BulkKind[] = [
  'auto_renewal',
  'transfer_lock',
  'nameservers',
  'renewal',
  'registrant',
  'tags',
  'template',
  'transfer',
  'registration',
  'zone_files',
];

class BulkOrderBody {
  @IsString() name!: string;
  @Optional() @IsInt() years?: number;
  @Optional() @IsObject() @ValidateNested() @Type(() => MaxPriceBody) max_price?: MaxPriceBody;
}

export class BulkRegistrationBody extends BulkOrderBody {
  @Optional() @IsString() idn_language?: string;
}

export class BulkTransferBody extends BulkOrderBody {
  @Optional() @IsString() auth_code?: string;
}

class BulkZoneFileBody {
  @IsString() name!: string;
  @IsString() text!: string;
  /** Of the zone, as `If-Match` of a single import. */
  @Optional() @IsInt() version?: number;
}

export class BulkBody {
  @IsIn(KINDS) action!: BulkKind;
  @Optional() @IsArray() @IsString({ each: true }) domains?: string[];
  /** Query parameters of `GET /api/domains`. */
  @Optional() @IsObject() filter?: Record<string, unknown>;
  @Optional() @IsBoolean() auto_renew?: boolean;
  @Optional() @IsBoolean() transfer_locked?: boolean;
  @Optional() @IsArray() @IsString({ each: true }) nameservers?: string[];
  @Optional() @IsInt() years?: number;
  /** By the id of the domain. */
  @Optional() @IsObject() current_expiry?: Record<string, unknown>;
  /** By the id of the domain. */
  @Optional() @IsObject() max_price?: Record<string, unknown>;
  @Optional() @IsObject() max_price_each?: Record<string, unknown>;
  @Optional() @IsObject() @ValidateNested() @Type(() => ContactsBody) contacts?: ContactsBody;
  @Optional() @IsArray() @IsString({ each: true }) add_tags?: string[];
  @Optional() @IsArray() @IsString({ each: true }) remove_tags?: string[];
  @Optional() @IsString() template?: string;
  @Optional() @IsObject() values?: Record<string, unknown>;
  /** In place of `domains`. */
  @Optional()
  @IsArray()
  @ArrayMaxSize(MAX_BULK_TRANSFERS)
  @IsObject({ each: true })
  @ValidateNested({ each: true })
  @Type(() => BulkTransferBody)
  transfers?: BulkTransferBody[];
  /** In place of `domains`. */
  @Optional()
  @IsArray()
  @ArrayMaxSize(MAX_BULK_REGISTRATIONS)
  @IsObject({ each: true })
  @ValidateNested({ each: true })
  @Type(() => BulkRegistrationBody)
  registrations?: BulkRegistrationBody[];
  /** In place of `domains`. */
  @Optional()
  @IsArray()
  @ArrayMaxSize(MAX_BULK_ZONE_FILES.files)
  @IsObject({ each: true })
  @ValidateNested({ each: true })
  @Type(() => BulkZoneFileBody)
  zone_files?: BulkZoneFileBody[];
  @Optional() @IsIn(IMPORT_MODES) mode?: ImportMode;
  @Optional() @IsIn(['skip', 'include']) provider_records?: 'skip' | 'include';
}

type Member = Exclude<keyof BulkBody, 'action' | 'domains' | 'filter'>;

/** What each action takes besides the domains; those in brackets may be absent. */
const MEMBERS: Readonly<
  Record<BulkKind, { readonly required: readonly Member[]; readonly optional: readonly Member[] }>
> = {
  auto_renewal: { required: ['auto_renew'], optional: [] },
  transfer_lock: { required: ['transfer_locked'], optional: [] },
  nameservers: { required: ['nameservers'], optional: [] },
  renewal: { required: [], optional: ['years', 'current_expiry', 'max_price', 'max_price_each'] },
  registrant: { required: ['contacts'], optional: [] },
  tags: { required: [], optional: ['add_tags', 'remove_tags'] },
  template: { required: ['template'], optional: ['values'] },
  transfer: { required: ['transfers', 'contacts'], optional: ['auto_renew', 'max_price_each'] },
  registration: { required: ['registrations', 'contacts'], optional: ['auto_renew', 'nameservers', 'max_price_each'] },
  zone_files: { required: ['zone_files'], optional: ['mode', 'provider_records'] },
};
const ALL_MEMBERS = [
  ...new Set(Object.values(MEMBERS).flatMap(({ required, optional }) => [...required, ...optional])),
];

/** @throws ValidationError, also for members that the action lacks or does not take */
export function readBulkBody(given: unknown): BulkBody {
  const body = validated(BulkBody, given);
  const { required, optional } = MEMBERS[body.action];
  const issues = [
    ...required
      .filter((member) => body[member] === undefined)
      .map((path) => ({ path, message: `is required for ${body.action}` })),
    ...ALL_MEMBERS.filter(
      (member) => body[member] !== undefined && !required.includes(member) && !optional.includes(member),
    ).map((path) => ({ path, message: `does not belong to ${body.action}` })),
  ];
  if (issues.length > 0) throw new ValidationError(issues);
  return body;
}
