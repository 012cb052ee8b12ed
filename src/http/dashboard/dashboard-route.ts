import { token } from '../../application/ports/inject';
import type { ErrorRequestHandler, Request, RequestHandler, Response } from 'express';
import type { Requester } from '../../domain/access/actor';
import type { KeyAction } from '../../domain/access/key-limits';
import { actorOfUser } from '../../domain/access/people/user';
import type { UserSession } from './user-session';

interface DashboardLocals {
  /** Set on every route that is not public. */
  userSession: UserSession;
}

export type DashboardRequest = Request<Record<string, string>, unknown, Record<string, unknown> | undefined>;
export type DashboardResponse = Response<string, DashboardLocals>;
/** Sends a page or a redirect. */
type DashboardHandler = (req: DashboardRequest, res: DashboardResponse) => Promise<void> | void;

/**
 * Who may send the request: anyone, any signed-in user (for the user's own settings), an owner of the account, or a user whose
 * role has the action. A page that only shows something needs `read`; a form needs the action of its submit button.
 */
export type Access = 'public' | 'signed-in' | 'owner' | KeyAction;

interface RouteOptions {
  /** The form is multipart with one large field. Default: urlencoded and small. */
  readonly upload?: boolean;
  /** Refused to people whose role is for some tags: the page shows or changes what is not a domain's. */
  readonly everyDomain?: boolean;
  /** Units of the account's rate limit. Default: 1. */
  readonly cost?: number;
  /** The URL of the form has a signature, which takes the place of a CSRF token: programs send it, too. */
  readonly isSigned?: boolean;
  /** Runs after the form is parsed and before the handler. */
  readonly before?: RequestHandler;
  readonly onError?: ErrorRequestHandler;
}

export type DashboardRoute = readonly [
  method: 'get' | 'post',
  path: string,
  access: Access,
  handler: DashboardHandler,
  options?: RouteOptions,
];

/** Costs, as for the API: WIDE queries many registries or reads a whole zone, BULK plans or writes a whole zone. */
export const WIDE = 5;
export const BULK = 10;

/** The routes of one folder and their handlers. */
export interface DashboardPages {
  readonly routes: readonly DashboardRoute[];
}
export const DashboardPages = token<DashboardPages>('DashboardPages');

/** The actor and account for a use case that this request runs. */
export function getRequester({ locals: { userSession }, req: { ip } }: DashboardResponse): Requester {
  const actor = { ...actorOfUser(userSession.user, userSession.account), ...(ip !== undefined && { address: ip }) };
  return { accountId: userSession.accountId, actor };
}
