/** The simulated registry's SQLite file, next to the service's. `name`: the registry's, if it is not the default. */
export function registryFileFor(file: string, name?: string): string {
  return file.replace(/(\.db)?$/, name === undefined ? '-registry.db' : `-registry-${name}.db`);
}
