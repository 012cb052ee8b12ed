import type { SavedView } from '../../../application/ports/portfolio/portfolio-repositories';
import { PostForm } from '../layout/forms/forms';
import { useMayDo } from '../layout/may-do';
import { buildListUrl, isFiltered, type DomainListQuery } from './domain-list-query';

export interface SavedViewsListProps {
  readonly views: readonly SavedView[];
  readonly query: DomainListQuery;
}

/** Links to the saved views, and a form that saves the list as it is. */
export function SavedViewsList({ views, query }: SavedViewsListProps) {
  const current = buildListUrl(query).replace(/^[^?]*\??/, '');
  const active = views.find((view) => view.query === current && current !== '');
  const maySave = useMayDo('settings', { everyDomain: true });
  const isSavable = maySave && (isFiltered(query) || query.columns !== undefined || current !== '') && !active;
  if (views.length === 0 && !isSavable) return null;
  return (
    <div class="saved-views" id="views">
      {views.length > 0 && (
        <ul class="inline-list" aria-label="Saved views">
          {views.map(({ name, query: saved }) => (
            <li key={name}>
              <a href={`/domains?${saved}`} aria-current={active?.name === name ? 'true' : undefined}>
                {name}
              </a>
            </li>
          ))}
        </ul>
      )}
      {active && maySave && (
        <PostForm action="/domain-views/delete" class="inline-form">
          <input type="hidden" name="name" value={active.name} />
          <button class="quiet" type="submit">
            Delete the view “{active.name}”
          </button>
        </PostForm>
      )}
      {isSavable && (
        <details>
          <summary>Save this view</summary>
          <PostForm action="/domain-views" class="inline-form">
            <input type="hidden" name="query" value={current} />
            <label for="view-name">Name</label>
            <input id="view-name" name="name" required maxLength={40} />
            <button type="submit">Save view</button>
          </PostForm>
        </details>
      )}
    </div>
  );
}
