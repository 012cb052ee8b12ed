import type { ReviewBulkRenewal } from '../../../application/portfolio/reviews/review-bulk-renewal';
import type { Requester } from '../../../domain/access/actor';
import { ValidationError } from '../../../domain/shared/validation-error';
import type { DashboardRequest } from '../dashboard-route';
import { readField } from '../form-fields';
import { formatPrice, readAgreedPrice } from '../layout/money';
import { countDomains } from '../domains/bulk-labels';
import type { SelectedDomain } from '../../../domain/portfolio/bulk-job';

interface WantedRenewals {
  readonly domains: readonly SelectedDomain[];
  readonly years: number;
}

/** Those that can be renewed. @throws ValidationError unless the form showed them, with their expiries, and their total */
export async function confirmRenewals(
  req: DashboardRequest,
  requester: Requester,
  review: ReviewBulkRenewal,
  { domains, years }: WantedRenewals,
): Promise<readonly SelectedDomain[]> {
  const { renewable, total, digest } = await review.execute(requester, domains, years);
  const agreed = readAgreedPrice(req);
  const isSame = total?.minor === agreed.minor && total.currency === agreed.currency;
  if (!total || !isSame || digest !== readField(req, 'renewals'))
    throw ValidationError.of(
      '',
      `The prices or the domains have changed: ${countDomains(renewable.length)}${total ? ` for ${formatPrice(total)}` : ''}. Check the total and confirm again`,
    );
  return renewable.map(({ agreed: each, ...domain }) => ({
    ...domain,
    ownAction: { kind: 'renewal', years, agreed: each },
  }));
}
