import type { Account } from '../../domain/access/account';
import type { Actor } from '../../domain/access/actor';
import type { ApiKeyState } from '../../domain/access/api-key';
import type { AuditFact } from '../../domain/access/audit-entry';

interface AccountOpened {
  readonly actor: Actor;
  readonly account: Account;
}

export function accountOpened({ actor, account }: AccountOpened): AuditFact {
  return { accountId: account.id, at: account.createdAt, actor, action: 'account.created', domain: null, subject: account.id, before: {}, after: { name: account.name } };
}

interface KeyChange {
  readonly at: Date;
  readonly actor: Actor;
  readonly action: 'key.created' | 'key.revoked';
  readonly key: ApiKeyState;
}

/** Tells of a key by its name and scope; its secret is known to nobody here. */
export function keyChanged({ at, actor, action, key: { accountId, keyId, name, scope } }: KeyChange): AuditFact {
  const [before, after] = action === 'key.created' ? [{}, { name, scope }] : [{ name, scope }, {}];
  return { at, actor, action, accountId, domain: null, subject: keyId, before, after };
}
