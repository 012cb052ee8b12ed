import { createHash } from 'node:crypto';
import { ValidationError } from '../../shared/validation-error';
import type { Issue } from '../../shared/issue';
import { CnameAtRoot, InvalidRecordContent, InvalidRecordName, MissingPriority } from '../dns-errors';
import { fullOwnerName, parseRecordName, ROOT } from './record-name';
import { parsePtr, PTR_KEEPER } from './ptr-wish';
import { hasSameNotes, parseNotes, type RecordNotes } from './record-notes';
import {
  INTERFACE_TYPES,
  parseRecordType,
  typeDefinition,
  type RecordType,
  type WritableType,
} from './types/record-types';
import { decodeGeneric, isGeneric } from './types/rdata/generic-rdata';
import { wordsOf } from './types/rdata/words';
import { RECORD_NUMBERS, type RdataValues, type RecordNumber, type TypeDefinition } from './types/type-definition';
import { NO_TARGET } from './target-name';

export const DEFAULT_TTL = 3600;
export const MIN_TTL = 60;
export const MAX_TTL = 604_800;
const MAX_NUMBER = 65_535;
const VALUE_FIELDS = ['name', 'type', 'content', 'ttl', ...RECORD_NUMBERS] as const;

/** A record before validation. Null numbers count as absent. */
export interface RecordDraft extends RecordNotes {
  readonly type: string;
  readonly name: string;
  readonly content: string;
  readonly ttl?: number | undefined;
  readonly priority?: number | null | undefined;
  readonly weight?: number | null | undefined;
  readonly port?: number | null | undefined;
  /** Whether the service is to keep a PTR record for the address. */
  readonly ptr?: boolean | undefined;
}

/** A validated record in its stored, canonical form. Numbers that the type does not use are null. */
export interface RecordValues extends RdataValues {
  readonly type: RecordType;
  /** Relative to the zone; `@` for the apex. */
  readonly name: string;
  readonly ttl: number;
}

/**
 * Validates one record; rules between records are in zone-rules. Callers may rely on the order of the checks: type, name,
 * TTL, CNAME at the apex, missing priority, numbers, content.
 * @param types the types that the caller may write
 * @throws InvalidRecordType, InvalidRecordName, ValidationError, CnameAtRoot, MissingPriority, InvalidRecordContent
 */
export function validateRecord(
  draft: RecordDraft,
  zoneName: string,
  types: readonly WritableType[] = INTERFACE_TYPES,
): RecordValues {
  const type = parseRecordType(draft.type, types);
  const definition = typeDefinition(type);
  const name = parseOwnerName(draft.name, zoneName, definition);
  const ttl = validateTtl(draft.ttl);
  if (name === ROOT && !definition.allowedAtRoot) throw new CnameAtRoot();
  const expanded = draft.type === type ? draft : withoutGenericRdata(draft, definition);
  const numbers = recordNumbers(expanded, type, definition);
  const context = { zoneName, ownerName: fullOwnerName(name, zoneName), priority: numbers.priority };
  const content = definition.content.canonicalize(expanded.content, context);
  if (content === undefined) {
    const problem = definition.content.problem?.(expanded.content, context);
    throw new InvalidRecordContent(type, definition.expectation, problem);
  }
  return { type, name, content, ttl, ...numbers };
}

/** RFC 3597, section 5: a known type that is written as `TYPE` and its number may have `\#` and octets as content. */
function withoutGenericRdata(draft: RecordDraft, definition: TypeDefinition): RecordDraft {
  const words = wordsOf(draft.content) ?? [];
  if (!isGeneric(words) || definition.takesGenericRdata) return draft;
  const data = decodeGeneric(words, definition);
  if (!data) throw new InvalidRecordContent(definition.name, definition.expectation);
  return { ...draft, ...data };
}

/** A TTL that the interface does not allow becomes the nearest that it allows. */
export function clampTtl(ttl = MIN_TTL): number {
  return Math.min(Math.max(ttl, MIN_TTL), MAX_TTL);
}

/** @param ttl seconds (RFC 2181, section 8, would allow up to 2^31-1) @throws ValidationError */
function validateTtl(ttl: number = DEFAULT_TTL): number {
  if (Number.isInteger(ttl) && ttl >= MIN_TTL && ttl <= MAX_TTL) return ttl;
  throw ValidationError.of('ttl', `must be an integer from ${MIN_TTL} to ${MAX_TTL}`);
}

