import type { ListPosition } from '../../application/ports/storage/list-position';

/** A place in a list as the address of a page carries it. */
export function writePosition({ createdAt, id }: ListPosition): string {
  return `${createdAt.getTime()}:${id}`;
}

/** Undefined for what `writePosition` never wrote. */
export function readPosition(text: string): ListPosition | undefined {
  const match = /^(\d{1,15}):([a-z]{2,4}_[0-9a-z]{1,36}|[\w-]{12})$/.exec(text);
  return match?.[1] && match[2] ? { createdAt: new Date(Number(match[1])), id: match[2] } : undefined;
}
