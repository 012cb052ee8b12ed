import type { RecordDraft } from '../records/dns-record';

/** The sections of an UPDATE message (RFC 2136, section 2) for one zone. Owner names are relative to it; `@` is the apex. */
export interface UpdateMessage {
  readonly prerequisites: readonly Prerequisite[];
  readonly changes: readonly UpdateChange[];
  /** What is wrong with the record after the last one of a section: the rest of the message is not read. */
  readonly invalid?: {
    readonly section: 'prerequisites' | 'changes';
    readonly outcome: InvalidUpdate;
  };
}

/** Response codes of a malformed record, and of one outside the zone. */
export type InvalidUpdate = 'FORMERR' | 'NOTZONE';

/** RFC 2136, section 2.4. `type` is a mnemonic such as `TXT`, or `TYPE65` for a type without records here. */
export type Prerequisite =
  | { readonly kind: 'name_in_use' | 'name_not_in_use'; readonly name: string }
  | { readonly kind: 'set_exists' | 'set_absent'; readonly name: string; readonly type: string }
  /** `records` is one record of the set; the message has one such prerequisite for each. */
  | {
      readonly kind: 'set_equals';
      readonly name: string;
      readonly type: string;
      readonly record: RecordDraft | undefined;
    };

/** RFC 2136, section 2.5. A record is undefined if no zone can have its data. */
export type UpdateChange =
  | { readonly kind: 'add'; readonly name: string; readonly type: string; readonly record: RecordDraft | undefined }
  | {
      readonly kind: 'delete_record';
      readonly name: string;
      readonly type: string;
      readonly record: RecordDraft | undefined;
    }
  | { readonly kind: 'delete_set'; readonly name: string; readonly type: string }
  | { readonly kind: 'delete_name'; readonly name: string };

/** Response codes of a failed prerequisite. */
export type PrerequisiteFailure = 'YXDOMAIN' | 'YXRRSET' | 'NXDOMAIN' | 'NXRRSET';
