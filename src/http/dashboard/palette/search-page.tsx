import { Card, Empty, PageHeading } from '../layout/components';
import { ListFilterForm } from '../layout/forms/list-filter-form';
import { LIST_STATUS_ID, ListStatus } from '../layout/list-status';
import { PALETTE_KINDS } from './palette-item';
import type { PaletteResult } from './palette-items';

const HEADINGS = {
  Domain: 'Domains',
  Record: 'DNS records',
  Tag: 'Tags',
  Person: 'People',
  'API key': 'API keys',
  Page: 'Pages',
  Action: 'Actions',
} as const;

/** What the command palette finds, as a page. */
export function SearchPage({ text, items, isComplete }: PaletteResult & { readonly text: string }) {
  return (
    <>
      <PageHeading title="Search" lead="Domains, DNS records, tags, people, API keys, pages and actions." />
      <ListFilterForm
        action="/search"
        list="found"
        search={text}
        placeholder="Such as shop.com mx, 192.0.2.1, or a part of an e-mail address"
      />
      {text === '' ? (
        <p class="small list-status" id={LIST_STATUS_ID} role="status" />
      ) : (
        <ListStatus count={items.length} nouns={['result', 'results']} isComplete />
      )}
      <div id="found">
        {text !== '' && items.length === 0 && (
          <Empty title={`Nothing matches “${text}”`}>
            <p>Names, DNS records, tags, people, active API keys, pages and actions were searched.</p>
          </Empty>
        )}
        {!isComplete && (
          <p class="alert warning">
            The account has too many records for one search: those of some domains were not searched. Add the name of
            the domain, or search on the page of its records.
          </p>
        )}
        {PALETTE_KINDS.map((kind) => {
          const some = items.filter((item) => item.kind === kind);
          return (
            some.length > 0 && (
              <Card key={kind} title={HEADINGS[kind]}>
                <ul>
                  {some.map(({ label, url }) => (
                    <li key={url}>
                      <a href={url}>{label}</a>
                    </li>
                  ))}
                </ul>
              </Card>
            )
          );
        })}
      </div>
    </>
  );
}
