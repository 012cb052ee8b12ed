import type { RegistryMessage } from '../../../application/ports/registry/registry-port';

const UTF8 = new TextDecoder('utf-8', { fatal: true });
/** No id of a registry's: a message by it cannot be acknowledged. */
const NAMELESS = 'unreadable:';
const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/**
 * A message out of a frame that is no answer. Its id is looked for in what came, and only where that says that it is the
 * message (1301): an id that merely stands there may belong to one that nobody has seen. Where there is none, the id is the
 * day's, so that whoever keeps such messages keeps one a day of those that stay for ever.
 */
export function unreadableMessage(frame: Uint8Array, at: Date): RegistryMessage {
  const id = idIn(Buffer.from(frame).toString()) ?? `${NAMELESS}${at.toISOString().slice(0, 10)}`;
  return { id, at, kind: 'other', text: 'A message that cannot be read', unreadable: whole(frame) };
}

export function isNameless(messageId: string): boolean {
  return messageId.startsWith(NAMELESS);
}

function idIn(text: string): string | undefined {
  if (!/<(?:[\w.-]+:)?result\s[^<>]*code\s*=\s*["']1301["']/.test(text)) return undefined;
  const [, attributes = ''] = /<(?:[\w.-]+:)?msgQ(\s[^<>]*)>/.exec(text) ?? [];
  const [, , id = ''] = /\sid\s*=\s*(["'])([^"']*)\1/.exec(attributes) ?? [];
  const token = id.replace(/&(amp|lt|gt|quot|apos);/g, (_, name: string) => ENTITIES[name] ?? '').trim();
  return token === '' ? undefined : token;
}

/** Nothing of it is lost where it is no UTF-8. */
function whole(frame: Uint8Array): string {
  try {
    return UTF8.decode(frame);
  } catch {
    return `base64:${Buffer.from(frame).toString('base64')}`;
  }
}
