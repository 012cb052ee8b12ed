import type { Request, Response } from 'express';
import type { Requester } from '../../domain/access/actor';
import { RoleForbids } from '../../domain/access/errors';
import type { Account } from '../../domain/access/account';
import type { UserState } from '../../domain/access/user';

/** Who is signed in. */
export interface Visitor {
  readonly user: UserState;
  readonly account: Account;
  readonly accountId: string;
  readonly sessionDigest: string;
  /** When the person last entered the password in this session. */
  readonly authenticatedAt: Date | null;
}

interface DashboardLocals {
  /** Present behind every route that is not public. */
  visitor: Visitor;
}

export type DashboardRequest = Request<Record<string, string>, unknown, Record<string, unknown> | undefined>;
export type DashboardResponse = Response<string, DashboardLocals>;
export type DashboardHandler = (req: DashboardRequest, res: DashboardResponse) => Promise<void> | void;

/** Who may come: anybody, whoever is signed in, or owners of the account. */
export type Access = 'public' | 'member' | 'owner';
interface RouteOptions {
  /** The form is multipart with one large field; else it is urlencoded and small. */
  readonly upload?: boolean;
  /** Units of the account's rate limit; 1 if absent. */
  readonly cost?: number;
}

export type DashboardRoute = readonly [
  method: 'get' | 'post',
  path: string,
  access: Access,
  handler: DashboardHandler,
  options?: RouteOptions,
];

/** As for the API: what asks registries for many names or reads a whole zone, and what judges or writes one. */
export const WIDE = 5;
export const BULK = 10;

/** The pages of one folder. */
export interface DashboardPages {
  readonly routes: readonly DashboardRoute[];
}
export const DashboardPages = Symbol('DashboardPages');

/** Whether the person may do what moves a domain away: unlock it, get its auth code, delete it. */
export function mayTransfer({ user, account }: Visitor): boolean {
  return user.role === 'owner' || account.membersMayTransfer;
}

/** @throws RoleForbids for a person who may not do what moves a domain away */
export function assertMayTransfer(visitor: Visitor): void {
  if (!mayTransfer(visitor)) throw new RoleForbids('An owner can allow it on the team page');
}

/** On whose behalf a use case changes something for this request. */
export function requesterOf({ locals: { visitor } }: DashboardResponse): Requester {
  return { accountId: visitor.accountId, actor: { kind: 'user', id: visitor.user.id } };
}
