/** `path` with those parameters that say something. */
export function addressOf(path: string, parameters: Readonly<Record<string, string | undefined>>): string {
  const said = Object.entries(parameters).filter(
    (entry): entry is [string, string] => entry[1] !== undefined && entry[1] !== '',
  );
  return said.length === 0 ? path : `${path}?${new URLSearchParams(said).toString()}`;
}
