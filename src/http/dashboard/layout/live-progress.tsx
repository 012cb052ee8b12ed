/** What a page can follow while it is in progress. */
export const LIVE_KINDS = ['operation', 'transfer', 'import', 'bulk', 'publication', 'dnssec'] as const;
export type LiveKind = (typeof LIVE_KINDS)[number];

interface Followed {
  readonly kind: LiveKind;
  readonly id: string;
  /** URL of the page. */
  readonly path: string;
  /** Id of the element that shows the progress. */
  readonly element: string;
}

/**
 * Attributes of the element that shows something in progress. With scripts, it is loaded again when the event stream tells of a
 * change; morphing keeps unchanged elements, so that focus and screen readers stay undisturbed.
 */
export function followProgress({ kind, id, path, element }: Followed) {
  return {
    'data-live': `${kind}:${id}`,
    'hx-get': path,
    'hx-trigger': 'news',
    'hx-select': `#${element}`,
    'hx-swap': 'outerMorph',
  };
}

/** For browsers without scripts. */
export function RefreshLink({ path }: { readonly path: string }) {
  return (
    <noscript>
      <p class="small">
        <a href={path}>Refresh</a> to see what has happened since.
      </p>
    </noscript>
  );
}
