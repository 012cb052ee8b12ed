import { MAX_COMMENT, MAX_MANAGED_BY, NOT_IN_NOTES, type RecordNotes } from '../records/record-notes';

/** Before the comment: `[managed_by=octodns] Web server`. A bracket or backslash in the name has a backslash. */
const MANAGED_BY = /^\[managed_by=((?:[^\\\]]|\\.)*)\]/u;
const ALL_NOT_IN_NOTES = new RegExp(NOT_IN_NOTES, 'gu');

/** The text behind a record in a zone file, with its semicolon; empty without notes. */
export function formatNotes({ comment, managedBy }: RecordNotes): string {
  const isMarked = Boolean(managedBy) || MANAGED_BY.test(comment ?? '');
  const mark = isMarked ? `[managed_by=${(managedBy ?? '').replaceAll(/[\\\]]/g, '\\$&')}]` : undefined;
  const text = [mark, comment].filter(Boolean).join(' ');
  return text && ` ; ${text}`;
}

interface CommentReading {
  readonly notes: { readonly [Note in keyof RecordNotes]: string };
  /** What was changed so that records can have it. */
  readonly changes: readonly string[];
}

/** What a comment in a zone file tells, cut to what records have: a comment is no reason to refuse a file. */
export function readNotesIn(text: string): CommentReading {
  const line = text.replaceAll(/[\t\v\f\r]/g, ' ').trim();
  const plain = line.replaceAll(ALL_NOT_IN_NOTES, ' ').trim();
  const [mark = '', escaped = ''] = MANAGED_BY.exec(plain) ?? [];
  const program = escaped.replaceAll(/\\(.)/gu, '$1').trim();
  const rest = plain.slice(mark.length).trim();
  const [managedBy, comment] = [cut(program, MAX_MANAGED_BY), cut(rest, MAX_COMMENT)];
  return {
    notes: { ...(comment && { comment }), ...(managedBy && { managedBy }) },
    changes: [
      ...(plain === line ? [] : ['control characters of the comment were changed to spaces']),
      ...(managedBy === program ? [] : [`the name in managed_by was cut to ${MAX_MANAGED_BY} characters`]),
      ...(comment === rest ? [] : [`the comment was cut to ${MAX_COMMENT} characters`]),
    ],
  };
}

function cut(text: string, length: number): string {
  return Array.from(text).slice(0, length).join('').trim();
}
