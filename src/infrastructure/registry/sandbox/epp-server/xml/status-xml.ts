import { childOf, childrenOf, type XmlElement } from '../../../epp/codec/xml-element';
import { EppFailure } from '../epp-failure';

/** The statuses in the command's `<add>` or `<rem>`, all of which a client may set. @throws EppFailure */
export function clientStatuses(body: XmlElement, part: 'add' | 'rem', settable: readonly string[]): readonly string[] {
  const statuses = childrenOf(childOf(body, body.namespace, part), body.namespace, 'status').map(
    ({ attributes }) => attributes.get('s') ?? '',
  );
  for (const status of statuses)
    if (!settable.includes(status)) throw new EppFailure(2306, `${status.slice(0, 32)} is not a client's to set`);
  return statuses;
}

/** @throws EppFailure for one that is there already, or is not there */
export function changedStatuses(
  present: readonly string[],
  added: readonly string[],
  removed: readonly string[],
): readonly string[] {
  for (const status of added) if (present.includes(status)) throw new EppFailure(2306, `${status} is set already`);
  for (const status of removed) if (!present.includes(status)) throw new EppFailure(2306, `${status} is not set`);
  return [...present.filter((status) => !removed.includes(status)), ...added];
}

/** @throws EppFailure where a status forbids changes and is not being removed */
export function assertUpdatable(present: readonly string[], removed: readonly string[]): void {
  assertAllowed(
    present.filter((status) => !removed.includes(status)),
    'clientUpdateProhibited',
  );
}

/** @throws EppFailure */
export function assertAllowed(present: readonly string[], prohibition: string): void {
  if (present.includes(prohibition)) throw new EppFailure(2304, prohibition);
}
