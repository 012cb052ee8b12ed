import type { AuditEntry } from '../../../domain/access/audit-entry';
import { formatTimeAgo, formatDateTime } from '../layout/dates';
import { usePage } from '../layout/page-context';
import { Time } from '../layout/components';
import { describeActivity } from './describe-activity';
import { getActorName, type ActorNames } from './actor-names';
import { ChangedFields } from './changed-fields';

export interface ActivityListProps {
  readonly entries: readonly AuditEntry[];
  readonly names: ActorNames;
  /** Without the changed fields. */
  readonly brief?: boolean;
}

export function ActivityList({ entries, names, brief = false }: ActivityListProps) {
  const { now } = usePage();
  return (
    <ol class="activity">
      {entries.map((entry) => (
        <li key={entry.id}>
          <p>
            <strong>{getActorName(entry.actor, names)}</strong> {describeActivity(entry)}
          </p>
          <p class="small">
            <Time at={entry.at}>{brief ? formatTimeAgo(entry.at, now) : formatDateTime(entry.at)}</Time>
          </p>
          {!brief && <ChangedFields entry={entry} />}
        </li>
      ))}
    </ol>
  );
}
