import type { ContentForm } from '../text/content-form';
import type { ContentPart } from './content-parts';
import type { RdataReader } from './rdata/rdata-reader';
import type { Word } from './rdata/words';

export const RECORD_NUMBERS = ['priority', 'weight', 'port'] as const;

/** A number from 0 to 65535 that some types have in addition to the content. */
export type RecordNumber = (typeof RECORD_NUMBERS)[number];

/** RDATA as the fields of a validated record. */
export interface RdataValues extends Readonly<Record<RecordNumber, number | null>> {
  readonly content: string;
}

/** RDATA as the fields of a record that is not validated yet. */
export type DraftData = { readonly content: string } & { readonly [N in RecordNumber]?: number };

/** Everything that depends on a record's type, except the rules between records (zone-rules). */
export interface TypeDefinition {
  /** The mnemonic, or `TYPE` and a number (RFC 3597). */
  readonly name: string;
  /** IANA registry "Resource Record (RR) TYPEs". */
  readonly number: number;
  readonly content: ContentForm;
  /** Completes the message "… content must be". */
  readonly expectation: string;
  /** The parts of the content that are separate fields in forms. The content is one field if absent. */
  readonly parts?: readonly ContentPart[];
  /** The numbers of this type and their defaults. Other numbers are rejected. */
  readonly numbers: Readonly<Partial<Record<RecordNumber, 'required' | { readonly default: number }>>>;
  readonly allowedAtRoot: boolean;
  /** Returns an error message if this type does not allow the owner name. */
  readonly checkName?: (relative: string) => string | undefined;
  /** Whether nameservers and tools that are in use do not know its mnemonic: a zone file has its number and its octets (RFC 3597). */
  readonly isNewToOthers?: boolean;
  /** Whether the content may be in the format for unknown types (RFC 3597, section 5). */
  readonly takesGenericRdata?: boolean;
  /** Reads RDATA in presentation format. @param absolute the name of a word with trailing dot @throws InvalidRecordData */
  readonly parse: (words: readonly Word[], absolute: AbsoluteName) => DraftData;
  /** RDATA in wire format: names uncompressed and in lower case, which is also canonical (RFC 4034, section 6.2). */
  readonly encode: (values: RdataValues) => Buffer;
  /** Reads RDATA in wire format. Its content is checked by `content`. @throws RangeError */
  readonly decode: (reader: RdataReader) => DraftData;
}

export type AbsoluteName = (name: Word) => string;

/** The data does not have the format of its record type. The message is shown to the user. */
export class InvalidRecordData extends Error {}
