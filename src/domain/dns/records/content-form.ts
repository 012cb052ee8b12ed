/** What a record's content is judged with. */
interface ContentContext {
  readonly zoneName: string;
  /** The owner's full name. */
  readonly ownerName: string;
  readonly priority: number | null;
}

/** One way to write content. All that takes `canonical` expects what `canonicalize` returned. */
export interface ContentForm {
  /** The one form in which the content is kept and answered, or undefined where it is not acceptable. A fixed point. */
  canonicalize(content: string, context: ContentContext): string | undefined;
  /** As in a zone file, RFC 1035, section 5.1: names absolute, strings quoted. */
  presentation(canonical: string): string;
  /** Octets on the wire, without compression of names. */
  wireLength(canonical: string): number;
}
