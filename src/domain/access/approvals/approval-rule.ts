import { createHash } from 'node:crypto';
import { ALL_TYPES, findRecordType } from '../../dns/records/types/record-types';
import { isWithin, type Money } from '../../shared/money';
import type { Task } from '../../shared/sorted';
import { parseTags } from '../../shared/tags';
import { ValidationError } from '../../shared/validation-error';
import { matchesName, parseNamePattern } from '../record-name-pattern';

/**
 * What a rule can ask a second person for. `transfer_out`: unlocking, auth codes, approved transfers, releases, moves; `contacts`: another
 * registrant; `deletion`: also of zones without a registration; `purchases`: registrations, renewals, restores, transfers.
 */
export const APPROVAL_CHANGES = [
  'nameservers',
  'dnssec',
  'contacts',
  'deletion',
  'transfer_out',
  'records',
  'purchases',
] as const;
export type ApprovalChange = (typeof APPROVAL_CHANGES)[number];

/** Changes of an account that need a second person. What is absent limits nothing. */
export interface ApprovalRule {
  readonly changes: readonly ApprovalChange[];
  /** Only for names that have one of these tags. */
  readonly tags?: readonly string[];
  /** Only for records of these types. */
  readonly types?: readonly string[];
  /** Only for records whose owner name matches: patterns as those of keys. */
  readonly names?: readonly string[];
  /** Only for requests whose purchases cost more together. */
  readonly over?: Money;
}

/** A change as rules see it, but for those of records. */
export interface PlannedChange {
  readonly kind: Exclude<ApprovalChange, 'records'>;
  /** Of the name. */
  readonly tags: readonly string[];
  /** Of all purchases of the request; undefined: not known. */
  readonly total?: Money | undefined;
}

/** Records that are added, changed or removed. */
interface PlannedRecords extends Pick<PlannedChange, 'tags'> {
  readonly records: readonly { readonly name: string; readonly type: string }[];
}

/** Names the rules of an account: the same for the same rules, however they are stored. */
export function versionOfRules(rules: readonly ApprovalRule[]): string {
  const members = rules.map(({ changes, tags, types, names, over }) => [
    changes,
    tags ?? null,
    types ?? null,
    names ?? null,
    over ? [over.minor, over.currency] : null,
  ]);
  return createHash('sha256').update(JSON.stringify(members)).digest('base64url').slice(0, 22);
}

/** As a client gives it, not validated. */
export type GivenRule = Omit<ApprovalRule, 'changes'> & { readonly changes: readonly string[] };

const MAX_RULES = 20;
/** Of all rules: each record of a change is compared with each label of each. */
const MAX_LABELS = 200;
const MAX_ITEMS = 100;

/** Whether one of the rules asks for a second person. */
export function needsApproval(rules: readonly ApprovalRule[], { kind, tags, total }: PlannedChange): boolean {
  return rulesFor(rules, kind, tags).some(
    ({ over }) => kind !== 'purchases' || !over || !total || !isWithin(total, over),
  );
}

/** The same of a change of records, which can be as many as a zone has. */
export function* recordsNeedApproval(rules: readonly ApprovalRule[], { tags, records }: PlannedRecords): Task<boolean> {
  const applicable = rulesFor(rules, 'records', tags);
  if (applicable.length === 0) return false;
  for (const record of records) {
    if (applicable.some((rule) => isFor(rule, record))) return true;
    yield;
  }
  return false;
}

function rulesFor(rules: readonly ApprovalRule[], change: ApprovalChange, given: readonly string[]) {
  return rules.filter(
    ({ changes, tags }) => changes.includes(change) && (!tags || tags.some((tag) => given.includes(tag))),
  );
}

function isFor({ types, names }: ApprovalRule, { name, type }: PlannedRecords['records'][number]): boolean {
  return (types?.includes(type) ?? true) && (names?.some((pattern) => matchesName(pattern, name)) ?? true);
}

/** Validates rules and brings them into their stored form. @throws ValidationError */
export function parseApprovalRules(given: readonly GivenRule[]): readonly ApprovalRule[] {
  if (given.length > MAX_RULES) throw ValidationError.of('rules', `must be at most ${MAX_RULES}`);
  const rules = given.map((rule, index) => parseRule(rule, `rules[${index}]`));
  const labels = rules.flatMap(({ names = [] }) => names.flatMap((name) => name.split('.')));
  if (labels.length > MAX_LABELS)
    throw ValidationError.of('rules', `must have at most ${MAX_LABELS} labels, all names of all rules together`);
  return rules;
}

function parseRule({ changes, tags, types, names, over }: GivenRule, path: string): ApprovalRule {
  const parsed = each(`${path}.changes`, changes, parseChange);
  const assertBelongs = (field: string, value: unknown, change: ApprovalChange): void => {
    if (value !== undefined && !parsed.includes(change))
      throw ValidationError.of(`${path}.${field}`, `belongs to rules for ${change}`);
  };
  assertBelongs('types', types, 'records');
  assertBelongs('names', names, 'records');
  assertBelongs('over', over, 'purchases');
  if (over && (!Number.isSafeInteger(over.minor) || over.minor < 0))
    throw ValidationError.of(`${path}.over`, 'must be an amount of zero or more');
  return {
    changes: parsed,
    ...(tags && { tags: each(`${path}.tags`, parseTags(tags, `${path}.tags`), (tag) => tag) }),
    ...(types && { types: each(`${path}.types`, types, parseType) }),
    ...(names && { names: each(`${path}.names`, names, (text, field) => parseNamePattern(text, field)) }),
    ...(over && { over }),
  };
}

function each<O>(field: string, items: readonly string[], parse: (text: string, field: string) => O): readonly O[] {
  if (items.length === 0 || items.length > MAX_ITEMS)
    throw ValidationError.of(field, `must have 1 to ${MAX_ITEMS} items`);
  return [...new Set(items.map((item) => parse(item, field)))];
}

function parseChange(text: string, field: string): ApprovalChange {
  const change = APPROVAL_CHANGES.find((known) => known === text);
  if (!change) throw ValidationError.of(field, `must be some of ${APPROVAL_CHANGES.join(', ')}`);
  return change;
}

function parseType(text: string, field: string): string {
  const type = findRecordType(text.toUpperCase());
  if (!type) throw ValidationError.of(field, `must be some of ${ALL_TYPES.join(', ')}`);
  return type;
}
