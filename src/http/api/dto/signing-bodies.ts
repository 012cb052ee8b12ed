import { Transform, Type } from 'class-transformer';
import {
  IsArray,
  IsBase64,
  IsBoolean,
  IsIn,
  IsInt,
  IsObject,
  Matches,
  Max,
  Min,
  ValidateNested,
} from 'class-validator';
import type { Denial } from '../../../domain/dns/dnssec/zone-signing';
import { Optional } from './validated';

const MAX_16_BITS = 65_535;
const MAX_8_BITS = 255;

export class SigningBody {
  @IsBoolean() enabled!: boolean;
  @Optional() @IsIn(['nsec', 'nsec3']) denial?: Denial;
}

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
