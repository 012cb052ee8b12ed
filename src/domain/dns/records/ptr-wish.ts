import { ValidationError } from '../../shared/validation-error';
import { isReverseName } from '../zone-names/reverse-tree';
import { isWildcard } from './record-name';
import { isAddress, type RecordType } from './types/record-types';

/** In `managedBy` of a PTR record that the service keeps. Who changes the record takes it over. */
export const PTR_KEEPER = 'ptr';

interface Addressed {
  readonly type: RecordType;
  readonly name: string;
}

/**
 * Whether the service is to keep a PTR record for the address of a record. A record that becomes one without an address, or a wildcard,
 * loses it. @throws ValidationError if it is `asked` of such a record
 */
export function parsePtr(
  { asked, stored = false }: { readonly asked: boolean | undefined; readonly stored?: boolean | undefined },
  record: Addressed,
  zoneName: string,
): { readonly ptr?: true } {
  const problem = ptrProblem(record, zoneName);
  if (asked === true && problem !== undefined) throw ValidationError.of('ptr', problem);
  return (asked ?? stored) && problem === undefined ? { ptr: true } : {};
}

function ptrProblem(record: Addressed, zoneName: string): string | undefined {
  if (!isAddress(record)) return 'is for A and AAAA records';
  if (isWildcard(record.name)) return 'is not possible at a wildcard name';
  return isReverseName(zoneName) ? 'is not possible in a reverse zone' : undefined;
}
