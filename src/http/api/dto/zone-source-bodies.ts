import { Type } from 'class-transformer';
import { IsArray, IsObject, IsString, ValidateNested } from 'class-validator';
import { Optional } from './validated';

class TsigBody {
  @IsString() name!: string;
  @IsString() algorithm!: string;
  @IsString() secret!: string;
}

export class PresentZoneBody {
  @IsString() source!: string;
  @Optional() @IsString() nameserver?: string;
  @Optional() @IsObject() @ValidateNested() @Type(() => TsigBody) tsig?: TsigBody;
}

export class DelegationCheckBody {
  @Optional() @IsArray() @IsString({ each: true }) nameservers?: string[];
}
