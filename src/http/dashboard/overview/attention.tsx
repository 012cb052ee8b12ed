import type { ComponentChildren } from 'preact';
import type { DomainStatus } from '../../../domain/registration/domain-status';
import { formatDate } from '../../../domain/shared/time/date-text';
import { formatRelativeDay } from '../layout/dates';
import { formatPrice } from '../layout/money';
import { MayDo } from '../layout/may-do';
import { usePage } from '../layout/page-context';
import { Card, Time } from '../layout/components';
import type { AttentionItems } from './attention-items';

import {
  MAX_SHOWN,
  type AttentionItem,
  describeBalance,
  describeDifference,
  describeDrifted,
  describeEnding,
  describeFailedRenewal,
  describeLapsed,
  describeLeaving,
  describeMoreLapsed,
  describeOldKeys,
  describeRefused,
  describeRegistrant,
  describeUncertain,
  describeUnhealthy,
  limited,
} from './attention-descriptions';

export interface AttentionProps extends AttentionItems {
  readonly counts: ReadonlyMap<DomainStatus, number>;
}

interface AttentionGroup {
  readonly title: string;
  readonly items: readonly AttentionItem[];
  /** A button for all of them. */
  readonly all?: ComponentChildren;
}

/** Problems that need an action by the user, by kind, the most urgent first, each with its deadline and a button. Renders nothing if there are none. */
export function Attention(props: AttentionProps) {
  const { now } = usePage();
  const groups = groupsOf(props, now).filter(({ items }) => items.length > 0);
  if (groups.length === 0) return null;
  return (
    <Card title="Needs attention" class="attention">
      {groups.map(({ title, items, all }) => (
        <section key={title}>
          <h3>{title}</h3>
          <ul class="plain-list">
            {items.map((item, index) => (
              <Item key={index} {...item} />
            ))}
          </ul>
          {all}
        </section>
      ))}
    </Card>
  );
}

function groupsOf(props: AttentionProps, now: Date): readonly AttentionGroup[] {
  const { prices } = props;
  const expired = props.lapsed.filter(({ domain }) => domain.status === 'expired').map(({ domain }) => domain.id);
  const failed = props.failedRenewals.map(({ operation }) => operation.domainId);
  const ending = props.ending
    .slice(0, MAX_SHOWN)
    .filter(({ isRenewable, isDeletedHere }) => isRenewable && !isDeletedHere);
  const moreLeaving = 'Other registrars have requested the transfer of more domains.';
  const moreEnding = <a href="/domains?sort=expiry">More domains expire soon and will not be renewed.</a>;
  return [
    { title: 'Transfers to other registrars', items: limited(props.leaving, describeLeaving, moreLeaving) },
    {
      title: 'Expired or deleted',
      items: [...props.lapsed.map(describeLapsed), ...describeMoreLapsed(props)],
      all: <RenewAll ids={expired} prices={prices} />,
    },
    { title: 'Balances at registries', items: props.balances.map(describeBalance) },
    {
      title: 'Failed renewals',
      items: props.failedRenewals.map(describeFailedRenewal),
      all: <RenewAll ids={failed} prices={prices} />,
    },
    { title: 'Unknown outcomes', items: props.uncertain.map(describeUncertain) },
    { title: 'Registrants', items: props.registrants.map(describeRegistrant) },
    {
      title: 'Differences from registrars',
      items: limited(props.differences, describeDifference, 'More domains differ from what their registrar holds.'),
    },
    {
      title: 'Expire without renewal',
      items: limited(props.ending, describeEnding, moreEnding),
      all: <RenewAll ids={ending.map(({ domain }) => domain.id)} prices={prices} />,
    },
    { title: 'Health', items: describeUnhealthy(props) },
    { title: 'Changed by hand', items: describeDrifted(props) },
    { title: 'Refused registrations', items: props.refused.map(describeRefused) },
    { title: 'API keys', items: describeOldKeys(props.keys.filter((key) => key.isDueForRotation(now)).length) },
  ];
}

/** Leads to the review of one renewal for all of them, with the total if every price is known. */
function RenewAll({
  ids: given,
  prices,
}: {
  readonly ids: readonly string[];
  readonly prices: AttentionItems['prices'];
}) {
  const ids = [...new Set(given)];
  if (ids.length < 2) return null;
  const known = ids.flatMap((id) => prices.get(id) ?? []);
  const [first] = known;
  const isSum =
    first !== undefined && known.length === ids.length && known.every(({ currency }) => currency === first.currency);
  const total = isSum
    ? ` for ${formatPrice({ ...first, minor: known.reduce((sum, { minor }) => sum + minor, 0) })}`
    : '';
  return (
    <MayDo action="renew">
      <p class="actions">
        <a class="button" href={`/bulk/new?action=renew&${ids.map((id) => `id=${id}`).join('&')}`}>
          Renew these {ids.length} domains{total}
        </a>
      </p>
    </MayDo>
  );
}

function Item({ text, deadline, actions }: AttentionItem) {
  const { today } = usePage();
  return (
    <li>
      <div>
        <p>{text}</p>
        {deadline && (
          <p class="small">
            Deadline: <Time at={deadline}>{formatDate(deadline)}</Time>, {formatRelativeDay(deadline, today)}
          </p>
        )}
      </div>
      {actions && <div class="actions">{actions}</div>}
    </li>
  );
}
