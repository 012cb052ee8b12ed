import type { Expiring } from '../../../application/ports/registration/domain-queries';
import type { Account } from '../../../domain/access/account';
import type { AuditEntry } from '../../../domain/access/audit-entry';
import { VISIBLE_STATUSES, type DomainStatus } from '../../../domain/registration/domain-status';
import { ActivityList } from '../activity/activity-list';
import type { ActorNames } from '../activity/actor-names';
import { STATUS_LABELS } from '../domains/domain-labels';
import { Card, Empty, PageHeading } from '../layout/components';
import { Attention } from './attention';
import { ExpiryTimeline } from './expiry-timeline';
import type { AttentionItems } from './attention-items';

export interface OverviewPageProps {
  readonly account: Account;
  readonly counts: ReadonlyMap<DomainStatus, number>;
  readonly midnight: Date;
  readonly expiring: readonly Expiring[];
  readonly latest: readonly AuditEntry[];
  readonly names: ActorNames;
  readonly attention: AttentionItems;
}

export function OverviewPage({ account, counts, midnight, expiring, latest, names, attention }: OverviewPageProps) {
  const total = [...counts.values()].reduce((sum, count) => sum + count, 0);
  return (
    <>
      <PageHeading title="Overview" lead={account.name}>
        <a class="button primary" href="/register">
          Register a domain
        </a>
      </PageHeading>
      {total === 0 ? <Welcome /> : <StatusCounts counts={counts} total={total} />}
      <Attention counts={counts} {...attention} />
      {total > 0 && (
        <Card title="Expiring in the next 90 days" aside={<a href="/domains?sort=expiry">All domains by expiry</a>}>
          <ExpiryTimeline from={midnight} expiring={expiring} />
        </Card>
      )}
      <Card title="Latest activity" class="flush" aside={<a href="/activity">All activity</a>}>
        <ActivityList entries={latest} names={names} brief />
      </Card>
    </>
  );
}

function StatusCounts({
  counts,
  total,
}: {
  readonly counts: ReadonlyMap<DomainStatus, number>;
  readonly total: number;
}) {
  return (
    <ul class="counts" aria-label="Domains by status">
      <Count href="/domains" count={total} label={total === 1 ? 'domain' : 'domains'} />
      {VISIBLE_STATUSES.map((status) => {
        const count = counts.get(status) ?? 0;
        return (
          count > 0 && (
            <Count
              key={status}
              href={`/domains?status=${status}`}
              count={count}
              label={STATUS_LABELS[status].label}
              tone={STATUS_LABELS[status].tone}
            />
          )
        );
      })}
    </ul>
  );
}

function Count({
  href,
  count,
  label,
  tone = 'plain',
}: {
  readonly href: string;
  readonly count: number;
  readonly label: string;
  readonly tone?: string;
}) {
  return (
    <li>
      <a class={`count ${tone}`} href={href}>
        <strong>{count.toLocaleString('en')}</strong> {label}
      </a>
    </li>
  );
}

function Welcome() {
  return (
    <section class="card">
      <Empty title="Welcome to Namewright">
        <p>
          <a href="/register">Register your first domain</a> or <a href="/api-keys">create an API key</a>.
        </p>
      </Empty>
    </section>
  );
}
