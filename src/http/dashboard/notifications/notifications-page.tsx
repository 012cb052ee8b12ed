import type { Notification } from '../../../application/events/read-notifications';
import type { DomainStatus } from '../../../domain/registration/domain-status';
import { Card, Empty, PageHeading, Time } from '../layout/components';
import { formatTimeAgo } from '../layout/dates';
import { usePage } from '../layout/page-context';
import { Attention } from '../overview/attention';
import type { AttentionItems } from '../overview/attention-items';
import { describeNotification } from './describe-notification';

interface NotificationsPageProps {
  /** Newest first. */
  readonly notifications: readonly Notification[];
  readonly attention: AttentionItems;
  readonly counts: ReadonlyMap<DomainStatus, number>;
}

export function NotificationsPage({ notifications, attention, counts }: NotificationsPageProps) {
  return (
    <>
      <PageHeading title="Notifications" lead="What happened since you last looked, without your own changes." />
      <Attention counts={counts} {...attention} />
      <Card title="New" class="flush" aside={<a href="/activity">All activity</a>}>
        {notifications.length === 0 ? (
          <Empty title="Nothing new" />
        ) : (
          <ol class="activity">
            {notifications.map((notification) => (
              <li key={notification.position}>
                <Entry notification={notification} />
              </li>
            ))}
          </ol>
        )}
      </Card>
    </>
  );
}

function Entry({ notification }: { readonly notification: Notification }) {
  const { now } = usePage();
  return (
    <>
      <p>{describeNotification(notification)}</p>
      <p class="small">
        <Time at={notification.at}>{formatTimeAgo(notification.at, now)}</Time>
      </p>
    </>
  );
}
