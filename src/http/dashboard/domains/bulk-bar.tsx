import { ACTION_LABELS, needsEveryDomain } from '../bulk/bulk-labels';
import { usePage } from '../layout/page-context';
import { allows, hasEveryDomain } from '../user-session';
import { buildUrl } from '../build-url';
import { buildListUrl, filterParameters, type DomainListQuery } from './domain-list-query';

interface BulkBarProps {
  readonly query: DomainListQuery;
  readonly count: number;
  readonly total: number | undefined;
  /** Whether the page shows the whole list. */
  readonly isComplete: boolean;
}

/** Chooses what to do with the selected domains, or with all that match. */
export function BulkBar({ query, count, total, isComplete }: BulkBarProps) {
  const { userSession } = usePage();
  const actions = Object.entries(ACTION_LABELS).filter(
    ([name, { needs }]) =>
      userSession && allows(userSession, needs) && (!needsEveryDomain(name) || hasEveryDomain(userSession)),
  );
  return (
    <div class="bulk-bar">
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
      <label for="bulk-action">Action</label>
      <select id="bulk-action" name="action">
        {actions.map(([value, { label }]) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </select>
      <button type="submit">Continue</button>
      <a href="/bulk">Bulk changes</a>
    </div>
  );
}
