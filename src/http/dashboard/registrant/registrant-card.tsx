import type { Registrant } from '../../../domain/registration/registrant';

const COUNTRY_NAMES = new Intl.DisplayNames('en', { type: 'region' });

/** The registrant's name and address. */
export function RegistrantAddress({
  registrant: { firstName, lastName, organization, companyNumber, legalForm, email, phone, address },
}: {
  readonly registrant: Registrant;
}) {
  const place = [address.postalCode, address.city, address.state].filter(Boolean).join(' ');
  const lines = [
    `${firstName} ${lastName}`,
    organization,
    legalForm && `Legal form ${legalForm}`,
    companyNumber && `Company number ${companyNumber}`,
    address.street,
    place,
    COUNTRY_NAMES.of(address.country),
    email,
    phone,
  ];
  return (
    <address>
      {lines.filter(Boolean).map((line, index) => (
        <span key={index} class="block">
          {line}
        </span>
      ))}
    </address>
  );
}
