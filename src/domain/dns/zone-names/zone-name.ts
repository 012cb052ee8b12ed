import { isIP } from 'node:net';
import { isFakeALabel, splitLabels, toAsciiName } from '../../shared/idna';
import { ValidationError } from '../../shared/validation-error';
import { MAX_NAME_LENGTH, typedName } from '../records/record-name';
import { reverseNameProblem } from './reverse-name';
import { isReverseName } from './reverse-tree';

const MAX_LABEL_LENGTH = 63;
/** As many as the name of one IPv6 address has in ip6.arpa. Bounds the look-ups of the zone of a full name. */
export const MAX_ZONE_LABELS = 34;
const MAX_SHOWN = 80;
/** Letters, digits and inner hyphens (RFC 1123, section 2.1), and underscores, as in `_acme-challenge.www.example.com`. */
const ZONE_LABEL = /^(?!-)[a-z0-9_-]+(?<!-)$/;
const EXAMPLE = 'such as example.com or k8s.corp.example';
const ADDRESS = 'must be a name, not an IP address';
const WILDCARD = 'must not have a wildcard label';
/** What helps those who create a zone. */
const INSTEAD: Readonly<Record<string, string>> = {
  [ADDRESS]: '; give a network to create its reverse zone',
  [WILDCARD]: '; create the zone above and add wildcard records to it',
};

/**
 * Parses the name of a zone that needs no registration to its stored form: lower case, A-labels, no trailing dot. Underscores are
 * valid, and so are the names of reverse zones. Whether a zone may have the name: `assertNotReserved`.
 * @throws ValidationError about `field` that names the wrong part
 */
export function parseZoneName(text: string, field = 'name'): string {
  return parsed(text, (problem) => ValidationError.of(field, problem));
}

/** The name of a zone that is to be created: the error says what to create instead. @throws ValidationError */
export function parseNewZoneName(text: string): string {
  return parsed(text, (problem) => ValidationError.of('name', `${problem}${INSTEAD[problem] ?? ''}`));
}

function parsed(text: string, errorOf: (problem: string) => ValidationError): string {
  const typed = typedName(text);
  const problem = typed === undefined ? unreadablePart(text) : nameProblem(typed.name);
  if (problem !== undefined) throw errorOf(problem);
  return typed?.name ?? '';
}

/** Whether lower-case ASCII text without trailing dot can be the name of a zone. */
export function isZoneName(name: string): boolean {
  return nameProblem(name) === undefined;
}

function nameProblem(name: string): string | undefined {
  const labels = name.split('.');
  if (name === '') return `must be a domain name ${EXAMPLE}, not the root`;
  if (isIP(name) !== 0) return ADDRESS;
  if (/^[a-z][a-z0-9+.-]*:\/\//.test(name)) return `must be a domain name ${EXAMPLE}, not a URL`;
  if (labels.includes(''))
    return 'must be a domain name without empty labels: it has two dots in a row or begins with one';
  if (name.length > MAX_NAME_LENGTH) return `must have at most ${MAX_NAME_LENGTH} octets, not ${name.length}`;
  if (isReverseName(name)) return reverseNameProblem(name);
  if (labels.length > MAX_ZONE_LABELS) return `must have at most ${MAX_ZONE_LABELS} labels, not ${labels.length}`;
  return labels.map(labelProblem).find((problem) => problem !== undefined) ?? numericTld(labels.at(-1) ?? '');
}

function labelProblem(label: string): string | undefined {
  const shown = shownLabel(label);
  if (label.length > MAX_LABEL_LENGTH) return `must not have a label of more than ${MAX_LABEL_LENGTH} octets: ${shown}`;
  if (label === '*') return WILDCARD;
  if (!ZONE_LABEL.test(label))
    return `must have labels of letters, digits, underscores and inner hyphens, and ${shown} is none${slashHint(label)}`;
  return isFakeALabel(label)
    ? `must not have the label ${shown}, which starts with xn-- but is not a valid internationalized label`
    : undefined;
}

function slashHint(label: string): string {
  return label.includes('/') ? '; only reverse zones have slashes, as in 0/26.2.0.192.in-addr.arpa' : '';
}

/** RFC 3696, section 2: a TLD is never a number, so that names cannot be taken for addresses. */
function numericTld(label: string): string | undefined {
  return /^\d+$/.test(label) ? `must not end in the number ${label}` : undefined;
}

/** Of text that has no form in ASCII. */
function unreadablePart(text: string): string {
  const label =
    text.length > 2 * MAX_NAME_LENGTH ? undefined : splitLabels(text).find((each) => toAsciiName(each) === undefined);
  if (label === undefined) return `must have at most ${MAX_NAME_LENGTH} octets`;
  return `must have labels that are valid internationalized labels (UTS #46) of at most ${MAX_LABEL_LENGTH} octets, and ${shownLabel(label)} is none`;
}

function shownLabel(label: string): string {
  return label.length > MAX_SHOWN ? `"${label.slice(0, MAX_SHOWN)}…"` : `"${label}"`;
}
