import type { FormIssues } from '../form-issues';
import { PageHeading } from '../layout/components';

interface TransferNamePageProps {
  readonly name: string;
  readonly issues: FormIssues | undefined;
}

/** The first step: which domain. */
export function TransferNamePage({ name, issues }: TransferNamePageProps) {
  const error = issues && (issues.fields.get('name') ?? issues.message);
  return (
    <>
      <PageHeading
        title="Transfer a domain"
        lead="Move a domain from another registrar to this account. Turn its transfer lock off there, and get its auth code."
      />
      <form class="filter" action="/transfers/new">
        <div class="field grow">
          <label for="name">Domain</label>
          <input
            id="name"
            name="name"
            type="text"
            value={name}
            placeholder="example.com"
            required
            autocomplete="off"
            spellcheck={false}
            autofocus
            aria-invalid={error === undefined ? undefined : true}
            aria-describedby={error === undefined ? undefined : 'name-error'}
          />
          {error !== undefined && (
            <p class="field-error" id="name-error">
              {error}
            </p>
          )}
        </div>
        <button class="primary" type="submit">
          Show price
        </button>
      </form>
    </>
  );
}
