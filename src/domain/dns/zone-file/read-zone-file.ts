import { isAtOrBelow } from '../../shared/name-relation';
import { type RecordDraft, MAX_TTL, MIN_TTL } from '../records/dns-record';
import {
  includesType,
  INTERFACE_TYPES,
  isNamedType,
  OTHER_TYPES,
  findRecordType,
  withUpdateTypes,
  type RecordType,
  type WritableType,
} from '../records/types/record-types';
import { InvalidRecordData } from '../records/types/type-definition';
import { draftContent } from './record-data';
import type { RecordNotes } from '../records/record-notes';
import { typedName } from '../records/record-name';
import { readNotesIn } from './notes-in-comments';
import { durationOf, headOf, SyntaxIssue } from './record-head';
import { octalMeaning, txtWarnings } from './doubtful-text';
import { isUnsupportedType, isAllowedBesideCname, isOnePerName } from './unsupported-types';
import type { Entry, LineError, Token } from './zone-file-entries';

interface ReadRecord {
  readonly line: number;
  /** Not validated; its name is absolute, with trailing dot. */
  readonly draft: RecordDraft;
}

export interface LineNote {
  readonly line: number;
  readonly note: string;
}

/** A parsed zone file. If `errors` is not empty, the records must not be used. Has at most `maxRecords` + 1 records. */
export interface ZoneFileReading {
  readonly records: readonly ReadRecord[];
  readonly errors: readonly LineError[];
  /** Records that were skipped or changed; at most `MAX_NOTES`. */
  readonly notes: readonly LineNote[];
  /** Records that are read as the standard says, which is probably not what was meant; at most `MAX_NOTES`. */
  readonly warnings: readonly LineNote[];
  /** Number of skipped records by type: SOA, which the service generates, and unsupported types. */
  readonly skippedTypes: Readonly<Record<string, number>>;
}

/** A file with more errors is probably not a zone file. */
const MAX_ERRORS = 1_000;
export const MAX_NOTES = 1_000;
/** Limit of names with skipped records in memory; RRSIG and NSEC records do not count. */
const MAX_SKIPPED_NAMES = 20_000;
/** Bounds names that repeated relative $ORIGIN directives would make longer and longer. */
const MAX_NAME_LENGTH = 1_000;

/**
 * Parses a zone file strictly (RFC 1035, section 5; $TTL of RFC 2308, section 4; TTL units). Rejects $INCLUDE, $GENERATE and
 * classes other than IN. TTL default: $TTL, else the last TTL, else the SOA minimum. SOA and NS records are optional.
 * It is given the entries one by one, and reads at most one record more than `maxRecords`.
 */
export class ZoneFileReader {
  private readonly records: ReadRecord[] = [];
  private readonly errors: LineError[] = [];
  private readonly notes: LineNote[] = [];
  private readonly warnings: LineNote[] = [];
  private readonly skipped = new Map<string, number>();
  /** The first skipped record of each owner that excludes a CNAME there. */
  private readonly excludingCname = new Map<string, { readonly type: string; readonly line: number }>();
  /** Lines of skipped records that an owner may have only once, by owner and type. */
  private readonly singletons = new Map<string, number>();
  private origin: string;
  private owner: string | undefined;
  private defaultTtl: number | undefined;
  private lastTtl: number | undefined;
  private minimumTtl: number | undefined;
  /** The line of a SOA record whose owner has no dot at its end. */
  private relativeSoa: number | undefined;

  private readonly zone: string;

  constructor(
    zoneName: string,
    private readonly maxRecords: number,
    private readonly types: readonly WritableType[] = withUpdateTypes(INTERFACE_TYPES),
    /** Of records before the first TTL of the text. Without it, those are refused. */
    private readonly assumedTtl?: number,
  ) {
    this.zone = `${zoneName.toLowerCase()}.`;
    this.origin = this.zone;
  }

  /** Reads what `zoneFileEntries` returns. False if reading must stop. */
  add(entry: Entry | LineError): boolean {
    if (this.records.length > this.maxRecords || !this.canContinue(entry)) return false;
    if ('message' in entry) this.fail(entry.line, entry.message);
    else this.read(entry);
    return true;
  }

