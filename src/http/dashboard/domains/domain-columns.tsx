import type { ComponentChildren } from 'preact';
import type { DomainOrder } from '../../../application/ports/registration/domain-repository';
import type { HealthState } from '../../../domain/health/health-check';
import type { DomainState } from '../../../domain/registration/domain';
import { isHosted } from '../../../domain/registration/domain-status';
import type { Money } from '../../../domain/shared/money';
import { formatDate } from '../../../domain/shared/time/date-text';
import { HealthBadge } from '../health/health-badge';
import { formatRelativeDay } from '../layout/dates';
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

/** Of each domain of the list; its page shows all. */
const SHOWN_TAGS = 2;

/** What is as usual: narrow screens leave it out. */
function Quiet({ children }: { readonly children: ComponentChildren }) {
  return <span class="quiet-text">{children}</span>;
}

const DEFINITIONS = {
  status: {
    label: 'Status',
    order: 'status',
    cell: ({ status, transferPending }) =>
      transferPending ? (
        <Badge tone="warning">transfer requested</Badge>
      ) : (
        <Badge tone={STATUS_LABELS[status].tone}>{STATUS_LABELS[status].label}</Badge>
      ),
  },
  expiry: {
    label: 'Expires',
    order: 'expiry',
    cell: ofRegistration(({ expiresAt }, { today }) => (
      <>
        <Time at={expiresAt}>{formatDate(expiresAt)}</Time>{' '}
        <span class="small relative">{formatRelativeDay(expiresAt, today)}</span>
      </>
    )),
  },
  renewal: {
    label: 'Auto-renewal',
    order: 'auto_renewal',
    cell: ofRegistration(({ autoRenew }) => (autoRenew ? <Quiet>on</Quiet> : <Badge tone="warning">off</Badge>)),
  },
  lock: {
    label: 'Transfer lock',
    order: 'transfer_lock',
    cell: ofRegistration(({ transferLocked }) =>
      transferLocked ? <Quiet>on</Quiet> : <Badge tone="warning">off</Badge>,
    ),
  },
  health: { label: 'Health', order: 'health', cell: ({ id }, { health }) => <HealthBadge state={health.get(id)} /> },
  tags: { label: 'Tags', order: 'tags', cell: ({ tags }) => <TagList tags={tags} shown={SHOWN_TAGS} /> },
  nameservers: {
    label: 'Nameservers',
    order: 'nameservers',
    cell: ({ nameservers }) => <span class="small">{nameservers.map(breakAtDots)}</span>,
  },
  price: {
    label: 'Renewal price',
    order: 'price',
    cell: ofRegistration(({ id }, { prices }) => {
      const price = prices.get(id);
      return price ? formatPrice(price) : <span class="small">not known</span>;
    }),
  },
} as const satisfies Readonly<Record<string, ColumnDefinition>>;

export type Column = keyof typeof DEFINITIONS;
export const COLUMNS: ReadonlyMap<Column, ColumnDefinition> = new Map(
  Object.entries(DEFINITIONS) as [Column, ColumnDefinition][],
);
export const DEFAULT_COLUMNS: readonly Column[] = ['status', 'health', 'expiry', 'renewal', 'lock', 'tags'];

/** Empty for a name without a registration. */
function ofRegistration(cell: ColumnDefinition['cell']): ColumnDefinition['cell'] {
  return (domain, context) => (isHosted(domain.status) ? null : cell(domain, context));
}

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
export function TagList({ tags, shown = tags.length }: { readonly tags: readonly string[]; readonly shown?: number }) {
  const others = tags.slice(shown);
  return (
    <>
      {tags.slice(0, shown).map((tag) => (
        <>
          <a key={tag} class="tag" href={`/domains?tag=${encodeURIComponent(tag)}`}>
            {tag}
          </a>{' '}
        </>
      ))}
      {others.length > 0 && (
        <span class="small" title={others.join(', ')}>
          +{others.length}
          <span class="visually-hidden"> more: {others.join(', ')}</span>
        </span>
      )}
    </>
  );
}
