import { childOf, childrenOf, type XmlElement } from '../../../epp/codec/xml-element';
import { EppError } from '../epp-error';

/** The statuses in `<add>` or `<rem>`. @throws EppError for one that a client must not set */
export function clientStatuses(body: XmlElement, part: 'add' | 'rem', settable: readonly string[]): readonly string[] {
  const statuses = childrenOf(childOf(body, body.namespace, part), body.namespace, 'status').map(
    ({ attributes }) => attributes.get('s') ?? '',
  );
  for (const status of statuses)
    if (!settable.includes(status)) throw new EppError(2306, `${status.slice(0, 32)} is not a client's to set`);
  return statuses;
}

/** @throws EppError for adding a present status or removing an absent one */
export function changedStatuses(
  present: readonly string[],
  added: readonly string[],
  removed: readonly string[],
): readonly string[] {
  for (const status of added) if (present.includes(status)) throw new EppError(2306, `${status} is set already`);
  for (const status of removed) if (!present.includes(status)) throw new EppError(2306, `${status} is not set`);
  return [...present.filter((status) => !removed.includes(status)), ...added];
}

/** @throws EppError if a status prohibits changes and is not being removed */
export function assertUpdatable(present: readonly string[], removed: readonly string[]): void {
  assertNotProhibited(
    present.filter((status) => !removed.includes(status)),
    'clientUpdateProhibited',
  );
}

/** @throws EppError */
export function assertNotProhibited(present: readonly string[], prohibition: string): void {
  if (present.includes(prohibition)) throw new EppError(2304, prohibition);
}