function parseOwnerName(text: string, zoneName: string, definition: TypeDefinition): string {
  const name = parseRecordName(text, zoneName);
  const error = definition.checkName?.(name);
  if (error !== undefined) throw new InvalidRecordName(error);
  return name;
}

function recordNumbers(
  draft: RecordDraft,
  type: RecordType,
  definition: TypeDefinition,
): Record<RecordNumber, number | null> {
  if (definition.numbers.priority === 'required' && isAbsent(draft.priority)) throw new MissingPriority(type);
  const issues = RECORD_NUMBERS.flatMap((field): Issue[] => {
    const message = numberError(draft[field], definition.numbers[field], type);
    return message === undefined ? [] : [{ path: field, message }];
  });
  if (issues.length > 0) throw new ValidationError(issues);
  return {
    priority: numberOrDefault('priority', draft, definition),
    weight: numberOrDefault('weight', draft, definition),
    port: numberOrDefault('port', draft, definition),
  };
}

function numberError(
  value: number | null | undefined,
  use: TypeDefinition['numbers'][RecordNumber],
  type: RecordType,
): string | undefined {
  if (isAbsent(value)) return use === 'required' ? `is required for ${type} records` : undefined;
  if (use === undefined) return `is not used by ${type} records`;
  const valid = Number.isInteger(value) && value >= 0 && value <= MAX_NUMBER;
  return valid ? undefined : `must be an integer from 0 to ${MAX_NUMBER}`;
}

function numberOrDefault(field: RecordNumber, draft: RecordDraft, definition: TypeDefinition): number | null {
  const use = definition.numbers[field];
  const fallback = typeof use === 'object' ? use.default : null;
  const value = draft[field] ?? fallback;
  return value === 0 ? 0 : value; // JSON allows -0
}

function isAbsent(value: number | null | undefined): value is null | undefined {
  return value === null || value === undefined;
}

export type RecordPatch = { readonly [Field in keyof RecordDraft]?: RecordDraft[Field] | undefined };

export interface DnsRecordState extends RecordValues {
  readonly id: string;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  /** The RDATA as a program wrote it, if it reads it back so; null if that is `portableRdata`. Absent if none told a form. */
  readonly written?: string | null;
  readonly comment?: string | null;
  readonly managedBy?: string | null;
  /** The service keeps a PTR record for the address if its reverse zone is here. */
  readonly ptr?: true;
}

export class DnsRecord {
  private constructor(private state: DnsRecordState) {}

  /** @throws the errors of `validateRecord` */
  static create(
    draft: RecordDraft,
    zoneName: string,
    id: string,
    now: Date,
    types: readonly WritableType[] = INTERFACE_TYPES,
  ): DnsRecord {
    const values = validateRecord(draft, zoneName, types);
    const notes = { ...parseNotes(draft), ...parsePtr({ asked: draft.ptr }, values, zoneName) };
    return new DnsRecord({ id, ...values, createdAt: now, updatedAt: now, ...notes });
  }

  static fromState(state: DnsRecordState): DnsRecord {
    return new DnsRecord(state);
  }

  get id(): string {
    return this.state.id;
  }

  get type(): RecordType {
    return this.state.type;
  }

  get name(): string {
    return this.state.name;
  }

  get ttl(): number {
    return this.state.ttl;
  }

  copy(): DnsRecord {
    return new DnsRecord(this.state);
  }

  /**
   * Changes the fields of the patch and validates the resulting record. A new type drops numbers that it does not use, and
   * other RDATA drops the written form. The comment stays unless the patch tells another.
   * @throws the errors of `validateRecord`; then nothing is changed
   */
  change(patch: RecordPatch, zoneName: string, now: Date, types: readonly WritableType[] = INTERFACE_TYPES): void {
    parseRecordType(this.state.type, types);
    const { numbers } = typeDefinition(parseRecordType(patch.type ?? this.state.type, types));
    const kept = (field: RecordNumber): number | null => (numbers[field] === undefined ? null : this.state[field]);
    const draft: RecordDraft = {
      type: patch.type ?? this.state.type,
      name: patch.name ?? this.state.name,
      content: patch.content ?? this.state.content,
      ttl: patch.ttl ?? this.state.ttl,
      priority: patch.priority ?? kept('priority'),
      weight: patch.weight ?? kept('weight'),
      port: patch.port ?? kept('port'),
    };
    const { written: _written, ptr: stored, ...state } = this.state;
    const values = validateRecord(draft, zoneName, types);
    const notes = { ...parseNotes(patch), ...parsePtr({ asked: patch.ptr, stored }, values, zoneName) };
    const changed = new DnsRecord({ ...state, ...values, ...notes, updatedAt: now });
    if (patch.managedBy === undefined && this.isReleasedBy(changed))
      changed.state = { ...changed.state, managedBy: null };
    const isSame = changed.type === this.type && changed.rdata() === this.rdata();
    this.state = isSame ? changed.withFormOf(this).state : changed.state;
  }

