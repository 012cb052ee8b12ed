import type { ComponentChildren } from 'preact';
import type { FormIssues } from '../form-issues';
import { PageHeading, Table } from '../layout/components';
import { MayDo } from '../layout/may-do';

interface SearchPageProps {
  readonly query: string;
  readonly issues?: FormIssues;
  /** The rows of the results, which are streamed. */
  readonly children?: ComponentChildren;
}

export function SearchPage({ query, issues, children }: SearchPageProps) {
  const error = issues?.fields.get('q') ?? issues?.message;
  return (
    <>
      <PageHeading
        title="Find a domain"
        lead="Type a name, some words or a URL. Results appear as each registry responds."
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
            aria-invalid={error === undefined ? undefined : true}
            aria-describedby={error === undefined ? undefined : 'q-error'}
          />
          {error !== undefined && (
            <p class="field-error" id="q-error">
              {error}
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
            caption={`Search results for ${query}`}
            columns={[
              <span class="visually-hidden">Select</span>,
              'Name',
              'First year',
              'Renewal',
              <span class="visually-hidden">Actions</span>,
            ]}
          >
            {children}
          </Table>
          <MayDo action="register">
            <form class="table-actions" id="order" action="/register/order">
              <button type="submit">Register several</button>
            </form>
          </MayDo>
        </section>
      )}
    </>
  );
}
