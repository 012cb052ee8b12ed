import type { ServiceError } from '../../../domain/shared/service-error';
import { usePage } from '../layout/page-context';

interface Words {
  readonly heading: string;
  readonly advice: string;
}

const BY_STATUS: Readonly<Record<number, Words>> = {
  403: { heading: 'You may not do this', advice: 'Nothing was changed.' },
  404: { heading: 'There is nothing here', advice: 'It may have been removed, or the address has a slip in it.' },
  429: { heading: 'Too many attempts', advice: 'Wait a few minutes, then try again.' },
  500: {
    heading: 'Something went wrong on our side',
    advice:
      'It has been written to the log. Trying again may help; if it does not, tell whoever runs this service, with the time.',
  },
  503: {
    heading: 'The service is not ready',
    advice: 'A part that it needs does not answer. Nothing is lost: try again in a moment.',
  },
};
const OTHERWISE: Words = { heading: 'That did not work', advice: 'Go back, check what you sent and try again.' };

export function ErrorPage({
  status,
  failure,
  retry,
}: {
  readonly status: number;
  readonly failure: ServiceError | undefined;
  readonly retry: string | undefined;
}) {
  const { visitor } = usePage();
  const { heading, advice } = BY_STATUS[status] ?? OTHERWISE;
  return (
    <section class="card narrow">
      <h1>{heading}</h1>
      {failure && status !== 404 && status !== 500 && <p>{failure.message}.</p>}
      <p>{failure?.details ?? advice}</p>
      <p class="actions">
        {retry !== undefined && (
          <a class="button primary" href={retry}>
            Try again
          </a>
        )}
        <a class="button" href={visitor ? '/' : '/sign-in'}>
          {visitor ? 'Go to the overview' : 'Go to sign-in'}
        </a>
      </p>
    </section>
  );
}
