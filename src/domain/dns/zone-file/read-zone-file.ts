import type { RecordDraft } from '../records/record-draft';
import { RECORD_TYPES, type RecordType } from '../records/record-type';
import type { CooperativeTask } from '../../shared/cooperative-task';
import { MAX_TTL, MIN_TTL } from '../records/ttl';
import { typedName } from '../records/typed-name';
import { draftContent, UnfitData } from './record-data';
import { isForeignType, mayStandBesideCname, servedByNumber, standsOnce } from './foreign-types';
import { zoneFileEntries, type BrokenLine, type Entry, type Token } from './zone-file-entries';

interface ReadRecord {
  readonly line: number;
  /** Named by its full name with a dot. It is yet to be judged. */
  readonly draft: RecordDraft;
}

export interface LineNote {
  readonly line: number;
  readonly note: string;
}

/** What a zone file says. Where there are faults, nothing of it may be used. Where it has more records than were to be read, one more was. */
export interface ZoneFileReading {
  readonly records: readonly ReadRecord[];
  readonly faults: readonly BrokenLine[];
  /** What was left out or adapted, the first lines of it. */
  readonly notes: readonly LineNote[];
  /** How many records were left out, by type: SOA, which is ours to make, and types that we do not serve. */
  readonly skippedTypes: Readonly<Record<string, number>>;
}

/**
 * Reads a zone file (RFC 1035, section 5, with $TTL of RFC 2308, section 4, and TTL units), strictly. $INCLUDE and
 * $GENERATE are refused, and so is any class but IN. A missing TTL is that of $TTL, else the last one given, else the
 * SOA's minimum. Neither SOA nor NS records are required. The text may come in pieces; of it, one line is held at a time.
 */
export function* readZoneFile(
  text: string | Iterable<string>,
  zoneName: string,
  maxRecords: number,
): CooperativeTask<ZoneFileReading> {
  const reader = new ZoneFileReader(`${zoneName.toLowerCase()}.`);
  for (const entry of zoneFileEntries(text)) {
    yield;
    if (!entry) continue;
    if (reader.count > maxRecords || !reader.bearsMore(entry)) break;
    if ('problem' in entry) reader.refuse(entry.line, entry.problem);
    else reader.read(entry);
  }
  return reader.finish();
}

const MAX_WIRE_TTL = 2 ** 31 - 1; // RFC 2181, section 8
const SECONDS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400, w: 604_800 };
const DURATION = /^(?:\d+|(?:\d+[smhdw]){1,20})$/i;
const OTHER_CLASSES: ReadonlySet<string> = new Set(['CH', 'HS', 'CS', 'ANY', 'NONE']);

/** A file with more is no zone file, and nobody mends it line by line. */
const MAX_FAULTS = 1_000;
export const MAX_NOTES = 1_000;
/** Names whose left-out records are remembered; RRSIG and NSEC records, of which signed zones are full, are not. */
const MAX_LEFT_OUT = 20_000;
/** More than any name has in any form; each relative $ORIGIN would make it grow. */
const MAX_NAME_LENGTH = 1_000;

class Unreadable extends Error {}

interface Head {
  readonly type: string;
  readonly ttl: number | undefined;
  readonly data: readonly Token[];
}

class ZoneFileReader {
  private readonly records: ReadRecord[] = [];
  private readonly faults: BrokenLine[] = [];
  private readonly notes: LineNote[] = [];
  private readonly skipped = new Map<string, number>();
  /** What was left out and may still be in the way of what was not: by owner, … */
  private readonly barringCname = new Map<string, { readonly type: string; readonly line: number }>();
  /** … and the lines, by owner and type, of what there can be one of. */
  private readonly standingOnce = new Map<string, number>();
  private origin: string;
  private owner: string | undefined;
  private defaultTtl: number | undefined;
  private lastTtl: number | undefined;
  private minimumTtl: number | undefined;

  constructor(private readonly zone: string) {
    this.origin = zone;
  }

  get count(): number {
    return this.records.length;
  }

  /** False, and told, where too much is faulty to read on. */
  bearsMore({ line }: Pick<Entry, 'line'>): boolean {
    if (this.faults.length < MAX_FAULTS) return true;
    this.refuse(line, `from here on nothing was read: ${MAX_FAULTS} lines before are faulty`);
    return false;
  }

  refuse(line: number, problem: string): void {
    this.faults.push({ line, problem });
  }

  read(entry: Entry): void {
    try {
      const [first] = entry.tokens;
      if (!entry.continuesOwner && !first.quoted && first.text.startsWith('$')) this.directive(entry);
      else this.record(entry);
    } catch (error) {
      if (!(error instanceof Unreadable) && !(error instanceof UnfitData)) throw error;
      this.refuse(entry.line, error.message);
    }
  }

  finish(): ZoneFileReading {
    for (const { line, draft } of this.records) {
      const other = draft.type === 'CNAME' ? this.barringCname.get(draft.name) : undefined;
      if (other)
        this.refuse(line, `a CNAME stands alone at its name, and line ${other.line} has a ${other.type} record there`);
    }
    return {
      records: this.records,
      faults: this.faults.toSorted((one, other) => one.line - other.line),
      notes: this.notes,
      skippedTypes: Object.fromEntries(this.skipped),
    };
  }

  private directive({ tokens: [{ text }, value, ...others] }: Entry): void {
    const name = text.toUpperCase();
    if (name === '$INCLUDE') throw new Unreadable('$INCLUDE is never followed');
    if (name === '$GENERATE') throw new Unreadable('$GENERATE is not supported; write the records out');
    if (name !== '$ORIGIN' && name !== '$TTL') throw new Unreadable(`${text} is not a known directive`);
    if (!value || others.length > 0) throw new Unreadable(`${name} takes one value`);
    if (name === '$ORIGIN') this.origin = this.absolute(value);
    else this.defaultTtl = durationOf(value);
  }

