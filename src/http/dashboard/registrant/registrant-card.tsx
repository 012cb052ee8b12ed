import { registrantName, streetLines, type Registrant } from '../../../domain/registration/registrant';

const COUNTRY_NAMES = new Intl.DisplayNames('en', { type: 'region' });

/** The registrant's name and address. */
export function RegistrantAddress({ registrant }: { readonly registrant: Registrant }) {
  const { organization, companyNumber, legalForm, email, phone, phoneExtension, address } = registrant;
  const place = [address.postalCode, address.city, address.state].filter(Boolean).join(' ');
  const lines = [
    registrantName(registrant),
    organization,
    legalForm && `Legal form ${legalForm}`,
    companyNumber && `Company number ${companyNumber}`,
    ...streetLines(address),
    place,
    COUNTRY_NAMES.of(address.country),
    email,
    phoneExtension ? `${phone}, extension ${phoneExtension}` : phone,
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
