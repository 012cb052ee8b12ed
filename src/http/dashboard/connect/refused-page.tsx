import { Card, PageHeading } from '../layout/components';

/** Why a request of a service provider is refused. */
export function RefusedPage({ reason, back }: { readonly reason: string; readonly back: string | undefined }) {
  return (
    <>
      <PageHeading title="The service was not connected" lead="No record was changed" />
      <Card title="Why">
        <p role="alert">{reason}</p>
        <p class="actions">
          {back !== undefined && (
            <a class="button primary" href={back} rel="noreferrer">
              Go back to the provider
            </a>
          )}
          <a class="button" href="/domains">
            Your domains
          </a>
        </p>
      </Card>
    </>
  );
}