  /** Returns false, and adds an error, if there are too many errors to continue. */
  private canContinue({ line }: Pick<Entry, 'line'>): boolean {
    if (this.errors.length < MAX_ERRORS) return true;
    this.fail(line, `reading stopped here: ${MAX_ERRORS} lines before have errors`);
    return false;
  }

  private fail(line: number, message: string): void {
    this.errors.push({ line, message });
  }

  private read(entry: Entry): void {
    try {
      const [first] = entry.tokens;
      if (!entry.continuesOwner && !first.quoted && first.text.startsWith('$')) this.readDirective(entry);
      else this.readRecord(entry);
    } catch (error) {
      if (!(error instanceof SyntaxIssue) && !(error instanceof InvalidRecordData)) throw error;
      this.fail(entry.line, error.message);
    }
  }

  finish(): ZoneFileReading {
    // Without other records, nothing shows that the file is of this zone.
    if (this.relativeSoa !== undefined && this.records.length === 0)
      this.fail(this.relativeSoa, `the SOA record must be at ${this.zone}`);
    for (const { line, draft } of this.records) {
      const other = draft.type === 'CNAME' ? this.excludingCname.get(draft.name) : undefined;
      if (other)
        this.fail(
          line,
          `a CNAME must be the only record at its name, but line ${other.line} has a ${other.type} record there`,
        );
    }
    return {
      records: this.records,
      errors: this.errors.toSorted((one, other) => one.line - other.line),
      notes: this.notes,
      warnings: this.warnings,
      skippedTypes: Object.fromEntries(this.skipped),
    };
  }

  private readDirective({ tokens: [{ text }, value, ...others] }: Entry): void {
    const name = text.toUpperCase();
    if (name === '$INCLUDE') throw new SyntaxIssue('$INCLUDE is not supported');
    if (name === '$GENERATE') throw new SyntaxIssue('$GENERATE is not supported; list the records instead');
    if (name !== '$ORIGIN' && name !== '$TTL') throw new SyntaxIssue(`${text} is not a known directive`);
    if (!value || others.length > 0) throw new SyntaxIssue(`${name} takes one value`);
    if (name === '$ORIGIN') this.origin = this.absolute(value);
    else this.defaultTtl = durationOf(value);
  }

  private readRecord({ line, continuesOwner, tokens, hasComment, comment }: Entry): void {
    const [first, ...others] = tokens;
    if (!continuesOwner) this.owner = this.absolute(first);
    const { type, ttl: given, data, hasTimeStamp } = headOf(continuesOwner ? tokens : others);
    if (type === 'SOA' && this.owner === `${this.zone}${this.zone}`) {
      this.owner = this.zone;
      this.relativeSoa = line;
      this.note(line, `${this.zone} was meant: the owner of the SOA record has no dot at its end`);
    }
    const owner = this.owner;
    if (owner === undefined) throw new SyntaxIssue('the first record has no owner name');
    this.lastTtl = given ?? this.lastTtl;
    if (hasTimeStamp) this.note(line, 'the time stamp [AGE:…] of Windows DNS was ignored');
    if (type === 'SOA' && this.contains(owner)) {
      this.readSoa(owner, data);
      return;
    }
    const ttl = given ?? this.defaultTtl ?? this.lastTtl ?? this.minimumTtl ?? this.assumedTtl;
    if (ttl === undefined) throw new SyntaxIssue('no TTL here or on an earlier line; start the file with $TTL');
    if (!this.contains(owner)) this.note(line, `skipped: ${owner} is not in the zone`);
    else {
      const readable = this.readableType(type);
      if (readable === 'TXT') this.warn(line, txtWarnings(data, hasComment));
      if (readable) {
        // Behind a text without quotes, it is probably the rest of the text.
        const isText = readable === 'TXT' && data.some(({ quoted }) => !quoted);
        this.addRecord(line, { type: readable, name: owner, ...(!isText && this.readNotes(line, comment)) }, ttl, data);
      } else this.skipRecord(line, owner, type);
    }
  }

  private readNotes(line: number, comment: string): RecordNotes {
    const { notes, changes } = readNotesIn(comment);
    for (const change of changes) this.note(line, change);
    return notes;
  }

