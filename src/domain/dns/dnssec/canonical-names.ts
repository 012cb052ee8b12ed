import { ROOT } from '../records/record-name';

/** Sorts before every character that a label may have. */
const SEPARATOR = '!';

/**
 * The labels of a relative name from the right, as text that sorts in canonical order (RFC 4034, section 6.1). The apex is ''.
 * Names below another one have its key and the separator as a prefix.
 */
export function canonicalKey(name: string): string {
  return name === ROOT ? '' : name.split('.').toReversed().join(SEPARATOR);
}

/** The first and the last possible key, exclusive, of the names below `name`. */
export function keysBelow(name: string): readonly [string, string] {
  const key = canonicalKey(name);
  return key === '' ? ['', '\u007f'] : [`${key}${SEPARATOR}`, `${key}"`];
}

/** RFC 4034, section 3.1.3: the labels of an owner name without the root and a leading `*`. */
export function labelCount(fullName: string): number {
  const labels = fullName.split('.');
  return labels[0] === '*' ? labels.length - 1 : labels.length;
}

/** The names above a relative name, nearest first, the apex last. Empty for the apex. */
export function ancestorsOf(name: string): readonly string[] {
  if (name === ROOT) return [];
  const ancestors: string[] = [];
  for (let dot = name.indexOf('.'); dot !== -1; dot = name.indexOf('.', dot + 1)) ancestors.push(name.slice(dot + 1));
  return [...ancestors, ROOT];
}
