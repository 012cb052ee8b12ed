import { isFakeALabel, toAsciiName } from '../shared/idna';
import { ValidationError } from '../shared/validation-error';

const LDH_LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;
const MAX_NAME_LENGTH = 253;
/** No text longer than this can become a valid name; refusing it first keeps IDNA mapping cheap. */
const MAX_INPUT_LENGTH = 1_000;
const NO_A_LABEL = 'has a label that begins with xn-- and stands for no internationalized one';

/** A domain name in its one stored form: lower case, A-labels, two labels or more, letters, digits and hyphens (RFC 1035 2.3.1). */
export class DomainName {
  private constructor(readonly value: string) {}

  /** Accepts any case and Unicode (UTS #46). @throws ValidationError naming `field` where the text is no domain name. */
  static parse(text: string, field = 'name'): DomainName {
    const name = text.length <= MAX_INPUT_LENGTH ? toAsciiName(text) : undefined;
    if (name === undefined || !isHostName(name)) {
      throw ValidationError.of(
        field,
        'must be a domain name: labels of 1 to 63 letters, digits and inner hyphens, 253 characters at most',
      );
    }
    if (name.split('.').some(isFakeALabel)) throw ValidationError.of(field, NO_A_LABEL);
    return new DomainName(name);
  }

  /** For names that were parsed before: out of our own database or a registry's answer. */
  static fromState(value: string): DomainName {
    return new DomainName(value);
  }

  /** Everything after the first label. */
  get parent(): string {
    return this.value.slice(this.value.indexOf('.') + 1);
  }

  toString(): string {
    return this.value;
  }
}

/** A single label, such as the `query` of a search, in its stored form. */
export function parseLabel(text: string, field: string): string {
  const label = text.length <= MAX_INPUT_LENGTH ? toAsciiName(text) : undefined;
  if (label === undefined || !LDH_LABEL.test(label)) {
    throw ValidationError.of(field, 'must be one label of 1 to 63 letters, digits and inner hyphens, without its TLD');
  }
  if (isFakeALabel(label)) throw ValidationError.of(field, NO_A_LABEL);
  return label;
}

/** Whether a lower-case ASCII text is a host name of two labels or more, and no IP address. */
export function isHostName(name: string): boolean {
  const labels = name.split('.');
  return (
    labels.length >= 2 &&
    name.length <= MAX_NAME_LENGTH &&
    labels.every((label) => LDH_LABEL.test(label)) &&
    !/^\d+$/.test(labels.at(-1) ?? '')
  );
}
