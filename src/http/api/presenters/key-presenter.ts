import type { ListedKey } from '../../../application/access/api-keys/list-api-keys';
import type { ApiKey } from '../../../domain/access/api-key';
import { actionsAllowedBy, type KeyLimits, type SpendLimits } from '../../../domain/access/key-limits';
import { majorUnits } from '../../../domain/shared/money';

export function shownKey(key: ApiKey): object {
  const { keyId, name, scope, limits, createdAt, expiresAt } = key.toState();
  return {
    key_id: keyId,
    name,
    scope,
    type: key.isTsigKey ? 'tsig' : 'api',
    limits: limits && shownLimits(limits),
    created_at: createdAt.toISOString(),
    expires_at: expiresAt?.toISOString() ?? null,
  };
}

export function listedKey({ key, status }: ListedKey): object {
  return { ...shownKey(key), status, last_used_at: key.toState().lastUsedAt?.toISOString() ?? null };
}

/** Once: the text is not stored. */
export function newKey(key: ApiKey, text: string): object {
  return { ...shownKey(key), key: text };
}

export function shownLimits(limits: KeyLimits): object {
  const { domains, tags, names, types, networks, unusedAfterDays, spend } = limits;
  const actions = actionsAllowedBy(limits);
  return {
    ...(domains && { domains }),
    ...(tags && { tags }),
    ...(names && { names }),
    ...(types && { types }),
    ...(actions && { actions }),
    ...(networks && { networks }),
    ...(unusedAfterDays !== undefined && { unused_after: unusedAfterDays }),
    ...(spend && { spend: shownSpend(spend) }),
  };
}

function shownSpend({ perOrder, perDay, perMonth }: SpendLimits): object {
  return {
    ...(perOrder && { per_order: majorUnits(perOrder) }),
    ...(perDay && { per_day: majorUnits(perDay) }),
    ...(perMonth && { per_month: majorUnits(perMonth) }),
    currency: (perOrder ?? perDay ?? perMonth)?.currency,
  };
}
