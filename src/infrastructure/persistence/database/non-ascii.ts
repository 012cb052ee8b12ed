/**
 * Whether a text has other characters than ASCII: its UTF-8 is longer than its characters are many, which MySQL counts by another
 * function, and SQLite skips as a comment.
 */
export function hasNonAscii(column: string): string {
  return `OCTET_LENGTH(${column}) <> /*! CHAR_LENGTH(${column}) + 0 * */ LENGTH(${column})`;
}
