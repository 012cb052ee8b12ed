import type { LifecycleEvent, TimelinePoint } from '../../../domain/registration/lifecycle/lifecycle-timeline';
import { formatDate } from '../../../domain/shared/time/date-text';
import { Card, Time } from '../layout/components';
import { formatRelativeDay } from '../layout/dates';
import { usePage } from '../layout/page-context';

const LABELS: Readonly<Record<LifecycleEvent, string>> = {
  registered: 'Registered',
  renewal: 'Automatic renewal',
  service_deletion: 'Deletion before the renewal',
  expiry: 'Expiry',
  grace_end: 'Last day to renew',
  redemption_end: 'Last day to restore',
  deletion: 'Available to anyone',
};

/** The dates in the life of the domain, with today among them. Renders nothing if nothing is planned. */
export function LifecycleTimeline({ points }: { readonly points: readonly TimelinePoint[] }) {
  const { today } = usePage();
  if (points.length === 0) return null;
  const past = points.filter(({ at }) => at <= today);
  const planned = points.filter(({ at }) => at > today);
  return (
    <Card title="Lifecycle" term="lifecycle">
      <ol class="lifecycle">
        {past.map((point) => (
          <Point key={point.event} point={point} state="past" />
        ))}
        <li class="today" aria-current="date">
          <strong>Today</strong>
          <Time at={today}>{formatDate(today)}</Time>
        </li>
        {planned.map((point) => (
          <Point key={point.event} point={point} state="planned" />
        ))}
      </ol>
      {planned.some(({ event }) => event === 'grace_end') && (
        <p class="small">The dates after the expiry apply only if the domain is not renewed.</p>
      )}
    </Card>
  );
}

function Point({ point: { event, at }, state }: { readonly point: TimelinePoint; readonly state: string }) {
  const { today } = usePage();
  return (
    <li class={`${state} ${event}`}>
      <strong>{LABELS[event]}</strong>
      <Time at={at}>{formatDate(at)}</Time>
      <small>{formatRelativeDay(at, today)}</small>
    </li>
  );
}
