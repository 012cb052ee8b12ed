import { Type } from 'class-transformer';
import { IsArray, IsBoolean, IsIn, IsInt, IsObject, IsString, ValidateNested } from 'class-validator';
import { RegistrantBody } from './registrant-body';
import { Optional } from './validated';

export class ContactsBody {
  @IsObject() @ValidateNested() @Type(() => RegistrantBody) registrant!: RegistrantBody;
}

export class RegisterDomainBody {
  @IsString() name!: string;
  @Optional() @IsInt() years?: number;
  @IsObject() @ValidateNested() @Type(() => ContactsBody) contacts!: ContactsBody;
  @Optional() @IsArray() @IsString({ each: true }) nameservers?: string[];
  @Optional() @IsBoolean() auto_renew?: boolean;
  @Optional() @IsString() idn_language?: string;
}

export class TransferBody {
  @IsString() name!: string;
  @Optional() @IsString() auth_code?: string;
  @Optional() @IsInt() years?: number;
  @IsObject() @ValidateNested() @Type(() => RegistrantBody) registrant!: RegistrantBody;
  @Optional() @IsBoolean() auto_renew?: boolean;
}

export class SearchBody {
  @IsString() query!: string;
  @Optional() @IsArray() @IsString({ each: true }) tlds?: string[];
}

class QuoteItemBody {
  @IsString() name!: string;
  @Optional() @IsInt() years?: number;
  @Optional() @IsBoolean() transfer?: boolean;
  @Optional() @IsString() idn_language?: string;
}

export class QuoteBody {
  @IsArray()
  @IsObject({ each: true })
  @ValidateNested({ each: true })
  @Type(() => QuoteItemBody)
  domains!: QuoteItemBody[];
}

export class NameserversBody {
  @IsArray() @IsString({ each: true }) nameservers!: string[];
}

export class AutoRenewalBody {
  @IsBoolean() auto_renew!: boolean;
  @Optional() @IsIn(['service']) renewed_by?: 'service';
}

export class TransferLockBody {
  @IsBoolean() transfer_locked!: boolean;
}

export class ReleaseBody {
  @IsString() registrar_tag!: string;
}

export class RenewBody {
  @Optional() @IsInt() years?: number;
  @Optional() @IsString() current_expiry?: string;
}

export class TagsBody {
  @IsArray() @IsString({ each: true }) tags!: string[];
}
