import type { DomainState } from '../../../../domain/registration/domain';
import type { Money } from '../../../../domain/shared/money';
import { formatDate } from '../../../../domain/shared/time/date-text';
import { displayName } from '../../layout/domain/domain-labels';
import type { FormIssues } from '../../form-issues';
import { formatRelativeDay } from '../../layout/dates';
import { FormActions } from '../../layout/forms/form-actions';
import { PostForm } from '../../layout/forms/forms';
import { formatPrice, PriceFields } from '../../layout/money';
import { usePage } from '../../layout/page-context';
import { DomainLayout } from '../../layout/domain/domain-layout';

interface RestoreDomainPageProps {
  readonly domain: DomainState;
  /** Undefined if it cannot be restored; `issues` tell why. */
  readonly price: Money | undefined;
  /** By which it is ordered. */
  readonly quoteId: string | undefined;
  readonly issues: FormIssues | undefined;
}

export function RestoreDomainPage({ domain, price, quoteId, issues }: RestoreDomainPageProps) {
  const { today } = usePage();
  const path = `/domains/${domain.id}`;
  return (
    <DomainLayout domain={domain} tab="details">
      <section class="card narrow">
        <h2>Restore {displayName(domain.name)}?</h2>
        {issues?.message !== undefined && (
          <div class="alert warning" role="alert">
            <p>{issues.message}</p>
          </div>
        )}
        {price && (
          <>
            <p>
              The restore costs <strong>{formatPrice(price)}</strong>, including a renewal if the term has ended. The
              DNS records come back with it.
            </p>
            {domain.phaseEndsAt && (
              <p>
                You can restore it until {formatDate(domain.phaseEndsAt)},{' '}
                {formatRelativeDay(domain.phaseEndsAt, today)}. After that it cannot be restored.
              </p>
            )}
          </>
        )}
        <PostForm action={`${path}/restore`}>
          {price && <PriceFields price={price} quoteId={quoteId} />}
          <FormActions submit={price ? `Restore for ${formatPrice(price)}` : undefined} cancel={path} />
        </PostForm>
      </section>
    </DomainLayout>
  );
}
