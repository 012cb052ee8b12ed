import { hash } from 'node:crypto';
import type { Actor } from '../../../domain/access/actor';
import type { SpendLimits } from '../../../domain/access/key-limits';
import { LimitedKey, limitsOf } from '../../../domain/access/key-permissions';
import { isWithin, moneyText, plus, type Money } from '../../../domain/shared/money';
import type { Stores } from '../../ports/storage/unit-of-work';

const KEY_ID_LENGTH = 12;

interface Order {
  readonly id: string;
  readonly actor: Actor;
  readonly price: Money;
}

/**
 * Counts an order towards what its key may spend, in the unit of work that stores the order: the key is locked, so that parallel
 * orders cannot exceed its limits together. The keys that jobs got by one trust rule count as one. Does nothing if the key may spend
 * any amount.
 * @throws LimitedKey
 */
export async function reserveSpend(
  { apiKeys, keySpending, trustRules }: Pick<Stores, 'apiKeys' | 'keySpending' | 'trustRules'>,
  { id, actor, price }: Order,
  now: Date,
): Promise<void> {
  if (actor.kind !== 'key' || !limitsOf(actor)?.spend) return;
  const key = (await apiKeys.lock(actor.id))?.toState();
  const spend: SpendLimits = key?.limits?.spend ?? {};
  const ruleId = key?.trustRuleId ?? null;
  if (ruleId !== null) await trustRules.lock(ruleId);
  const keyId = ruleId === null ? actor.id : spenderOf(ruleId);
  const since = (start: Date) => keySpending.total(keyId, start);
  assertWithin('per_order', spend.perOrder, price, 0);
  if (spend.perDay) assertWithin('per_day', spend.perDay, price, await since(startOfDay(now)));
  if (spend.perMonth) assertWithin('per_month', spend.perMonth, price, await since(startOfMonth(now)));
  await keySpending.add({ orderId: id, keyId, at: now, price });
}

/** In place of a key's id, whose length it has, because each key of a job lives for minutes and a job can have many. */
function spenderOf(ruleId: string): string {
  return hash('sha256', ruleId, 'base64url').slice(0, KEY_ID_LENGTH);
}

function assertWithin(field: string, limit: Money | undefined, price: Money, spentMinor: number): void {
  if (!limit) return;
  const isAllowed = limit.currency === price.currency && isWithin(plus(price, { ...price, minor: spentMinor }), limit);
  if (isAllowed) return;
  throw new LimitedKey(
    `spend.${field}`,
    `the order costs ${moneyText(price)}; ${moneyText({ ...limit, minor: spentMinor })} of ${moneyText(limit)} are spent`,
  );
}

function startOfDay(now: Date): Date {
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate()));
}

function startOfMonth(now: Date): Date {
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), 1));
}
