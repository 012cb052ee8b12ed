/**
 * Appended to a table name: makes MySQL and MariaDB use a range of this index. They would only look up its first column, and a
 * page would cost as much as all rows before it. For SQLite, which plans well, it is a comment.
 */
export function forceIndex(index: string): string {
  return ` /*! FORCE INDEX (${index}) */`;
}
