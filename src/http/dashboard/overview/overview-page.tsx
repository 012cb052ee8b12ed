import { MayDo } from '../layout/may-do';
import type { MonthOfExpiries } from '../../../application/registration/costs/read-expiries';
import type { Account } from '../../../domain/access/account';
import type { AuditEntry } from '../../../domain/access/audit-entry';
import { HOSTED_STATUSES, VISIBLE_STATUSES, type DomainStatus } from '../../../domain/registration/domain-status';
import { ActivityList } from '../activity/activity-list';
import type { ActorNames } from '../activity/actor-names';
import { STATUS_LABELS } from '../layout/domain/domain-labels';
import { Card, PageHeading } from '../layout/components';
import { Attention } from './attention';
import { ExpiryStrip } from './expiry-strip';
import { FirstSteps, type FirstStepsProps } from './first-steps';
import type { AttentionItems } from './attention-items';

const MAX_ACTIVITY = 8;

interface OverviewPageProps {
  readonly account: Account;
  readonly counts: ReadonlyMap<DomainStatus, number>;
  readonly months: readonly MonthOfExpiries[];
  /** Newest first; more than are shown, because repetitions are folded. */
  readonly latest: readonly AuditEntry[];
  readonly names: ActorNames;
  readonly attention: AttentionItems;
  /** Undefined unless the account is new. */
  readonly firstSteps: FirstStepsProps | undefined;
}

export function OverviewPage({ account, counts, months, latest, names, attention, firstSteps }: OverviewPageProps) {
  const registered = countOf(counts, VISIBLE_STATUSES);
  const total = registered + countOf(counts, HOSTED_STATUSES);
  return (
    <>
      <PageHeading title="Overview" lead={account.name}>
        <MayDo action="register">
          <a class="button primary" href="/add">
            Add a name
          </a>
        </MayDo>
      </PageHeading>
      {total > 0 && <StatusCounts counts={counts} total={total} />}
      <div class="overview">
        <div class="stack">
          {firstSteps && <FirstSteps {...firstSteps} />}
          <Attention counts={counts} {...attention} />
          {registered > 0 && <ExpiryStrip months={months} />}
        </div>
        <Card
          title="Latest activity"
          class="flush activity-rail"
          aside={
            <a href="/activity">
              All<span class="visually-hidden"> activity</span>
            </a>
          }
        >
          <ActivityList entries={latest} names={names} most={MAX_ACTIVITY} brief />
        </Card>
      </div>
    </>
  );
}

function countOf(counts: ReadonlyMap<DomainStatus, number>, statuses: readonly DomainStatus[]): number {
  return statuses.reduce((sum, status) => sum + (counts.get(status) ?? 0), 0);
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
      {[...VISIBLE_STATUSES, ...HOSTED_STATUSES].map((status) => {
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
