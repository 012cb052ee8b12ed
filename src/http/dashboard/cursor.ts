import type { ListPosition } from '../../application/ports/storage/list-position';

/** A list position as the query parameter of a page. */
export function formatCursor({ createdAt, id }: ListPosition): string {
  return `${createdAt.getTime()}:${id}`;
}

/** Returns undefined unless `formatCursor` made the text. */
export function parseCursor(text: string): ListPosition | undefined {
  const match = /^(\d{1,15}):([a-z]{2,4}_[0-9a-z]{1,36}|[\w-]{12})$/.exec(text);
  return match?.[1] && match[2] ? { createdAt: new Date(Number(match[1])), id: match[2] } : undefined;
}
