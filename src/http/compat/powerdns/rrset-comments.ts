import { parseNotes, type RecordNotes } from '../../../domain/dns/records/record-notes';
import { notesOfSet } from '../../../domain/dns/update/record-set-notes';
import { ValidationError } from '../../../domain/shared/validation-error';
import { membersOf } from '../request-members';

/** A comment of an RRset. Members are in PowerDNS's order. */
export interface PowerDnsComment {
  /** What manages the record. */
  readonly account: string;
  readonly content: string;
  /** In Unix time. */
  readonly modified_at: number;
}

/** A record with its comment; undefined for a nameserver of the delegation. */
export type Commented = (RecordNotes & { readonly updatedAt: Date }) | undefined;

/**
 * Those of a set: none, one that its records share, or one for each record in their order, as PowerDNS-Admin pairs them.
 * @param records in the order in which the set lists them
 */
export function commentsOf(records: readonly Commented[]): readonly PowerDnsComment[] {
  return notesOfSet(records).map((notes) => ({
    account: notes.managedBy ?? '',
    content: notes.comment ?? '',
    modified_at: 'updatedAt' in notes ? Math.floor(notes.updatedAt.getTime() / 1000) : 0,
  }));
}

/** Undefined if the set is to keep its comments. @throws ValidationError */
export function readComments(comments: unknown, place: string): readonly RecordNotes[] | undefined {
  return Array.isArray(comments) ? comments.map((comment: unknown) => readComment(comment, place)) : undefined;
}

/** PowerDNS also takes `modified_at`, which here is the time of the record. */
function readComment(comment: unknown, place: string): RecordNotes {
  const { content, account } = membersOf(comment, `${place} a comment`);
  if (typeof content !== 'string' || typeof account !== 'string')
    throw ValidationError.of(place, 'a comment must have a content and an account');
  try {
    return parseNotes({ comment: content, managedBy: account });
  } catch (error) {
    if (!(error instanceof ValidationError)) throw error;
    const named = error.issues.map(({ path, message }) => `${path === 'comment' ? 'content' : 'account'} ${message}`);
    throw ValidationError.of(`${place} of a comment,`, named.join('; '));
  }
}
