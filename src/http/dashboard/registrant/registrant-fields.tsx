import { COUNTRY_CODES } from '../../../domain/registration/country-codes';
import type { Registrant } from '../../../domain/registration/registrant';
import { field, optionalField } from '../form-fields';
import { Field, Select, type FormValues } from '../layout/forms';
import type { DashboardRequest } from '../visitor';

const COUNTRY_NAMES = new Intl.DisplayNames('en', { type: 'region' });
const COUNTRIES = [...COUNTRY_CODES]
  .map((code) => ({ value: code, label: COUNTRY_NAMES.of(code) ?? code }))
  .toSorted((left, right) => left.label.localeCompare(right.label, 'en'));
const NO_COUNTRY = { value: '', label: 'Choose a country' };

/** The fields of a registrant, named as the interface names them. */
export function RegistrantFields() {
  return (
    <div class="fields">
      <Field name="first_name" label="First name" autocomplete="given-name" required />
      <Field name="last_name" label="Last name" autocomplete="family-name" required />
      <Field name="organization" label="Organization (optional)" autocomplete="organization" />
      <Field name="email" label="E-mail" type="email" autocomplete="email" required />
      <Field name="phone" label="Phone" inputMode="tel" required placeholder="+44.2079460000" hint="As +CC.NUMBER" />
      <Field name="address.street" label="Street" autocomplete="street-address" required class="wide" />
      <Field name="address.city" label="City" autocomplete="address-level2" required />
      <Field name="address.state" label="State or province (optional)" autocomplete="address-level1" />
      <Field name="address.postal_code" label="Postal code (optional)" autocomplete="postal-code" />
      <Select name="address.country" label="Country" choices={[NO_COUNTRY, ...COUNTRIES]} />
    </div>
  );
}

/** What was sent; nothing in an optional field means that there is none. */
export function readRegistrant(req: Pick<DashboardRequest, 'body'>): Registrant {
  return {
    firstName: field(req, 'first_name'),
    lastName: field(req, 'last_name'),
    organization: optionalField(req, 'organization'),
    email: field(req, 'email').trim(),
    phone: field(req, 'phone').trim(),
    address: {
      street: field(req, 'address.street'),
      city: field(req, 'address.city'),
      state: optionalField(req, 'address.state'),
      postalCode: optionalField(req, 'address.postal_code'),
      country: field(req, 'address.country'),
    },
  };
}

/** A registrant as the values of the fields. */
export function registrantValues({ firstName, lastName, organization, email, phone, address }: Registrant): FormValues {
  return {
    first_name: firstName,
    last_name: lastName,
    organization,
    email,
    phone,
    'address.street': address.street,
    'address.city': address.city,
    'address.state': address.state,
    'address.postal_code': address.postalCode,
    'address.country': address.country,
  };
}
