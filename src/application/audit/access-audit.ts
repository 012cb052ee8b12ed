import type { Account, AccountSettings } from '../../domain/access/account';
import type { Actor } from '../../domain/access/actor';
import type { ApiKeyState } from '../../domain/access/api-key';
import { difference, type AuditAction, type AuditFact, type AuditFacts } from '../../domain/access/audit-entry';
import type { BulkJob } from '../../domain/portfolio/bulk-job';
import type { UserRights } from '../../domain/access/people/role';
import type { UserState } from '../../domain/access/people/user';

interface AccountOpened {
  readonly actor: Actor;
  readonly account: Account;
}

export function accountOpened({ actor, account }: AccountOpened): AuditFact {
  return {
    accountId: account.id,
    at: account.createdAt,
    actor,
    action: 'account.created',
    domain: null,
    subject: account.id,
    before: {},
    after: { name: account.name },
  };
}

/** Records who began a job and from where: the changes of its domains follow in the background. */
export function bulkBegun(
  action: Extract<AuditAction, `bulk.${string}`>,
  { id, accountId, actor, updatedAt, action: { kind } }: BulkJob,
  domains: number,
): AuditFact {
  return { accountId, at: updatedAt, actor, action, domain: null, subject: id, before: {}, after: { kind, domains } };
}

interface KeyChange {
  readonly at: Date;
  readonly actor: Actor;
  readonly action: 'key.created' | 'key.revoked';
  readonly key: ApiKeyState;
}

/** Records a key's name and scope, never its secret. */
export function keyChanged({
  at,
  actor,
  action,
  key: { accountId, keyId, name, scope, expiresAt },
}: KeyChange): AuditFact {
  const facts = { name, scope, ...(expiresAt && { expiresAt: expiresAt.toISOString() }) };
  const [before, after] = action === 'key.created' ? [{}, facts] : [facts, {}];
  return { at, actor, action, accountId, domain: null, subject: keyId, before, after };
}

interface UserChange {
  readonly at: Date;
  readonly actor: Actor;
  readonly action: Exclude<Extract<AuditAction, `user.${string}`>, 'user.role_changed'>;
  readonly user: UserState;
}

/** Records a user's e-mail, role and tags. Of a link or a password, only that it changed. */
export function userChanged({ at, actor, action, user: { accountId, email, ...user } }: UserChange): AuditFact {
  const facts = rightsFacts(user);
  const [before, after] = action === 'user.invited' ? [{}, facts] : action === 'user.removed' ? [facts, {}] : [{}, {}];
  return { at, actor, action, accountId, domain: null, subject: email, before, after };
}

interface RoleChange {
  readonly at: Date;
  readonly actor: Actor;
  readonly user: UserState;
  readonly before: UserRights;
}

export function roleChanged({ at, actor, user: { accountId, email, ...after }, before }: RoleChange): AuditFact {
  return {
    at,
    actor,
    action: 'user.role_changed',
    accountId,
    domain: null,
    subject: email,
    before: rightsFacts(before),
    after: rightsFacts(after),
  };
}

function rightsFacts({ role, tags }: UserRights): AuditFacts {
  return { role, ...(tags && { tags }) };
}

interface AccountChange {
  readonly at: Date;
  readonly actor: Actor;
  readonly before: Account;
  readonly account: Account;
}

/** Empty if no setting changed. */
export function accountChanged({ at, actor, before, account }: AccountChange): readonly AuditFact[] {
  const changed = difference(settingsOf(before), settingsOf(account));
  if (Object.keys(changed.after).length === 0) return [];
  return [
    { accountId: account.id, at, actor, action: 'account.changed', domain: null, subject: account.id, ...changed },
  ];
}

function settingsOf({ membersMayTransfer, controlsSandbox }: AccountSettings): AuditFacts {
  return { membersMayTransfer, controlsSandbox };
}
