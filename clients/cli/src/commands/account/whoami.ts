import type { Key } from '../../../../typescript/src/namewright.ts';
import { command } from '../../program/command.ts';
import { printable } from '../../terminal/printable.ts';

export const whoami = command({
  name: 'whoami',
  summary: 'show the service, the key and what it may do',
  examples: ['namewright whoami'],
  run: async (session) => {
    const { url } = session.access;
    const key = await session.client.readKey();
    session.show({ url, key }, () => [url, ...describeKey(key)]);
  },
});

export function describeKey({ key_id: id, name, scope, expires_at: expiresAt, limits, account }: Key): string[] {
  return [
    `Account ${printable(account.name)} (${account.id})`,
    `Key ${id} (${printable(name)}), scope ${scope}${expiresAt === null ? '' : `, until ${expiresAt}`}`,
    ...Object.entries(limits ?? {}).map(([limit, value]) => `Limited to ${limit}: ${printable(describeLimit(value))}`),
  ];
}

function describeLimit(value: unknown): string {
  return Array.isArray(value) ? value.join(', ') : JSON.stringify(value);
}
