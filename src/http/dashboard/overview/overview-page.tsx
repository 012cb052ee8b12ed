import { MayDo } from '../layout/may-do';
import type { Expiring } from '../../../application/ports/registration/domain-repository';
import type { MonthOfRenewals } from '../../../application/registration/renewal-forecast';
import type { Account } from '../../../domain/access/account';
import type { AuditEntry } from '../../../domain/access/audit-entry';
import { VISIBLE_STATUSES, type DomainStatus } from '../../../domain/registration/domain-status';
import { ActivityList } from '../activity/activity-list';
import type { ActorNames } from '../activity/actor-names';
import { STATUS_LABELS } from '../layout/domain/domain-labels';
import { Card, PageHeading } from '../layout/components';
import { Attention } from './attention';
import { ExpiryTimeline } from './expiry-timeline';
import { FirstSteps, type FirstStepsProps } from './first-steps';
import { RenewalChart } from './renewal-chart';
import type { AttentionItems } from './attention-items';

const MAX_ACTIVITY = 8;

interface OverviewPageProps {
  readonly account: Account;
  readonly counts: ReadonlyMap<DomainStatus, number>;
  readonly expiring: { readonly from: Date; readonly weeks: readonly Expiring[] };
  readonly months: readonly MonthOfRenewals[];
  /** Newest first; more than are shown, because repetitions are folded. */
  readonly latest: readonly AuditEntry[];
  readonly names: ActorNames;
  readonly attention: AttentionItems;
  /** Undefined unless the account is new. */
  readonly firstSteps: FirstStepsProps | undefined;
}

export function OverviewPage({
  account,
  counts,
  expiring,
  months,
  latest,
  names,
  attention,
  firstSteps,
}: OverviewPageProps) {
  const total = [...counts.values()].reduce((sum, count) => sum + count, 0);
  return (
    <>
      <PageHeading title="Overview" lead={account.name}>
        <MayDo action="register">
          <a class="button primary" href="/register">
            Register a domain
          </a>
        </MayDo>
      </PageHeading>
      {total > 0 && <StatusCounts counts={counts} total={total} />}
      {firstSteps && <FirstSteps {...firstSteps} />}
      <Attention counts={counts} {...attention} />
      {total > 0 && (
        <div class="columns">
          <RenewalChart months={months} />
          <Card title="Expiring in the next 90 days" aside={<a href="/domains?sort=expiry">All domains by expiry</a>}>
            <ExpiryTimeline from={expiring.from} expiring={expiring.weeks} />
          </Card>
        </div>
      )}
      <Card title="Latest activity" class="flush" aside={<a href="/activity">All activity</a>}>
        <ActivityList entries={latest} names={names} most={MAX_ACTIVITY} brief />
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
