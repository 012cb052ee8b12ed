import { RECORD_TYPES } from '../dns/records/record-rules';
import { DomainName } from '../registration/domain-name';
import { ServiceError } from '../shared/service-error';
import { ValidationError } from '../shared/validation-error';

/** What a key may change, below its scope. An absent list limits nothing. */
export interface KeyLimits {
  /** Names of domains, in A-labels. */
  readonly domains?: readonly string[];
  /** Owner names relative to the domain, `@` for the apex. In a pattern, `*` is one label and `**` one or more; `\*` is a wildcard record. */
  readonly names?: readonly string[];
  /** Record types. */
  readonly types?: readonly string[];
}

/** The key's limits do not allow the change. */
export class LimitedKey extends ServiceError {
  readonly code = 'INSUFFICIENT_SCOPE';

  constructor(details: string) {
    super("The key's limits do not allow this", details);
  }
}

const MAX_ITEMS = 100;
const MAX_PATTERN = 253;
const PATTERN = /^(?:@|(?:\*\*|\*|\\\*|[a-z0-9_+-]{1,63})(?:\.(?:\*\*|\*|[a-z0-9_+-]{1,63}))*)$/;

/** Validates limits and brings them into their stored form. @throws ValidationError */
export function parseKeyLimits({ domains, names, types }: KeyLimits): KeyLimits {
  return {
    ...(domains && { domains: each('domains', domains, (text) => DomainName.parse(text).value) }),
    ...(names && { names: each('names', names, parsePattern) }),
    ...(types && { types: each('types', types, parseType) }),
  };
}

/** @throws LimitedKey if the limits leave out the domain */
export function assertDomainAllowed({ domains }: KeyLimits, domainName: string): void {
  if (domains && !domains.includes(domainName)) throw new LimitedKey(`The key is for ${domains.join(', ')}`);
}

/** @throws LimitedKey if the limits leave out the record */
export function assertRecordAllowed({ names, types }: KeyLimits, record: { name: string; type: string }): void {
  if (types && !types.includes(record.type)) throw new LimitedKey(`The key is for ${types.join(', ')} records`);
  if (names && !names.some((pattern) => matchesName(pattern, record.name)))
    throw new LimitedKey(`The key is for records named ${names.join(', ')}`);
}

/** Whether an owner name, relative to its domain, matches a pattern. */
export function matchesName(pattern: string, name: string): boolean {
  const labels = name.split('.');
  if (labels[0] === '*') labels[0] = '\\*';
  return matchesLabels(pattern.split('.'), labels);
}

function matchesLabels([first, ...rest]: readonly string[], labels: readonly string[]): boolean {
  const [label, ...others] = labels;
  if (first === undefined || label === undefined) return first === undefined && label === undefined;
  const isPlain = label !== '\\*' && label !== '@';
  if (first === '**') return isPlain && (matchesLabels(rest, others) || matchesLabels([first, ...rest], others));
  return (first === label || (first === '*' && isPlain)) && matchesLabels(rest, others);
}

function each(field: string, items: readonly string[], parse: (text: string) => string): readonly string[] {
  if (items.length === 0 || items.length > MAX_ITEMS)
    throw ValidationError.of(field, `must have 1 to ${MAX_ITEMS} items`);
  return [...new Set(items.map(parse))];
}

function parsePattern(text: string): string {
  const pattern = text.toLowerCase();
  if (pattern.length > MAX_PATTERN || !PATTERN.test(pattern))
    throw ValidationError.of(
      'names',
      'must be names relative to the domain, such as _acme-challenge, @, *.lan (one label) or **.lan (one or more)',
    );
  return pattern;
}

function parseType(text: string): string {
  const type = text.toUpperCase();
  if (!RECORD_TYPES.some((known) => known === type))
    throw ValidationError.of('types', `must be some of ${RECORD_TYPES.join(', ')}`);
  return type;
}
