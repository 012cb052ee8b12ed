import { fullOwnerName, ROOT } from '../../dns/records/record-name';
import type { Issue } from '../../shared/issue';
import type { Template, TemplateRecord } from './template';
import { TemplateRejected } from './template-errors';
import { BUILT_IN_VARIABLES, fillText, variablesIn } from './template-text';

const MAX_VARIABLES = 200;
/** A DKIM key of 4096 bits has 736. */
const MAX_VALUE_LENGTH = 2_048;
/** Of all texts of the records, with values. The longest public template has 10 kB. */
const MAX_FILLED_LENGTH = 32_000;
const MAX_SHOWN = 40;
/** No record needs them, and lone surrogates have no UTF-8 form. */
const CONTROL_CHARACTER = /[\p{Cc}\p{Cs}\u2028\u2029]/u;
const FIELDS = ['host', 'data', 'ttl', 'priority', 'weight', 'port', 'service', 'protocol'] as const;

interface Applied {
  /** Relative to the zone; `@` for the apex. */
  readonly host: string;
  readonly zoneName: string;
  readonly variables: Readonly<Record<string, string>>;
}

/** The values of a request for the variables of a template. */
export class RequestValues {
  private filledLength = 0;

  private constructor(
    private readonly values: ReadonlyMap<string, string>,
    readonly host: string,
    readonly zoneName: string,
  ) {}

  /** @throws TemplateRejected (UNKNOWN_VARIABLE, INVALID_VALUE) */
  static of(template: Template, { host, zoneName, variables }: Applied): RequestValues {
    const given = Object.entries(variables);
    const known = new Set(template.records.flatMap(variablesOf));
    const isKnown = ([name]: readonly [string, string]): boolean => known.has(name);
    if (given.length > MAX_VARIABLES)
      throw TemplateRejected.at('INVALID_VALUE', 'variables', `must be at most ${MAX_VARIABLES}`);
    reject(
      'UNKNOWN_VARIABLE',
      given.filter((each) => !isKnown(each)),
      'is not a variable of the template',
    );
    reject(
      'INVALID_VALUE',
      given.filter(([, value]) => value.length > MAX_VALUE_LENGTH || CONTROL_CHARACTER.test(value)),
      `must have at most ${MAX_VALUE_LENGTH} characters, and no line break or other control character`,
    );
    const builtIn = { host: host === ROOT ? '' : host, domain: zoneName, fqdn: fullOwnerName(host, zoneName) };
    return new RequestValues(new Map([...given, ...Object.entries(builtIn)]), host, zoneName);
  }

  get fqdn(): string {
    return fullOwnerName(this.host, this.zoneName);
  }

  /** @throws TemplateRejected (MISSING_VARIABLE) */
  assertComplete(records: readonly TemplateRecord[]): void {
    const missing = [...new Set(records.flatMap(variablesOf))].filter((name) => !this.values.has(name));
    reject(
      'MISSING_VARIABLE',
      missing.map((name) => [name, '']),
      'is required',
    );
  }

  /**
   * @param write how a value is written, such as with escapes
   * @throws TemplateRejected (INVALID_VALUE) when all filled texts together are too long
   */
  fill(text: string, write: (value: string) => string = (value) => value): string {
    const filled = fillText(text, (name) => write(this.values.get(name) ?? ''));
    this.filledLength += Buffer.byteLength(filled);
    if (this.filledLength <= MAX_FILLED_LENGTH) return filled;
    throw TemplateRejected.at(
      'INVALID_VALUE',
      'records',
      `must have at most ${MAX_FILLED_LENGTH} octets with the values`,
    );
  }
}

/** The variables of a template that a request has to have, without the built-in ones. */
export function variableNames(records: readonly TemplateRecord[]): readonly string[] {
  return [...new Set(records.flatMap(variablesOf))].filter((name) => !isBuiltIn(name));
}

function variablesOf(record: TemplateRecord): readonly string[] {
  return FIELDS.flatMap((field) => variablesIn(record[field] ?? ''));
}

function isBuiltIn(name: string): boolean {
  return BUILT_IN_VARIABLES.some((each) => each === name);
}

function reject(
  problem: 'UNKNOWN_VARIABLE' | 'MISSING_VARIABLE' | 'INVALID_VALUE',
  variables: readonly (readonly [string, string])[],
  message: string,
): void {
  const issues = variables.map(([name]): Issue => ({ path: `variables.${name.slice(0, MAX_SHOWN)}`, message }));
  if (issues.length > 0) throw new TemplateRejected(problem, issues);
}