  /** The same record with the form in which a program wrote its RDATA. */
  writtenAs(rdata: string): DnsRecord {
    return new DnsRecord({ ...this.state, written: rdata === this.portableRdata() ? null : rdata });
  }

  /** With the form of a record that has the same RDATA, unless this one tells its own. */
  withFormOf({ state: { written } }: DnsRecord): DnsRecord {
    return written === undefined || this.state.written !== undefined ? this : new DnsRecord({ ...this.state, written });
  }

  /** With the comment of a record that this one takes the place of, and what manages that, unless this one tells its own. */
  withNotesOf(before: DnsRecord): DnsRecord {
    const { comment, managedBy, ptr } = before.state;
    const notes = { ...(comment !== undefined && { comment }), ...(ptr && { ptr }) };
    const keeper = managedBy !== undefined && !before.isReleasedBy(this) && { managedBy };
    return new DnsRecord({ ...notes, ...keeper, ...this.state });
  }

  /** Whether the service kept this PTR record, and someone changes it to the other. */
  private isReleasedBy(other: DnsRecord): boolean {
    return this.state.managedBy === PTR_KEEPER && this.identity() !== other.identity();
  }

  /** With these in place of its comment and what manages it. @throws ValidationError */
  annotated({ comment = null, managedBy = null }: RecordNotes): DnsRecord {
    return new DnsRecord({ ...this.state, ...parseNotes({ comment, managedBy }) });
  }

  /** RDATA in presentation format: `10 mail.example.com.` */
  rdata(): string {
    const content = typeDefinition(this.state.type).content.presentation(this.state.content);
    return [...this.numbers(), content].join(' ');
  }

  /** As `rdata`, in a form that older nameservers and tools read, too. */
  portableRdata(): string {
    const { portable } = typeDefinition(this.state.type).content;
    return portable ? portable(this.state.content) : this.rdata();
  }

  /** As `portableRdata`, but in the form in which a program wrote it. */
  writtenRdata(): string {
    return this.state.written ?? this.portableRdata();
  }

  /** RDATA in wire format, with uncompressed names in lower case. */
  wireRdata(): Buffer {
    return typeDefinition(this.state.type).encode(this.state);
  }

  /** Equal for two records of a zone if they have the same name, type and RDATA. The TTL does not count. */
  identity(): string {
    return `${this.state.name} ${this.state.type} ${this.rdata()}`;
  }

  /** Whether the records are equal except for their ids and timestamps. */
  hasSameValues(other: DnsRecord): boolean {
    const isSameForm = (this.state.written ?? null) === (other.state.written ?? null);
    const isSameWish = this.state.ptr === other.state.ptr;
    return isSameForm && isSameWish && hasSameNotes(this.state, other.state) && this.isServedAs(other);
  }

  /** Whether nameservers serve the same for both: comments and written forms are not in DNS. */
  isServedAs(other: DnsRecord): boolean {
    return VALUE_FIELDS.every((field) => this.state[field] === other.state[field]);
  }

  /** SHA-256 of the values in base64url: a form names by it the record that it showed. */
  digest(): string {
    const { comment = null, managedBy = null, ptr = false } = this.state;
    const values = [...VALUE_FIELDS.map((field) => this.state[field]), comment, managedBy, ptr];
    return createHash('sha256').update(JSON.stringify(values)).digest('base64url');
  }

  /** RFC 7505: the domain accepts no mail. */
  isNullMx(): boolean {
    return this.state.type === 'MX' && this.state.content === NO_TARGET;
  }

  toState(): DnsRecordState {
    return this.state;
  }

  private numbers(): number[] {
    return RECORD_NUMBERS.flatMap((field) => this.state[field] ?? []);
  }
}
