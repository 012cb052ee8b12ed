import { ValidationError } from '../../shared/validation-error';
import type { Issue } from '../../shared/issue';

export const MAX_COMMENT = 500;
export const MAX_MANAGED_BY = 64;
/** Control characters, halves of surrogate pairs, line separators, and what shows the text around it in another order. */
export const NOT_IN_NOTES = /[\p{Cc}\p{Cs}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u;

/** What is stored with a record and not published in DNS. Null if a request removes it, absent if it tells nothing of it. */
export interface RecordNotes {
  readonly comment?: string | null | undefined;
  /** The program that keeps the record. */
  readonly managedBy?: string | null | undefined;
}

/** Without those that are not told; an empty text is none. @throws ValidationError */
export function parseNotes({ comment, managedBy }: RecordNotes): { [Note in keyof RecordNotes]: string | null } {
  const issues = [...issuesOf('comment', comment, MAX_COMMENT), ...issuesOf('managed_by', managedBy, MAX_MANAGED_BY)];
  if (issues.length > 0) throw new ValidationError(issues);
  return {
    ...(comment !== undefined && { comment: comment?.trim() || null }),
    ...(managedBy !== undefined && { managedBy: managedBy?.trim() || null }),
  };
}

export function hasSameNotes(one: RecordNotes, other: RecordNotes): boolean {
  return (one.comment ?? null) === (other.comment ?? null) && (one.managedBy ?? null) === (other.managedBy ?? null);
}

export function hasNotes({ comment, managedBy }: RecordNotes): boolean {
  return Boolean(comment) || Boolean(managedBy);
}

/** Characters are counted as people do: an emoji outside the basic plane is one. */
function issuesOf(path: string, text: string | null | undefined, max: number): readonly Issue[] {
  if (text === null || text === undefined) return [];
  const trimmed = text.trim();
  const isTooLong = trimmed.length > 2 * max || Array.from(trimmed).length > max;
  const message = `must be one line of at most ${max} characters, without control characters`;
  return isTooLong || NOT_IN_NOTES.test(trimmed) ? [{ path, message }] : [];
}
