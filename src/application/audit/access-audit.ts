import type { Account, AccountSettings } from '../../domain/access/account';
import { SERVICE, type Actor } from '../../domain/access/actor';
import type { ApiKeyState } from '../../domain/access/api-key';
import { difference, type AuditAction, type AuditFact, type AuditFacts } from '../../domain/access/audit-entry';
import type { BulkCounts, BulkJob } from '../../domain/portfolio/bulk-job';
import type { ImportCounts, NameImport } from '../../domain/registrar/name-import';
import type { TrustRule } from '../../domain/access/trust/trust-rule';
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
  action: 'bulk.started' | 'bulk.retried',
  { id, accountId, actor, updatedAt, action: { kind } }: BulkJob,
  domains: number,
): AuditFact {
  return { accountId, at: updatedAt, actor, action, domain: null, subject: id, before: {}, after: { kind, domains } };
}

/** Records that a job has no more to do, and what came of its domains. */
export function bulkFinished({ id, accountId, action: { kind } }: BulkJob, counts: BulkCounts, at: Date): AuditFact {
  const { done, failed } = counts;
  const after = { kind, domains: done + failed, done, failed };
  return { accountId, at, actor: SERVICE, action: 'bulk.finished', domain: null, subject: id, before: {}, after };
}

/** Records that an import has ended: what came of its names, and whether the registry listed them. */
export function importFinished(
  { id, accountId, registry, status }: NameImport,
  { imported, present, failed }: ImportCounts,
  at: Date,
): AuditFact {
  const after = { registry, status, imported, present, failed };
  return { accountId, at, actor: SERVICE, action: 'import.finished', domain: null, subject: id, before: {}, after };
}

interface KeyChange {
  readonly at: Date;
  readonly actor: Actor;
  readonly action: 'key.created' | 'key.revoked';
  readonly key: ApiKeyState;
  /** Of the token that was exchanged for the key. */
  readonly tokenSubject?: string | undefined;
}

/** Records a key's name and scope, never its secret. */
export function keyChanged({
  at,
  actor,
  action,
  key: { accountId, keyId, name, scope, expiresAt, trustRuleId },
  tokenSubject,
}: KeyChange): AuditFact {
  const facts = {
    name,
    scope,
    ...(expiresAt && { expiresAt: expiresAt.toISOString() }),
    ...(trustRuleId !== null && { trustRule: trustRuleId }),
    ...(tokenSubject !== undefined && { tokenSubject }),
  };
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
export function userChanged({ at, actor, action, user: { id, accountId, email, ...user } }: UserChange): AuditFact {
  const facts = rightsFacts(user);
  const [before, after] = action === 'user.invited' ? [{}, facts] : action === 'user.removed' ? [facts, {}] : [{}, {}];
  return { at, actor, action, accountId, domain: null, subject: email, before, after, eventData: { person: id } };
}

interface RoleChange {
  readonly at: Date;
  readonly actor: Actor;
  readonly user: UserState;
  readonly before: UserRights;
}

export function roleChanged({ at, actor, user: { id, accountId, email, ...after }, before }: RoleChange): AuditFact {
  return {
    at,
    actor,
    action: 'user.role_changed',
    accountId,
    domain: null,
    subject: email,
    before: rightsFacts(before),
    after: rightsFacts(after),
    eventData: { person: id },
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

function settingsOf({ membersMayTransfer, controlsSandbox, isTrusted, approvalRules }: AccountSettings): AuditFacts {
  return { membersMayTransfer, controlsSandbox, isTrusted, approvalRules };
}

interface TrustRuleChange {
  readonly at: Date;
  readonly actor: Actor;
  readonly action: Extract<AuditAction, `trust_rule.${string}`>;
  /** Undefined if it is new. */
  readonly before?: TrustRule | undefined;
  /** Undefined if it is removed. */
  readonly after?: TrustRule | undefined;
}

export function trustRuleChanged({ at, actor, action, before, after }: TrustRuleChange): AuditFact {
  const { id, accountId } = (after ?? before) as TrustRule;
  return {
    accountId,
    at,
    actor,
    action,
    domain: null,
    subject: id,
    ...difference(ruleFacts(before), ruleFacts(after)),
  };
}

function ruleFacts(rule: TrustRule | undefined): AuditFacts {
  if (!rule) return {};
  const { name, issuer, audience, claims, scope, limits, minutes } = rule;
  return { name, issuer, audience, claims, scope, ...(limits && { limits }), minutes };
}
