import { ACTION_LABELS, needsEveryDomain, type ActionName } from './bulk-labels';
import { Icon } from '../layout/icon';
import { usePage } from '../layout/page-context';
import { allows, hasEveryDomain } from '../user-session';
import { buildUrl } from '../build-url';
import { buildListUrl, filterParameters, type DomainListQuery } from './domain-list-query';

/** Narrow screens show it as a popover. */
const BULK_BAR_ID = 'bulk-bar';

interface BulkBarProps {
  readonly query: DomainListQuery;
  readonly count: number;
  readonly total: number | undefined;
  /** Whether the page shows the whole list. */
  readonly isComplete: boolean;
}

/** Chooses what to do with the selected domains, or with all that match. On phones it is behind a button until all are selected. */
export function BulkBar({ query, count, total, isComplete }: BulkBarProps) {
  const { userSession } = usePage();
  const actions = Object.entries(ACTION_LABELS).filter(
    ([name, { needs }]) =>
      userSession && allows(userSession, needs) && (!needsEveryDomain(name) || hasEveryDomain(userSession)),
  );
  const likely = likelyAction(query);
  return (
    <>
      {!query.selected && (
        <button type="button" class="bulk-button quiet" popovertarget={BULK_BAR_ID}>
          <Icon name="list-checks" /> Change several <span data-count-of="id" />
        </button>
      )}
      <div class="bulk-bar" id={BULK_BAR_ID} popover={query.selected ? undefined : 'auto'}>
        <input type="hidden" name="matching" value={buildUrl('', filterParameters(query.given)).replace(/^\?/, '')} />
        <a href={buildListUrl(query, { after: query.after, offset: query.offset, selected: !query.selected })}>
          {query.selected ? 'Select none' : `Select ${isComplete ? `all ${count}` : `these ${count}`}`}
        </a>
        {!isComplete && (
          <label class="check">
            <input type="checkbox" name="which" value="all" />
            <span>{total === undefined ? 'All domains that match' : `All ${total} that match`}</span>
          </label>
        )}
        <span class="selected-count" aria-live="polite" data-count-of="id" />
        <label for="bulk-action" class="visually-hidden">
          Action
        </label>
        <select id="bulk-action" name="action">
          {actions.map(([value, { label }]) => (
            <option key={value} value={value} selected={value === likely}>
              {label}
            </option>
          ))}
        </select>
        <button type="submit">Continue</button>
      </div>
    </>
  );
}

/** What a list with this filter is most likely made for; undefined: the first action. */
function likelyAction({ given, order }: DomainListQuery): ActionName | undefined {
  if (given.auto_renew === 'false') return 'auto-renewal-on';
  if (given.transfer_locked === 'false') return 'lock';
  if (given.nameserver !== undefined) return 'nameservers';
  if (given.status === 'expired' || given.expires_within !== undefined || given.expires_before !== undefined)
    return 'renew';
  return order === 'expiry' ? 'renew' : undefined;
}
