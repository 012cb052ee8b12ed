import type { ComponentChildren } from 'preact';
import { LIST_STATUS_ID } from '../list-status';

interface ListFilterProps {
  /** URL of the page with the list. */
  readonly action: string;
  /** Id of the list element. */
  readonly list: string;
  readonly search: string;
  readonly placeholder: string;
  readonly class?: string;
  /** Id of another element that depends on the filter. */
  readonly alsoReplace?: string;
  /** More filter fields. */
  readonly children?: ComponentChildren;
}

/** With scripts, updates the list while the user types; a newer request cancels an older one. The page needs a `ListStatus`. */
export function ListFilterForm({
  action,
  list,
  search,
  placeholder,
  class: className,
  alsoReplace,
  children,
}: ListFilterProps) {
  const htmx = {
    'hx-get': action,
    'hx-trigger': 'input changed delay:250ms from:#q, change, submit',
    'hx-sync': 'this:replace',
    'hx-target': `#${list}`,
    'hx-select': `#${list}`,
    'hx-swap': 'outerHTML',
    'hx-select-oob': `#${LIST_STATUS_ID}:textContent${alsoReplace === undefined ? '' : `,#${alsoReplace}`}`,
    'hx-replace-url': 'true',
  };
  return (
    <form class={className === undefined ? 'filter' : `filter ${className}`} action={action} role="search" {...htmx}>
      <div class="field grow">
        <label for="q" class="visually-hidden">
          Search
        </label>
        <input
          id="q"
          name="q"
          type="search"
          value={search}
          placeholder={placeholder}
          autocomplete="off"
          spellcheck={false}
        />
      </div>
      {children}
      <button type="submit">Search</button>
    </form>
  );
}
