import { ServiceError } from '../../shared/service-error';
import { ValidationError } from '../../shared/validation-error';

/** A value that is asked for when the template is applied. `{name}` in the records stands for it. */
interface TemplateVariable {
  readonly name: string;
  readonly label: string;
  readonly hint?: string;
  /** Records that use it are left out while it has no value. */
  readonly isOptional?: boolean;
}

/** Where the provider documents the records. */
interface TemplateSource {
  readonly url: string;
}

/** Records that are added to a zone together. */
export interface RecordTemplate {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  /** Null for those of an account. */
  readonly source: TemplateSource | null;
  readonly variables: readonly TemplateVariable[];
  /** Lines of a zone file (RFC 1035, section 5.1), relative to the zone. `{domain}` is the zone's name. */
  readonly records: string;
}

/** What a template adds to zones. */
export type TemplateRecords = Pick<RecordTemplate, 'variables' | 'records'>;

/** A template of an account; its variables are those that its records use. */
export interface AccountTemplate {
  readonly id: string;
  readonly accountId: string;
  readonly name: string;
  readonly description: string;
  readonly records: string;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

export class TemplateNotFound extends ServiceError {
  readonly code = 'TEMPLATE_NOT_FOUND';

  constructor() {
    super('Specified record template not found');
  }
}

const MAX_TEMPLATE_LENGTH = 16_000;
const MAX_NAME_LENGTH = 100;
const MAX_DESCRIPTION_LENGTH = 500;
const MAX_VALUE_LENGTH = 1_000;

/** `%{i}` is a macro of SPF (RFC 7208, section 7), not a variable. */
const VARIABLE = /(?<!%)\{([a-z][a-z0-9_]{0,30})\}/g;
const DOMAIN = 'domain';
/** One word of a zone file: no space, quote, comment, parenthesis or escape. */
const VALUE = /^[\x21\x23-\x27\x2a-\x3a\x3c-\x5b\x5d-\x7e]+$/;

export type TemplateText = Pick<AccountTemplate, 'name' | 'description' | 'records'>;

/** Trims the texts of an account's template. @throws ValidationError */
export function parseTemplateText({ name, description, records }: TemplateText): TemplateText {
  const text = { name: name.trim(), description: description.trim(), records: records.replaceAll('\r\n', '\n').trim() };
  const issues = [
    ...(text.name === '' || text.name.length > MAX_NAME_LENGTH
      ? [{ path: 'name', message: `must have 1 to ${MAX_NAME_LENGTH} characters` }]
      : []),
    ...(text.description.length > MAX_DESCRIPTION_LENGTH
      ? [{ path: 'description', message: `must have at most ${MAX_DESCRIPTION_LENGTH} characters` }]
      : []),
    ...(text.records === '' || text.records.length > MAX_TEMPLATE_LENGTH
      ? [{ path: 'records', message: `must have 1 to ${MAX_TEMPLATE_LENGTH} characters` }]
      : []),
  ];
  if (issues.length > 0) throw new ValidationError(issues);
  return text;
}

export function toRecordTemplate({ id, name, description, records }: AccountTemplate): RecordTemplate {
  const variables = variablesIn(records).map((variable) => ({ name: variable, label: labelOf(variable) }));
  return { id, name, description, source: null, variables, records };
}

/** The variables that the records use, in their order, without `domain`. */
function variablesIn(records: string): readonly string[] {
  const names = [...records.matchAll(VARIABLE)].flatMap(([, name]) => name ?? []);
  return [...new Set(names)].filter((name) => name !== DOMAIN);
}

function labelOf(name: string): string {
  const words = name.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

export type TemplateValues = Readonly<Record<string, string>>;

/** The records as lines of a zone file of `zoneName`. @throws ValidationError naming `values.NAME` */
export function fillTemplate(
  { variables, records }: TemplateRecords,
  values: TemplateValues,
  zoneName: string,
): string {
  const given = new Map(
    Object.entries(values)
      .map(([name, value]) => [name, value.trim()] as const)
      .filter(([, value]) => value !== ''),
  );
  assertValues(variables, given);
  const missing = new Set(variables.map(({ name }) => name).filter((name) => !given.has(name)));
  given.set(DOMAIN, zoneName);
  return records
    .split('\n')
    .filter((line) => !variablesIn(line).some((name) => missing.has(name)))
    .map((line) => line.replaceAll(VARIABLE, (_whole, name: string) => given.get(name) ?? ''))
    .join('\n');
}

function assertValues(variables: readonly TemplateVariable[], given: ReadonlyMap<string, string>): void {
  const known = new Set(variables.map(({ name }) => name));
  const issues = [
    ...[...given.keys()]
      .filter((name) => !known.has(name))
      .map((name) => ({ path: `values.${name.slice(0, 40)}`, message: 'is not a variable of the template' })),
    ...variables
      .filter(({ name, isOptional = false }) => !isOptional && !given.has(name))
      .map(({ name }) => ({ path: `values.${name}`, message: 'is required' })),
    ...[...given]
      .filter(([name, value]) => known.has(name) && (value.length > MAX_VALUE_LENGTH || !VALUE.test(value)))
      .map(([name]) => ({
        path: `values.${name}`,
        message: `must have 1 to ${MAX_VALUE_LENGTH} ASCII characters without spaces, quotes, backslashes, semicolons and parentheses`,
      })),
  ];
  if (issues.length > 0) throw new ValidationError(issues);
}
