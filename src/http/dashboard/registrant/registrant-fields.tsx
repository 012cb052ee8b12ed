import { COUNTRY_CODES, type Registrant } from '../../../domain/registration/registrant';
import { toAsciiName } from '../../../domain/shared/idna';
import { readField, readOptionalField } from '../form-fields';
import { Field, Select } from '../layout/forms/form-controls';
import type { FormValues } from '../layout/forms/forms';
import type { DashboardRequest } from '../dashboard-route';
import { toEppPhone } from './phone-number';

const COUNTRY_NAMES = new Intl.DisplayNames('en', { type: 'region' });
const COUNTRIES = [...COUNTRY_CODES]
  .map((code) => ({ value: code, label: COUNTRY_NAMES.of(code) ?? code }))
  .toSorted((left, right) => left.label.localeCompare(right.label, 'en'));
const NO_COUNTRY = { value: '', label: 'Choose a country' };

/** The fields of a registrant, named as in the API. */
export function RegistrantFields() {
  return (
    <div class="fields">
      <Field
        name="first_name"
        label="First name (optional)"
        autocomplete="given-name"
        hint="Leave it empty for a person with one name."
      />
      <Field name="last_name" label="Last name" autocomplete="family-name" required />
      <Field name="organization" label="Organization (optional)" autocomplete="organization" />
      <Field
        name="company_number"
        label="Company number (optional)"
        hint="The organization's number in its official register. Some registries ask for it."
      />
      <Field
        name="legal_form"
        label="Legal form (optional)"
        hint="As the registry names it: LTD or RCHAR at Nominet, BV or STICHTING at SIDN, company or association at AFNIC."
      />
      <Field name="email" label="E-mail" inputMode="email" autocapitalize="none" autocomplete="email" required />
      <Field
        name="phone"
        label="Phone"
        inputMode="tel"
        required
        placeholder="+44 20 7946 0000"
        hint="Without a country code, it is a number of the country below."
      />
      <Field name="phone_extension" label="Phone extension (optional)" inputMode="numeric" />
      <Field name="address.street" label="Street" autocomplete="address-line1" required class="wide" />
      <Field name="address.street2" label="Street, second line (optional)" autocomplete="address-line2" />
      <Field name="address.street3" label="Street, third line (optional)" autocomplete="address-line3" />
      <Field name="address.city" label="City" autocomplete="address-level2" required />
      <Field name="address.state" label="State or province (optional)" autocomplete="address-level1" />
      <Field name="address.postal_code" label="Postal code (optional)" autocomplete="postal-code" />
      <Select name="address.country" label="Country" choices={[NO_COUNTRY, ...COUNTRIES]} />
    </div>
  );
}

/** The submitted registrant with its phone number in the form of EPP; empty optional fields are left out. */
export function readRegistrant(req: Pick<DashboardRequest, 'body'>): Registrant {
  return {
    firstName: readField(req, 'first_name'),
    lastName: readField(req, 'last_name'),
    organization: readOptionalField(req, 'organization'),
    companyNumber: readOptionalField(req, 'company_number'),
    legalForm: readOptionalField(req, 'legal_form'),
    email: toAsciiHost(readField(req, 'email').trim()),
    phone: toEppPhone(readField(req, 'phone'), readField(req, 'address.country')),
    phoneExtension: readOptionalField(req, 'phone_extension'),
    address: {
      street: readField(req, 'address.street'),
      street2: readOptionalField(req, 'address.street2'),
      street3: readOptionalField(req, 'address.street3'),
      city: readField(req, 'address.city'),
      state: readOptionalField(req, 'address.state'),
      postalCode: readOptionalField(req, 'address.postal_code'),
      country: readField(req, 'address.country'),
    },
  };
}

/** Registries expect A-labels. Not left to `type="email"`, because Chromium turns `ß` into `ss` there, which is another domain. */
function toAsciiHost(email: string): string {
  const start = email.lastIndexOf('@') + 1;
  return email.slice(0, start) + (toAsciiName(email.slice(start)) ?? email.slice(start));
}

/** The registrant as form values. */
export function toRegistrantValues({
  firstName,
  lastName,
  organization,
  companyNumber,
  legalForm,
  email,
  phone,
  phoneExtension,
  address,
}: Registrant): FormValues {
  return {
    first_name: firstName,
    last_name: lastName,
    organization,
    company_number: companyNumber,
    legal_form: legalForm,
    email,
    phone,
    phone_extension: phoneExtension,
    'address.street': address.street,
    'address.street2': address.street2,
    'address.street3': address.street3,
    'address.city': address.city,
    'address.state': address.state,
    'address.postal_code': address.postalCode,
    'address.country': address.country,
  };
}