  private readSoa(owner: string, data: readonly Token[]): void {
    if (owner !== this.zone) throw new SyntaxIssue(`the SOA record must be at ${this.zone}`);
    const minimum = data[6];
    if (!minimum || data.length > 7) throw new SyntaxIssue('a SOA record must have seven values');
    this.minimumTtl = durationOf(minimum);
    this.skip('SOA');
  }

  /** The type if its records are read; RFC 3597, section 5, notation is read if every type may be written. */
  private readableType(text: string): RecordType | undefined {
    const type = isNamedType(text) || this.types.includes(OTHER_TYPES) ? findRecordType(text) : undefined;
    return type !== undefined && includesType(this.types, type) ? type : undefined;
  }

  private addRecord(
    line: number,
    head: Omit<RecordDraft, 'content'> & { readonly type: RecordType },
    stated: number,
    data: readonly Token[],
  ): void {
    const ttl = Math.min(Math.max(stated, MIN_TTL), MAX_TTL);
    if (ttl !== stated)
      this.note(line, `TTL ${stated} was changed to ${ttl}: TTLs must be from ${MIN_TTL} to ${MAX_TTL}`);
    this.records.push({
      line,
      draft: { ...head, ttl, ...draftContent(head.type, data, (name) => this.absolute(name), this.types) },
    });
  }

  private skipRecord(line: number, owner: string, type: string): void {
    const served = findRecordType(type);
    if (served !== undefined && served !== type && includesType(this.types, served))
      throw new SyntaxIssue(`write ${served} instead of ${type}, with the data format of ${served}`);
    const isSwitchedOff = served !== undefined && isNamedType(served);
    if (!isSwitchedOff && !isUnsupportedType(type)) throw new SyntaxIssue(`${type} is not a record type, TTL or class`);
    if (isOnePerName(type)) this.checkSingleton(line, owner, type);
    if (!isAllowedBesideCname(type) && !this.excludingCname.has(owner)) this.excludingCname.set(owner, { type, line });
    if (this.excludingCname.size + this.singletons.size > MAX_SKIPPED_NAMES)
      throw new SyntaxIssue(`more than ${MAX_SKIPPED_NAMES} names have records of unsupported types`);
    this.skip(type);
    this.note(line, `skipped: ${type} records are ${isSwitchedOff ? 'switched off here' : 'not supported'}`);
  }

  private checkSingleton(line: number, owner: string, type: string): void {
    const place = `${owner} ${type}`;
    const other = this.singletons.get(place);
    if (other !== undefined)
      throw new SyntaxIssue(`a name can have only one ${type} record, and line ${other} has one`);
    this.singletons.set(place, line);
  }

  private skip(type: string): void {
    this.skipped.set(type, (this.skipped.get(type) ?? 0) + 1);
  }

  private note(line: number, note: string): void {
    if (this.notes.length < MAX_NOTES) this.notes.push({ line, note });
  }

  private warn(line: number, warnings: readonly string[]): void {
    for (const note of warnings) if (this.warnings.length < MAX_NOTES) this.warnings.push({ line, note });
  }

  private contains(owner: string): boolean {
    return isAtOrBelow(owner, this.zone);
  }

  /** The absolute name with trailing dot, in lower-case ASCII if it has such a form. */
  private absolute({ text, quoted }: Token): string {
    if (quoted) throw new SyntaxIssue(`"${text}" is quoted, but a name is expected`);
    if (text === '@') return this.origin;
    const written = text.replace(/\\(\d{3}|.)/gu, unescapeInName);
    const name = written.endsWith('.') ? written : `${written}.${this.origin === '.' ? '' : this.origin}`;
    if (name.length > MAX_NAME_LENGTH) throw new SyntaxIssue('a name must have at most 253 characters');
    const typed = typedName(name);
    return typed ? `${typed.name}.` : name;
  }
}

/** Accepts escapes of characters that need none. Other characters are not supported in names. @throws SyntaxIssue */
function unescapeInName(escape: string, escaped: string): string {
  const octal = octalMeaning(escape);
  if (octal)
    throw new SyntaxIssue(
      `${escape} is the character ${octal.read}, because escapes are decimal (RFC 1035); ${octal.advice}`,
    );
  const character = /^\d/.test(escaped) ? String.fromCharCode(Number(escaped)) : escaped;
  if (!/[a-z0-9_+/-]/i.test(character)) throw new SyntaxIssue(`${escape} is not supported in a name`);
  return character;
}
