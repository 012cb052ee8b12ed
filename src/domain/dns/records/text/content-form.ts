/** The fields of a record that its content depends on. */
export interface ContentContext {
  readonly zoneName: string;
  /** Fully qualified. */
  readonly ownerName: string;
  readonly priority: number | null;
}

/** The content format of a record type. `canonical` arguments are results of `canonicalize`. */
export interface ContentForm {
  /** Returns the stored form, or undefined if the content is invalid. Idempotent. */
  canonicalize(content: string, context: ContentContext): string | undefined;
  /** Which part of invalid content is wrong, as a clause; undefined if it cannot be told. */
  problem?(content: string, context: ContentContext): string | undefined;
  /** Presentation format, RFC 1035, section 5.1: absolute names, quoted strings. */
  presentation(canonical: string): string;
  /** Presentation format that older nameservers and tools read, too, if it differs. */
  readonly portable?: (canonical: string) => string;
}
