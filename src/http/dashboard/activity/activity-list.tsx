import type { AuditEntry } from '../../../domain/access/audit-entry';
import { ago, dateAndTime } from '../layout/dates';
import { usePage } from '../layout/page-context';
import { Time } from '../layout/parts';
import { deedOf } from './activity-words';
import { nameOf, type ActorNames } from './actor-names';
import { ChangedFacts } from './changed-facts';

export interface ActivityListProps {
  readonly entries: readonly AuditEntry[];
  readonly names: ActorNames;
  /** Without what changed, for a glance. */
  readonly brief?: boolean;
}

export function ActivityList({ entries, names, brief = false }: ActivityListProps) {
  const { now } = usePage();
  return (
    <ol class="activity">
      {entries.map((entry) => (
        <li key={entry.id}>
          <p>
            <strong>{nameOf(entry.actor, names)}</strong> {deedOf(entry)}
          </p>
          <p class="small">
            <Time at={entry.at}>{brief ? ago(entry.at, now) : dateAndTime(entry.at)}</Time>
          </p>
          {!brief && <ChangedFacts entry={entry} />}
        </li>
      ))}
    </ol>
  );
}
