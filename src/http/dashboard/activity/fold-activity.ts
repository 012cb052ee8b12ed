import { actorText } from '../../../domain/access/actor';
import type { AuditEntry } from '../../../domain/access/audit-entry';

/** Entries in a row by the same actor about the same kind of change, newest first. */
export interface ActivityFold {
  readonly latest: AuditEntry;
  /** The older ones. */
  readonly others: readonly AuditEntry[];
}

/** Folds repeated changes. @param entries newest first */
export function foldActivity(entries: readonly AuditEntry[]): readonly ActivityFold[] {
  const folds: { readonly latest: AuditEntry; readonly others: AuditEntry[] }[] = [];
  for (const entry of entries) {
    const last = folds.at(-1);
    if (last && isRepetition(last.latest, entry)) last.others.push(entry);
    else folds.push({ latest: entry, others: [] });
  }
  return folds;
}

function isRepetition(one: AuditEntry, other: AuditEntry): boolean {
  return one.action === other.action && actorText(one.actor) === actorText(other.actor);
}
