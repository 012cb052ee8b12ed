/**
 * After a table's name: has MySQL and MariaDB read by that index, whose range they would give up for a look-up of its first
 * column: then a page costs as much as all rows before it. To SQLite, which plans well, it is a comment.
 */
export function forceIndex(index: string): string {
  return ` /*! FORCE INDEX (${index}) */`;
}
