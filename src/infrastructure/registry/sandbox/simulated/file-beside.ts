/** Where the simulated registry keeps what it knows, beside the service's own SQLite file; `name` where it has one of its own. */
export function fileBeside(file: string, name?: string): string {
  return file.replace(/(\.db)?$/, name === undefined ? '-registry.db' : `-registry-${name}.db`);
}