  private record({ line, continuesOwner, tokens }: Entry): void {
    const [first, ...others] = tokens;
    if (!continuesOwner) this.owner = this.absolute(first);
    const owner = this.owner;
    if (owner === undefined) throw new Unreadable('the first record has no owner name');
    const { type, ttl: given, data } = headOf(continuesOwner ? tokens : others);
    this.lastTtl = given ?? this.lastTtl;
    if (type === 'SOA' && this.holds(owner)) {
      this.authority(owner, data);
      return;
    }
    const ttl = given ?? this.defaultTtl ?? this.lastTtl ?? this.minimumTtl;
    if (ttl === undefined) throw new Unreadable('there is no TTL, here or before: begin with $TTL');
    if (!this.holds(owner)) this.note(line, `left out: ${owner} is not in the zone`);
    else if (isServed(type)) this.keep(line, owner, type, ttl, data);
    else this.leaveOut(line, owner, type);
  }

  private authority(owner: string, data: readonly Token[]): void {
    if (owner !== this.zone) throw new Unreadable(`a SOA record belongs to ${this.zone}`);
    const minimum = data[6];
    if (!minimum || data.length > 7) throw new Unreadable('a SOA record has seven values');
    this.minimumTtl = durationOf(minimum);
    this.skip('SOA');
  }

  private keep(line: number, owner: string, type: RecordType, stated: number, data: readonly Token[]): void {
    const ttl = Math.min(Math.max(stated, MIN_TTL), MAX_TTL);
    if (ttl !== stated) this.note(line, `TTL ${stated} becomes ${ttl}: from ${MIN_TTL} to ${MAX_TTL} is served`);
    this.records.push({
      line,
      draft: { type, name: owner, ttl, ...draftContent(type, data, (name) => this.absolute(name)) },
    });
  }

  private leaveOut(line: number, owner: string, type: string): void {
    const served = servedByNumber(type);
    if (served !== undefined) throw new Unreadable(`${type} is to be written as ${served}, with the data of that type`);
    if (!isForeignType(type)) throw new Unreadable(`${type} is no type of record, no TTL and no class`);
    if (standsOnce(type)) this.standOnce(line, owner, type);
    if (!mayStandBesideCname(type) && !this.barringCname.has(owner)) this.barringCname.set(owner, { type, line });
    if (this.barringCname.size + this.standingOnce.size > MAX_LEFT_OUT)
      throw new Unreadable(`more than ${MAX_LEFT_OUT} names have records that are not served`);
    this.skip(type);
    this.note(line, `left out: ${type} records are not served`);
  }

  private standOnce(line: number, owner: string, type: string): void {
    const place = `${owner} ${type}`;
    const other = this.standingOnce.get(place);
    if (other !== undefined)
      throw new Unreadable(`there can be one ${type} record at a name, and line ${other} has one`);
    this.standingOnce.set(place, line);
  }

  private skip(type: string): void {
    this.skipped.set(type, (this.skipped.get(type) ?? 0) + 1);
  }

  private note(line: number, note: string): void {
    if (this.notes.length < MAX_NOTES) this.notes.push({ line, note });
  }

  private holds(owner: string): boolean {
    return owner === this.zone || owner.endsWith(`.${this.zone}`);
  }

  /** The full name with its dot, in lower-case ASCII where there is such a form of it. */
  private absolute({ text, quoted }: Token): string {
    if (quoted) throw new Unreadable(`"${text}" stands where a name is expected`);
    if (text === '@') return this.origin;
    const written = text.replace(/\\(\d{3}|.)/gu, plainCharacter);
    const name = written.endsWith('.') ? written : `${written}.${this.origin === '.' ? '' : this.origin}`;
    if (name.length > MAX_NAME_LENGTH) throw new Unreadable('a name has at most 253 characters');
    const typed = typedName(name);
    return typed ? `${typed.name}.` : name;
  }
}

/** An escape in a name may stand for what needs none; dots and the like cannot be in names that are served. */
function plainCharacter(escape: string, escaped: string): string {
  const character = /^\d/.test(escaped) ? String.fromCharCode(Number(escaped)) : escaped;
  if (!/[a-z0-9_+-]/i.test(character)) throw new Unreadable(`${escape} cannot be in a name`);
  return character;
}

function headOf(tokens: readonly Token[]): Head {
  let ttl: number | undefined;
  let classGiven = false;
  for (const [index, { text, quoted }] of tokens.entries()) {
    const word = text.toUpperCase();
    if (quoted) throw new Unreadable(`"${text}" stands where a type is expected`);
    if (word === 'IN' && !classGiven) classGiven = true;
    else if (OTHER_CLASSES.has(word) || /^CLASS\d+$/.test(word))
      throw new Unreadable(`class ${word} is not served, only IN`);
    else if (ttl === undefined && DURATION.test(text)) ttl = durationOf({ text, quoted });
    else return { type: word, ttl, data: tokens.slice(index + 1) };
  }
  throw new Unreadable('the record has no type');
}

function isServed(type: string): type is RecordType {
  return RECORD_TYPES.some((served) => served === type);
}

/** Seconds; `1h30m` is 5400. */
function durationOf({ text }: Token): number {
  const seconds = DURATION.test(text)
    ? [...text.toLowerCase().matchAll(/(\d+)([smhdw]?)/g)].reduce(
        (sum, [, count, unit]) => sum + Number(count) * (SECONDS[unit ?? ''] ?? 1),
        0,
      )
    : NaN;
  if (!(seconds <= MAX_WIRE_TTL)) throw new Unreadable(`${text} is no time in seconds up to ${MAX_WIRE_TTL}`);
  return seconds;
}
