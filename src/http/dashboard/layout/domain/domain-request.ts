import type { OperationOutcome } from '../../../../application/operations/operation-outcome';
import type { FindDomain } from '../../../../application/registration/find-domain';
import type { DomainState } from '../../../../domain/registration/domain';
import { issuesText, type FormIssues } from '../../form-issues';
import { setFlash } from '../../flash';
import { getRequester, type DashboardRequest, type DashboardResponse } from '../../dashboard-route';
import { redirect } from '../../redirect';

export function readDomainId(req: DashboardRequest): string {
  return req.params['id'] ?? '';
}

/** @throws DomainNotFound */
export async function findDomainOf(
  req: DashboardRequest,
  res: DashboardResponse,
  findDomain: FindDomain,
): Promise<DomainState> {
  return (await findDomain.byId({ ...getRequester(res), domainId: readDomainId(req) })).toState();
}

/** Redirects to the domain page with the issues or the success message. */
export function redirectToDomain(
  req: DashboardRequest,
  res: DashboardResponse,
  outcome: { result: OperationOutcome | object } | { issues: FormIssues },
  message: string,
): void {
  setFlash(
    req,
    'issues' in outcome ? { kind: 'warning', text: issuesText(outcome.issues) } : { kind: 'success', text: message },
  );
  redirect(res, `/domains/${readDomainId(req)}`);
}
