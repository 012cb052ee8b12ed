import { decodeGeneric, isGeneric } from '../records/types/rdata/generic-rdata';
import { OTHER_TYPES, typeDefinition, type RecordType, type WritableType } from '../records/types/record-types';
import { InvalidRecordData, type AbsoluteName, type DraftData } from '../records/types/type-definition';
import type { Word } from '../records/types/rdata/words';

/** Parses RDATA to the fields of a draft. @param types those that are read @throws InvalidRecordData */
export function draftContent(
  type: RecordType,
  data: readonly Word[],
  absolute: AbsoluteName,
  types: readonly WritableType[],
): DraftData {
  if (data.length === 0) throw new InvalidRecordData(`the ${type} record has no data`);
  const definition = typeDefinition(type);
  if (!isGeneric(data) || definition.takesGenericRdata) return definition.parse(data, absolute);
  if (!types.includes(OTHER_TYPES))
    throw new InvalidRecordData(`the generic RDATA format (RFC 3597) is not supported for ${type} records`);
  const decoded = decodeGeneric(data, definition);
  if (!decoded) throw new InvalidRecordData(`the data of a ${type} record is malformed`);
  return decoded;
}
