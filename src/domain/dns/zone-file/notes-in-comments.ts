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

/** Those that a comment in a zone file tells, cut to what records have: a comment is no reason to refuse a file. */
export function parseNotesIn(text: string): { [Note in keyof RecordNotes]: string } {
  const plain = text.replaceAll(ALL_NOT_IN_NOTES, ' ').trim();
  const [mark = '', escaped = ''] = MANAGED_BY.exec(plain) ?? [];
  const managedBy = cut(escaped.replaceAll(/\\(.)/gu, '$1'), MAX_MANAGED_BY);
  const comment = cut(plain.slice(mark.length), MAX_COMMENT);
  return { ...(comment && { comment }), ...(managedBy && { managedBy }) };
}

function cut(text: string, length: number): string {
  return Array.from(text.trim()).slice(0, length).join('').trim();
}
