import type { OperationOutcome } from '../../../../application/operations/operation-outcome';
import type { FindDomain } from '../../../../application/registration/find-domain';
import type { DomainState } from '../../../../domain/registration/domain';
import { DomainNotFound } from '../../../../domain/shared/domain-errors';
import { hasPage } from './domain-parts';
import { issuesText, type FormIssues } from '../../form-issues';
import { setFlash } from '../../flash';
import { getRequester, type DashboardRequest, type DashboardResponse } from '../../dashboard-route';
import { redirect } from '../../redirect';

export function readDomainId(req: DashboardRequest): string {
  return req.params['id'] ?? '';
}

/** @throws DomainNotFound, also if the name does not have the page */
export async function findDomainOf(
  req: DashboardRequest,
  res: DashboardResponse,
  findDomain: FindDomain,
): Promise<DomainState> {
  const domain = (await findDomain.ownedById({ ...getRequester(res), domainId: readDomainId(req) })).toState();
  if (!hasPage(domain, req.path.slice(`/domains/${domain.id}`.length))) throw new DomainNotFound();
  return domain;
}

/** Redirects to the domain page with the issues or the success message. */
export function redirectToDomain(
  req: DashboardRequest,
  res: DashboardResponse,
  outcome: { result: OperationOutcome | object } | { issues: FormIssues },
  message: string,
  page = '',
): void {
  setFlash(
    req,
    'issues' in outcome ? { kind: 'warning', text: issuesText(outcome.issues) } : { kind: 'success', text: message },
  );
  // A zone that stays has no page of a domain.
  const isHere = !('result' in outcome && 'domain' in outcome.result && outcome.result.domain.isHosted);
  redirect(res, isHere ? `/domains/${readDomainId(req)}${page}` : '/domains');
}
