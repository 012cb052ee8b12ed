import type { ComponentChildren } from 'preact';
import type { DomainOrder } from '../../../application/ports/registration/domain-repository';
import type { HealthState } from '../../../domain/health/health-check';
import type { DomainState } from '../../../domain/registration/domain';
import type { Money } from '../../../domain/shared/money';
import { HealthBadge } from '../health/health-badge';
import { formatRelativeDay, formatShortDate } from '../layout/dates';
import { Badge, Time } from '../layout/components';
import { formatPrice } from '../layout/money';
import { STATUS_LABELS } from '../layout/domain/domain-labels';

/** What a cell may show besides the domain. */
export interface ColumnContext {
  readonly today: Date;
  /** Renewal prices by id; absent if the registry did not respond in time. */
  readonly prices: ReadonlyMap<string, Money>;
  /** Of the domains that were checked, by id. */
  readonly health: ReadonlyMap<string, HealthState>;
}

interface ColumnDefinition {
  readonly label: string;
  /** How the list is sorted by it. */
  readonly order: DomainOrder;
  readonly cell: (domain: DomainState, context: ColumnContext) => ComponentChildren;
}

const DEFINITIONS = {
  status: {
    label: 'Status',
    order: 'status',
    cell: ({ status, transferPending }) => (
      <>
        <Badge tone={STATUS_LABELS[status].tone}>{STATUS_LABELS[status].label}</Badge>
        {transferPending && <Badge tone="warning">transfer requested</Badge>}
      </>
    ),
  },
  expiry: {
    label: 'Expires',
    order: 'expiry',
    cell: ({ expiresAt }, { today }) => (
      <>
        <Time at={expiresAt}>{formatShortDate(expiresAt)}</Time>{' '}
        <span class="small">{formatRelativeDay(expiresAt, today)}</span>
      </>
    ),
  },
  renewal: {
    label: 'Auto-renewal',
    order: 'auto_renewal',
    cell: ({ autoRenew }) => (autoRenew ? 'on' : <Badge tone="warning">off</Badge>),
  },
  lock: {
    label: 'Transfer lock',
    order: 'transfer_lock',
    cell: ({ transferLocked }) => (transferLocked ? 'on' : <Badge tone="warning">off</Badge>),
  },
  health: { label: 'Health', order: 'health', cell: ({ id }, { health }) => <HealthBadge state={health.get(id)} /> },
  tags: { label: 'Tags', order: 'tags', cell: ({ tags }) => <TagList tags={tags} /> },
  nameservers: {
    label: 'Nameservers',
    order: 'nameservers',
    cell: ({ nameservers }) => <span class="small">{nameservers.map(breakAtDots)}</span>,
  },
  price: {
    label: 'Renewal price',
    order: 'price',
    cell: ({ id }, { prices }) => {
      const price = prices.get(id);
      return price ? formatPrice(price) : <span class="small">not known</span>;
    },
  },
} as const satisfies Readonly<Record<string, ColumnDefinition>>;

export type Column = keyof typeof DEFINITIONS;
export const COLUMNS: ReadonlyMap<Column, ColumnDefinition> = new Map(
  Object.entries(DEFINITIONS) as [Column, ColumnDefinition][],
);
export const DEFAULT_COLUMNS: readonly Column[] = ['status', 'health', 'expiry', 'renewal', 'lock', 'tags'];

/** A long host continues on the next line after a dot. */
function breakAtDots(host: string): ComponentChildren {
  const [first, ...others] = host.split('.');
  return (
    <>
      {first}
      {others.map((label) => (
        <>
          .<wbr />
          {label}
        </>
      ))}{' '}
    </>
  );
}

/** Tags as links to the domains that have them. */
export function TagList({ tags }: { readonly tags: readonly string[] }) {
  return (
    <>
      {tags.map((tag) => (
        <>
          <a key={tag} class="badge plain" href={`/domains?tag=${encodeURIComponent(tag)}`}>
            {tag}
          </a>{' '}
        </>
      ))}
    </>
  );
}
