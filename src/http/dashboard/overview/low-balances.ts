import type { DeadLetter } from '../../../application/ports/registry/dead-letters';

/** A registry's latest warning that our credit there is running out. */
export interface LowBalance {
  readonly registry: string;
  readonly text: string;
  readonly at: Date;
}

/** The latest of each registry since then, newest first; `messages` are newest first. */
export function lowBalances(messages: readonly DeadLetter[], since: Date): readonly LowBalance[] {
  const latest = new Map<string, LowBalance>();
  for (const { registry, message, receivedAt } of messages) {
    const { kind, text } = JSON.parse(message) as { readonly kind?: unknown; readonly text?: unknown };
    if (kind === 'low_balance' && receivedAt >= since && !latest.has(registry))
      latest.set(registry, { registry, text: typeof text === 'string' ? text : '', at: receivedAt });
  }
  return [...latest.values()];
}
