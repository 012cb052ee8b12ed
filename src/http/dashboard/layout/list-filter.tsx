import type { ComponentChildren } from 'preact';
import { LIST_STATUS } from './list-status';

export interface ListFilterProps {
  /** The page with the list. */
  readonly action: string;
  /** The id of the list. */
  readonly list: string;
  readonly search: string;
  readonly placeholder: string;
  readonly class?: string;
  /** The id of what else there is on the page that the filter decides on. */
  readonly also?: string;
  /** What else can be asked for. */
  readonly children?: ComponentChildren;
}

/** Asks again as one types, where scripts run: what was typed last wins, however slow an answer is. The page has a `ListStatus`. */
export function ListFilter({ action, list, search, placeholder, class: className, also, children }: ListFilterProps) {
  const live = {
    'hx-get': action,
    'hx-trigger': 'input changed delay:250ms from:#q, change, submit',
    'hx-sync': 'this:replace',
    'hx-target': `#${list}`,
    'hx-select': `#${list}`,
    'hx-swap': 'outerHTML',
    'hx-select-oob': `#${LIST_STATUS}:textContent${also === undefined ? '' : `,#${also}`}`,
    'hx-replace-url': 'true',
  };
  return (
    <form class={className === undefined ? 'filter' : `filter ${className}`} action={action} role="search" {...live}>
      <div class="field grow">
        <label for="q">Search</label>
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
      <button type="submit">Show</button>
    </form>
  );
}
