import type { ComponentChildren } from 'preact';
import type { FormFaults } from '../form-faults';
import { PageHeading, Table } from '../layout/parts';

export interface SearchPageProps {
  readonly query: string;
  readonly faults?: FormFaults;
  /** The rows that come in. */
  readonly children?: ComponentChildren;
}

export function SearchPage({ query, faults, children }: SearchPageProps) {
  const fault = faults?.fields.get('q') ?? faults?.message;
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
            aria-invalid={fault === undefined ? undefined : true}
            aria-describedby={fault === undefined ? undefined : 'q-fault'}
          />
          {fault !== undefined && (
            <p class="fault" id="q-fault">
              {fault}
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
