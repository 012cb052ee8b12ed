import type { DeadLetter } from '../../../application/ports/registry/dead-letters';

/** The latest low-balance warning of a registry. */
export interface LowBalance {
  readonly registry: string;
  readonly text: string;
  readonly at: Date;
}

/** The latest warning of each registry after `since`, newest first. @param messages newest first */
export function findLowBalances(messages: readonly DeadLetter[], since: Date): readonly LowBalance[] {
  const latest = new Map<string, LowBalance>();
  for (const { registry, message, receivedAt } of messages) {
    const { kind, text } = JSON.parse(message) as { readonly kind?: unknown; readonly text?: unknown };
    if (kind === 'low_balance' && receivedAt >= since && !latest.has(registry))
      latest.set(registry, { registry, text: typeof text === 'string' ? text : '', at: receivedAt });
  }
  return [...latest.values()];
}
