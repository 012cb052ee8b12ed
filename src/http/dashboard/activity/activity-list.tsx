import type { AuditEntry } from '../../../domain/access/audit-entry';
import { formatTimeAgo } from '../layout/dates';
import { usePage } from '../layout/page-context';
import { Time, DateTime } from '../layout/components';
import { describeActivity } from './describe-activity';
import { getActorName, type ActorNames } from './actor-names';
import { ChangedFields } from './changed-fields';
import { foldActivity, type ActivityFold } from './fold-activity';

interface ActivityListProps {
  /** Newest first. */
  readonly entries: readonly AuditEntry[];
  readonly names: ActorNames;
  /** Without the changed fields. */
  readonly brief?: boolean;
  /** How many folds are shown. Default: all */
  readonly most?: number;
}

/** Entries of the audit log. Repeated changes are folded into the latest of them. */
export function ActivityList({ entries, names, brief = false, most }: ActivityListProps) {
  return (
    <ol class={brief ? 'activity' : 'activity in-lines'}>
      {foldActivity(entries)
        .slice(0, most)
        .map((fold) => (
          <Fold key={fold.latest.id} fold={fold} names={names} brief={brief} />
        ))}
    </ol>
  );
}

interface EntryProps {
  readonly entry: AuditEntry;
  readonly names: ActorNames;
  readonly brief: boolean;
}

function Fold({ fold: { latest, others }, ...props }: { readonly fold: ActivityFold } & Omit<EntryProps, 'entry'>) {
  return (
    <li>
      <Entry entry={latest} {...props} />
      {others.length > 0 && (
        <details class="disclosure">
          <summary>and {others.length} more like this</summary>
          <ol class="folded">
            {others.map((entry) => (
              <li key={entry.id}>
                <Entry entry={entry} {...props} />
              </li>
            ))}
          </ol>
        </details>
      )}
    </li>
  );
}

function Entry({ entry, names, brief }: EntryProps) {
  const { now } = usePage();
  return (
    <>
      <p>
        <strong>{getActorName(entry.actor, names)}</strong> {describeActivity(entry)}
      </p>
      <p class="small">
        {brief ? <Time at={entry.at}>{formatTimeAgo(entry.at, now)}</Time> : <DateTime at={entry.at} />}
        {!brief && entry.clientAddress !== undefined && ` · from ${entry.clientAddress}`}
      </p>
      {!brief && <ChangedFields entry={entry} />}
    </>
  );
}
