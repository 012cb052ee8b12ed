import { ValidationError } from '../../shared/validation-error';
import type { DnsRecord } from '../records/dns-record';
import { hasNotes, hasSameNotes, type RecordNotes } from '../records/record-notes';

/**
 * The comments of an RRset as programs know them: none, one that its records share, or one for each record in their order.
 * @param records undefined for a nameserver of the delegation, which is served but is not a record
 */
export function notesOfSet<T extends RecordNotes>(records: readonly (T | undefined)[]): readonly (T | RecordNotes)[] {
  const stored = records.filter((record) => record !== undefined);
  const [first] = stored;
  if (!first || !stored.some(hasNotes)) return [];
  return stored.every((record) => hasSameNotes(record, first)) ? [first] : records.map((record) => record ?? {});
}

/**
 * The records with these comments in place of theirs: one goes to all records, several to the records in their order.
 * @param isStored false for a nameserver of the delegation, which is served but is not a record
 * @throws ValidationError if a comment has no record
 */
export function withNotesOfSet(
  records: readonly DnsRecord[],
  notes: readonly RecordNotes[],
  isStored: (record: DnsRecord) => boolean,
): readonly DnsRecord[] {
  if (notes.length > records.length)
    throw ValidationError.of('comments', `must not be more than the records of the set: ${records.length}`);
  const [shared] = notes;
  const annotated = records.map((record, index) =>
    record.annotated((notes.length === 1 ? shared : notes[index]) ?? {}),
  );
  const lost = annotated.filter((record) => hasNotes(record.toState()) && !isStored(record));
  if (lost.length > 0 && (notes.length > 1 || lost.length === records.length))
    throw ValidationError.of('comments', "cannot be stored with the domain's nameservers, which are not records");
  return annotated;
}
