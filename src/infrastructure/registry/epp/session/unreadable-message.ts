import type { RegistryMessage } from '../../../../application/ports/registry/registry-port';

const UTF8 = new TextDecoder('utf-8', { fatal: true });
/** Prefix of a placeholder id. A message with one cannot be acknowledged. */
const PLACEHOLDER = 'unreadable:';
const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/**
 * A message from a frame that cannot be parsed. Uses the id in the frame only if it has result code 1301, since
 * acknowledging another id would lose an unread message. Otherwise one placeholder id per day limits stored copies.
 */
export function unreadableMessage(frame: Uint8Array, at: Date): RegistryMessage {
  const id = findMessageId(Buffer.from(frame).toString()) ?? `${PLACEHOLDER}${at.toISOString().slice(0, 10)}`;
  return { id, at, kind: 'other', text: 'A message that cannot be parsed', unreadable: toText(frame) };
}

export function hasPlaceholderId(messageId: string): boolean {
  return messageId.startsWith(PLACEHOLDER);
}

function findMessageId(text: string): string | undefined {
  if (!/<(?:[\w.-]+:)?result\s[^<>]*code\s*=\s*["']1301["']/.test(text)) return undefined;
  const [, attributes = ''] = /<(?:[\w.-]+:)?msgQ(\s[^<>]*)>/.exec(text) ?? [];
  const [, , id = ''] = /\sid\s*=\s*(["'])([^"']*)\1/.exec(attributes) ?? [];
  const token = id.replace(/&(amp|lt|gt|quot|apos);/g, (_, name: string) => ENTITIES[name] ?? '').trim();
  return token === '' ? undefined : token;
}

/** Base64 if the frame is not UTF-8, so that nothing is lost. */
function toText(frame: Uint8Array): string {
  try {
    return UTF8.decode(frame);
  } catch {
    return `base64:${Buffer.from(frame).toString('base64')}`;
  }
}
