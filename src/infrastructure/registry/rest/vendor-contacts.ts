import type { Registrant } from '../../../domain/registration/registrant';
import type { Issue } from '../../../domain/shared/issue';
import { fromE164 } from './vendor-values';

/** What a vendor's contacts can hold. */
export interface ContactForm {
  readonly vendor: string;
  readonly needsFirstName: boolean;
  readonly streetLines: 1 | 2 | 3;
}

/** `registrantIssues` of a vendor whose contacts have no phone extension: refused before the order, instead of lost with it. */
export function contactIssues({ vendor, needsFirstName, streetLines }: ContactForm) {
  return ({ firstName, phoneExtension, address }: Registrant): readonly Issue[] => {
    const absent = (path: string) => ({ path, message: `must be absent: contacts at ${vendor} have none` });
    return [
      ...(needsFirstName && firstName === ''
        ? [{ path: 'first_name', message: `must be present: ${vendor} requires it` }]
        : []),
      ...(phoneExtension ? [absent('phone_extension')] : []),
      ...(address.street2 && streetLines < 2 ? [absent('address.street2')] : []),
      ...(address.street3 && streetLines < 3 ? [absent('address.street3')] : []),
    ];
  };
}

/** A phone number with its extension, as vendors write them: `+1 212 555 0100 x12`, `… ext. 12`. Undefined for other text. */
export function phoneOf(text: string): Pick<Registrant, 'phone' | 'phoneExtension'> | undefined {
  const [, number = '', phoneExtension] = /^(.*?)(?:\s*(?:x|ext\.?|extension)\s*(\d+))?\s*$/i.exec(text) ?? [];
  const phone = fromE164(number);
  return phone === undefined ? undefined : { phone, ...(phoneExtension && { phoneExtension }) };
}
