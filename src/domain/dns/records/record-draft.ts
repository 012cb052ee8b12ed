import type { Issue } from '../../shared/issue';
import { ValidationError } from '../../shared/validation-error';
import { CnameAtRoot, InvalidRecordContent, InvalidRecordName, MissingPriority } from '../errors';
import { fullName, parseRecordName, ROOT } from './record-name';
import { RECORD_NUMBERS, RECORD_RULES, parseRecordType, type RecordNumber, type RecordRule } from './record-rules';
import type { RecordType } from './record-type';
import { validateTtl } from './ttl';

/** A record before validation. Null numbers count as absent. */
export interface RecordDraft {
  readonly type: string;
  readonly name: string;
  readonly content: string;
  readonly ttl?: number | undefined;
  readonly priority?: number | null | undefined;
  readonly weight?: number | null | undefined;
  readonly port?: number | null | undefined;
}

/** A validated record in its stored, canonical form. Numbers that the type does not use are null. */
export interface RecordValues extends Readonly<Record<RecordNumber, number | null>> {
  readonly type: RecordType;
  /** Relative to the zone; `@` for the apex. */
  readonly name: string;
  readonly content: string;
  readonly ttl: number;
}

const MAX_NUMBER = 65_535;

/**
 * Validates one record; rules between records are in zone-rules. Callers may rely on the order of the checks: type, name,
 * TTL, CNAME at the apex, missing priority, numbers, content.
 * @throws InvalidRecordType, InvalidRecordName, ValidationError, CnameAtRoot, MissingPriority, InvalidRecordContent
 */
export function validateRecord(draft: RecordDraft, zoneName: string): RecordValues {
  const type = parseRecordType(draft.type);
  const rule = RECORD_RULES[type];
  const name = ownerName(draft.name, zoneName, rule);
  const ttl = validateTtl(draft.ttl);
  if (name === ROOT && !rule.allowedAtRoot) throw new CnameAtRoot();
  const numbers = recordNumbers(draft, type, rule);
  const context = { zoneName, ownerName: fullName(name, zoneName), priority: numbers.priority };
  const content = rule.content.canonicalize(draft.content, context);
  if (content === undefined) throw new InvalidRecordContent(type, rule.expectation);
  return { type, name, content, ttl, ...numbers };
}

function ownerName(text: string, zoneName: string, rule: RecordRule): string {
  const name = parseRecordName(text, zoneName);
  const error = rule.checkName?.(name);
  if (error !== undefined) throw new InvalidRecordName(error);
  return name;
}

function recordNumbers(draft: RecordDraft, type: RecordType, rule: RecordRule): Record<RecordNumber, number | null> {
  if (rule.numbers.priority === 'required' && isAbsent(draft.priority)) throw new MissingPriority(type);
  const issues = RECORD_NUMBERS.flatMap((field): Issue[] => {
    const message = numberError(draft[field], rule.numbers[field], type);
    return message === undefined ? [] : [{ path: field, message }];
  });
  if (issues.length > 0) throw new ValidationError(issues);
  return {
    priority: numberOrDefault('priority', draft, rule),
    weight: numberOrDefault('weight', draft, rule),
    port: numberOrDefault('port', draft, rule),
  };
}

function numberError(
  value: number | null | undefined,
  use: RecordRule['numbers'][RecordNumber],
  type: RecordType,
): string | undefined {
  if (isAbsent(value)) return use === 'required' ? `is required for ${type} records` : undefined;
  if (use === undefined) return `is not used by ${type} records`;
  const valid = Number.isInteger(value) && value >= 0 && value <= MAX_NUMBER;
  return valid ? undefined : `must be an integer from 0 to ${MAX_NUMBER}`;
}

function numberOrDefault(field: RecordNumber, draft: RecordDraft, rule: RecordRule): number | null {
  const use = rule.numbers[field];
  const fallback = typeof use === 'object' ? use.default : null;
  const value = draft[field] ?? fallback;
  return value === 0 ? 0 : value; // JSON allows -0
}

function isAbsent(value: number | null | undefined): value is null | undefined {
  return value === null || value === undefined;
}
