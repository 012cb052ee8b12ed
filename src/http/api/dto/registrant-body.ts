import { Type } from 'class-transformer';
import { IsObject, IsString, ValidateNested } from 'class-validator';
import type { Registrant } from '../../../domain/registration/registrant';
import { Optional } from './validated';

class AddressBody {
  @IsString() street!: string;
  @IsString() city!: string;
  @Optional() @IsString() state?: string;
  @Optional() @IsString() postal_code?: string;
  @IsString() country!: string;
}

export class RegistrantBody {
  @IsString() first_name!: string;
  @IsString() last_name!: string;
  @IsString() email!: string;
  @IsString() phone!: string;
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
  organization,
  company_number,
  legal_form,
  address,
}: RegistrantBody): Registrant {
  const { street, city, state, postal_code, country } = address;
  return {
    firstName: first_name,
    lastName: last_name,
    email,
    phone,
    organization,
    companyNumber: company_number,
    legalForm: legal_form,
    address: { street, city, state, postalCode: postal_code, country },
  };
}
