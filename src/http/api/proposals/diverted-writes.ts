import { inject, injectable } from '../../../application/ports/inject';
import { asIfAccepted, mayOnlyPropose } from '../../../domain/access/key-permissions';
import { ApprovalNeeded } from '../../../application/access/approvals/approval-needed';
import type { Proposal } from '../../../domain/access/proposals/proposal';
import type { JsonResult } from '../../shared/result';
import type { ApiRequest, PathParameter, WriteHandler, WriteRequest } from '../api-request';
import { isDryRun } from '../resources/dns/zone-changes';
import { ProposalsController } from '../resources/access/proposals';
import type { Route } from '../route';
import { ProposedWrites } from './proposed-writes';

/** A client can say why, for the person who decides. */
const REASON_FIELD = 'proposal-reason';
const ONLY_PROPOSES = 'Sent with a key that may only propose';
const NEEDS_APPROVAL = 'Needs a second person by the approval rules of the account';

/** Makes proposals of the writes of keys with the limit `propose`, and of those that need a second person. */
@injectable()
export class DivertedWrites {
  constructor(
    @inject(ProposedWrites) private readonly writes: ProposedWrites,
    @inject(ProposalsController) private readonly controller: ProposalsController,
  ) {}

  /** What handles the request in place of the route's handler, which only unlimited keys reach. */
  handlerFor(
    { caller: { actor }, query }: Pick<ApiRequest<PathParameter>, 'caller' | 'query'>,
    [, path, , handler]: Route,
  ): WriteHandler {
    const write = handler as WriteHandler;
    if (path.startsWith('/proposals')) return write;
    if ('dry_run' in query && isDryRun({ query }))
      return (request) => write({ ...request, caller: { ...request.caller, actor: asIfAccepted(actor) } });
    if (mayOnlyPropose(actor)) return (request) => this.propose(request, ONLY_PROPOSES);
    return async (request) => {
      try {
        return await write(request);
      } catch (error) {
        if (!(error instanceof ApprovalNeeded)) throw error;
        return this.propose(request, NEEDS_APPROVAL);
      }
    };
  }

  private async propose(request: WriteRequest<PathParameter>, otherwise: string): Promise<JsonResult> {
    const { caller, scope, method, path, query, headers, body } = request;
    const reason = headers[REASON_FIELD];
    const proposed = { method, path: withQuery(path, query), ifMatch: headers['if-match'], body };
    const text = typeof reason === 'string' ? reason : otherwise;
    const toResult = (made: Proposal) => this.controller.proposed(made.toState(), caller.actor, 202);
    return toResult(await this.writes.propose({ ...caller, scope }, proposed, text, request.storing(toResult)));
  }
}

/** Without the key, which may be sent as a parameter, and `dry_run`, which is false here. */
function withQuery(
  path: string,
  { token: _token, dry_run: _dryRun, ...query }: Readonly<Record<string, unknown>>,
): string {
  const parameters = new URLSearchParams(query as Record<string, string>).toString();
  return parameters === '' ? path : `${path}?${parameters}`;
}
