import { isFakeALabel, toAsciiName } from './idna';
import { ValidationError } from './validation-error';

const LDH_LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;
const MAX_NAME_LENGTH = 253;
/** Longer input cannot become a valid name. Rejecting it early bounds the cost of IDNA mapping. */
const MAX_INPUT_LENGTH = 1_000;
const INVALID_A_LABEL = 'has a label that starts with xn-- but is not a valid internationalized label';

/** A domain name in its stored form: lower case, A-labels, at least two labels of letters, digits and hyphens (RFC 1035 2.3.1). */
export class DomainName {
  private constructor(readonly value: string) {}

  /** Accepts any case and Unicode (UTS #46). @throws ValidationError about `field` if `text` is not a domain name. */
  static parse(text: string, field = 'name'): DomainName {
    const name = text.length <= MAX_INPUT_LENGTH ? toAsciiName(text) : undefined;
    if (name === undefined || !isHostName(name)) {
      throw ValidationError.of(
        field,
        'must be a domain name: labels of 1 to 63 letters, digits and inner hyphens; at most 253 characters',
      );
    }
    if (name.split('.').some(isFakeALabel)) throw ValidationError.of(field, INVALID_A_LABEL);
    return new DomainName(name);
  }

  /** For names that were validated before: from the database or from a registry's response. */
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

/** Parses a single label, such as a search's `query`. @throws ValidationError about `field` */
export function parseLabel(text: string, field: string): string {
  const label = text.length <= MAX_INPUT_LENGTH ? toAsciiName(text) : undefined;
  if (label === undefined || !LDH_LABEL.test(label)) {
    throw ValidationError.of(field, 'must be one label of 1 to 63 letters, digits and inner hyphens, without its TLD');
  }
  if (isFakeALabel(label)) throw ValidationError.of(field, INVALID_A_LABEL);
  return label;
}

/** Whether lower-case ASCII text is a host name with at least two labels, and not an IP address. */
export function isHostName(name: string): boolean {
  const labels = name.split('.');
  return (
    labels.length >= 2 &&
    name.length <= MAX_NAME_LENGTH &&
    labels.every((label) => LDH_LABEL.test(label)) &&
    !/^\d+$/.test(labels.at(-1) ?? '')
  );
}

/** The names above, the longest first: `b.c` and `c` for `a.b.c`. */
export function parentsOf(name: string): readonly string[] {
  const labels = name.split('.');
  return labels.slice(1).map((_label, index) => labels.slice(index + 1).join('.'));
}
