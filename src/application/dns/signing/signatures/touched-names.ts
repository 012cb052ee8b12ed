import { ROOT } from '../../../../domain/dns/records/record-name';
import type { ZoneChange } from '../../../../domain/dns/zone-change';
import type { TouchedNames } from '../../../ports/dns/zone-repository';

/** What the signatures of a zone have to follow after changes of its records. */
export function touchedNames(changes: readonly ZoneChange[]): TouchedNames {
  const names = new Set<string>();
  const cuts = new Set<string>();
  const touch = ({ name, type }: { readonly name: string; readonly type: string }): void => {
    names.add(name);
    if ((type === 'NS' && name !== ROOT) || type === 'DNAME') cuts.add(name);
  };
  for (const { added, changed, removed } of changes) {
    for (const record of added) touch(record);
    for (const record of removed) touch(record);
    for (const { before, after } of changed) {
      touch(before);
      touch(after);
    }
  }
  return { names, cuts };
}
