import { Type } from 'class-transformer';
import { IsObject, IsString, ValidateNested } from 'class-validator';
import type { Registrant } from '../../../../domain/registration/registrant';
import { Nullable, Optional } from '../../validated';

class AddressBody {
  @IsString() street!: string;
  @Optional() @IsString() street2?: string;
  @Optional() @IsString() street3?: string;
  @IsString() city!: string;
  @Optional() @IsString() state?: string;
  @Optional() @IsString() postal_code?: string;
  @IsString() country!: string;
}

export class RegistrantBody {
  @Nullable() @IsString() first_name?: string | null;
  @IsString() last_name!: string;
  @IsString() email!: string;
  @IsString() phone!: string;
  @Optional() @IsString() phone_extension?: string;
  @Optional() @IsString() organization?: string;
  @Optional() @IsString() company_number?: string;
  @Optional() @IsString() legal_form?: string;
  @IsObject() @ValidateNested() @Type(() => AddressBody) address!: AddressBody;
}

export function toRegistrant({
  first_name,
  last_name,
  email,
  phone,
  phone_extension,
  organization,
  company_number,
  legal_form,
  address,
}: RegistrantBody): Registrant {
  const { street, street2, street3, city, state, postal_code, country } = address;
  return {
    firstName: first_name ?? '',
    lastName: last_name,
    email,
    phone,
    phoneExtension: phone_extension,
    organization,
    companyNumber: company_number,
    legalForm: legal_form,
    address: { street, street2, street3, city, state, postalCode: postal_code, country },
  };
}

export class ContactsBody {
  @IsObject() @ValidateNested() @Type(() => RegistrantBody) registrant!: RegistrantBody;
}
