import type { ServiceError } from '../../../domain/shared/service-error';
import { usePage } from '../layout/page-context';

interface ErrorText {
  readonly heading: string;
  readonly advice: string;
}

const TEXT_BY_STATUS: Readonly<Record<number, ErrorText>> = {
  403: { heading: 'Not allowed', advice: 'Nothing was changed.' },
  404: { heading: 'Not found', advice: 'This page does not exist or was removed. Check the URL.' },
  429: { heading: 'Too many requests', advice: 'Wait a few minutes, then try again.' },
  500: {
    heading: 'Something went wrong',
    advice:
      'An internal error occurred and was logged. Try again. If it fails again, contact the operator of this service and mention the time.',
  },
  503: {
    heading: 'Service unavailable',
    advice: 'A part of the service is not responding. No data was lost. Try again in a moment.',
  },
};
const REMOVED: ErrorText = {
  heading: 'No longer there',
  advice: 'Nothing was changed. What this form is about was removed since its page was loaded.',
};
const DEFAULT_TEXT: ErrorText = {
  heading: 'Request refused',
  advice: 'Go back, check your entries and try again.',
};

export function ErrorPage({
  status,
  failure,
  retry,
  formPage,
}: {
  readonly status: number;
  readonly failure: ServiceError | undefined;
  /** URL of the “Try again” link. */
  readonly retry: string | undefined;
  /** URL of the page with the form that was sent; undefined if none was. */
  readonly formPage: string | undefined;
}) {
  const { userSession } = usePage();
  const isRemoved = status === 404 && formPage !== undefined;
  const { heading, advice } = isRemoved ? REMOVED : (TEXT_BY_STATUS[status] ?? DEFAULT_TEXT);
  return (
    <section class="card narrow">
      <h1>{heading}</h1>
      {failure && status !== 404 && status !== 500 && <p>{failure.message}.</p>}
      <p>{failure?.details ?? advice}</p>
      {status === 404 && userSession && userSession.otherAccounts.length > 0 && (
        <p>
          You are in the account {userSession.account.name}. If the page belongs to another of your accounts, switch to
          that account first.
        </p>
      )}
      <p class="actions">
        {retry !== undefined && (
          <a class="button primary" href={retry}>
            Try again
          </a>
        )}
        {formPage !== undefined && (
          <a class="button primary" href={formPage}>
            Back to the page
          </a>
        )}
        <a class="button" href={userSession ? '/' : '/sign-in'}>
          {userSession ? 'Go to the overview' : 'Go to sign-in'}
        </a>
      </p>
    </section>
  );
}
