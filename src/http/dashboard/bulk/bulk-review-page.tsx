import type { ComponentChildren } from 'preact';
import type { BulkNameserverReview } from '../../../application/portfolio/reviews/review-bulk-nameservers';
import type { BulkTemplateReview } from '../../../application/portfolio/reviews/review-bulk-template';
import type { RefusedDomain } from '../../../application/portfolio/reviews/review-each';
import { displayName } from '../layout/domain/domain-labels';
import { Card, PageHeading } from '../layout/components';
import { FormActions } from '../layout/forms/form-actions';
import { Checkbox } from '../layout/forms/form-controls';
import { PostForm } from '../layout/forms/forms';
import { PlanView } from '../zone/plan-view';
import { ACTION_LABELS, countDomains, type ActionName } from '../domains/bulk-labels';
import { RefusedDomains } from './refused-domains';
import type { SelectedDomain } from '../../../domain/portfolio/bulk-job';

/** Ticked: domains whose answers resolvers would reject afterwards are changed, too. */
export const INCLUDE_SIGNED = 'include_signed';
const MAX_PLANS_SHOWN = 50;

type Fields = readonly (readonly [name: string, value: string])[];

interface NameserverReviewProps {
  readonly hosts: readonly string[];
  readonly fields: Fields;
  readonly review: BulkNameserverReview;
}

/** Which nameservers the domains have and get, in groups, and what the change means for those that use our records. */
export function NameserverReviewPage({ hosts, fields, review }: NameserverReviewProps) {
  const { groups, signed, unchanged, refused, leaving, joining } = review;
  const count = groups.reduce((sum, { domains }) => sum + domains.length, 0);
  return (
    <ReviewForm action="nameservers" count={count} isPossible={count + signed.length > 0} fields={fields}>
      {groups.map(({ from, domains }) => (
        <div key={from.join()} class="review-group">
          <h3>{countDomains(domains.length)}</h3>
          <div class="facts">
            <dl>
              <div>
                <dt>From</dt>
                <dd>{from.length === 0 ? 'none' : from.join(', ')}</dd>
              </div>
              <div>
                <dt>To</dt>
                <dd>{hosts.join(', ')}</dd>
              </div>
            </dl>
          </div>
          <Names domains={domains} />
        </div>
      ))}
      {leaving > 0 && (
        <p>
          {leaving === 1 ? 'One of them uses' : `${leaving} of them use`} the DNS records of this service: resolvers
          will no longer see these records.
        </p>
      )}
      {joining > 0 && (
        <p>
          {joining === 1 ? 'One of them uses' : `${joining} of them use`} other nameservers today: resolvers will see
          the DNS records of this service.
        </p>
      )}
      {signed.length > 0 && (
        <div class="alert warning">
          <p>
            <strong>{countDomains(signed.length)} with DNSSEC</strong> would stop resolving, because the new nameservers
            do not have the keys. {signed.length === 1 ? 'It is' : 'They are'} left out. Switch DNSSEC off, wait until
            its state is off, and then change the nameservers.
          </p>
          <Names domains={signed} />
          <Checkbox name={INCLUDE_SIGNED} label="Change these, too" />
        </div>
      )}
      <Unchanged domains={unchanged} reason="have these nameservers already" />
      <RefusedList refused={refused} />
    </ReviewForm>
  );
}

interface TemplateReviewProps {
  readonly template: string;
  readonly total: number;
  readonly fields: Fields;
  readonly review: BulkTemplateReview;
}

/** What a template adds, changes and removes, domain by domain. */
export function TemplateReviewPage({ template, total, fields, review }: TemplateReviewProps) {
  const { zones, unchanged, refused, unread } = review;
  const count = total - unchanged.length - refused.length;
  return (
    <ReviewForm action="template" count={count} isPossible={count > 0} fields={fields}>
      <p>
        <strong>{template}</strong> changes {countDomains(zones.length)}
        {unread > 0 && ` of the first ${total - unread}; it is applied to ${unread} more, which are not shown`}. You can
        undo it for each domain whose records do not change afterwards.
      </p>
      {zones.slice(0, MAX_PLANS_SHOWN).map(({ domain, plan }) => (
        <details key={domain.domainId} class="disclosure" open={zones.length === 1}>
          <summary>
            {displayName(domain.name)}{' '}
            <span class="small">
              {plan.change.added.length} added, {plan.change.changed.length} changed, {plan.change.removed.length}{' '}
              removed
              {plan.warnings.length > 0 &&
                `, ${plan.warnings.length === 1 ? '1 warning' : `${plan.warnings.length} warnings`}`}
            </span>
          </summary>
          <PlanView plan={plan} />
        </details>
      ))}
      {zones.length > MAX_PLANS_SHOWN && (
        <p class="small">The records of {zones.length - MAX_PLANS_SHOWN} more domains are not shown.</p>
      )}
      <Unchanged domains={unchanged} reason="have these records already" />
      <RefusedList refused={refused} />
    </ReviewForm>
  );
}

function ReviewForm({
  action,
  count,
  isPossible,
  fields,
  children,
}: {
  readonly action: ActionName;
  readonly count: number;
  readonly isPossible: boolean;
  readonly fields: Fields;
  readonly children: ComponentChildren;
}) {
  const title = `${ACTION_LABELS[action].verb} ${countDomains(count)}`;
  return (
    <>
      <PageHeading title={`Review: ${ACTION_LABELS[action].label.toLowerCase()}`} />
      <Card title={count === 0 ? 'Nothing would change' : `${countDomains(count)} will change`}>
        <PostForm action="/bulk">
          <input type="hidden" name="action" value={action} />
          {fields.map(([name, value]) => (
            <input key={`${name}=${value}`} type="hidden" name={name} value={value} />
          ))}
          {children}
          <FormActions submit={isPossible ? title : undefined} cancel="/domains" />
        </PostForm>
      </Card>
    </>
  );
}

function Names({ domains }: { readonly domains: readonly SelectedDomain[] }) {
  const names = domains.map(({ name }) => displayName(name));
  if (names.length <= 5) return <p class="small">{names.join(', ')}</p>;
  return (
    <details class="disclosure">
      <summary>Which {countDomains(names.length)}</summary>
      <p class="small">{names.join(', ')}</p>
    </details>
  );
}

function Unchanged({ domains, reason }: { readonly domains: readonly SelectedDomain[]; readonly reason: string }) {
  if (domains.length === 0) return null;
  return (
    <p class="small">
      {domains.length === 1 ? '1 domain' : `${domains.length} domains`}{' '}
      {reason.replace(/^have/, domains.length === 1 ? 'has' : 'have')}.
    </p>
  );
}

function RefusedList({ refused }: { readonly refused: readonly RefusedDomain[] }) {
  if (refused.length === 0) return null;
  return (
    <details class="disclosure">
      <summary>{countDomains(refused.length)} cannot be changed</summary>
      <RefusedDomains refused={refused} />
    </details>
  );
}
