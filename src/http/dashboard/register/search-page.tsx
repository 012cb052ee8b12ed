import type { ComponentChildren } from 'preact';
import type { FormIssues } from '../form-issues';
import { PageHeading, Table } from '../layout/parts';

export interface SearchPageProps {
  readonly query: string;
  readonly issues?: FormIssues;
  /** The rows that come in. */
  readonly children?: ComponentChildren;
}

export function SearchPage({ query, issues, children }: SearchPageProps) {
  const issue = issues?.fields.get('q') ?? issues?.message;
  return (
    <>
      <PageHeading
        title="Find a domain"
        lead="Search a name under many endings at once. Results appear as each registry answers."
      />
      <form class="filter" action="/register" role="search">
        <div class="field grow">
          <label for="q">Name</label>
          <input
            id="q"
            name="q"
            type="search"
            value={query}
            placeholder="my-next-idea"
            required
            autocomplete="off"
            spellcheck={false}
            autofocus={children === undefined}
            aria-invalid={issue === undefined ? undefined : true}
            aria-describedby={issue === undefined ? undefined : 'q-fault'}
          />
          {issue !== undefined && (
            <p class="fault" id="q-fault">
              {issue}
            </p>
          )}
        </div>
        <button class="primary" type="submit">
          Search
        </button>
      </form>
      {children !== undefined && (
        <section class="card flush">
          <Table
            caption={`Offers for ${query}`}
            columns={['Name', 'First year', 'Renewal', <span class="unseen">Actions</span>]}
          >
            {children}
          </Table>
        </section>
      )}
    </>
  );
}
