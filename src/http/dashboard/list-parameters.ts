import { parameter } from './form-fields';
import type { DashboardRequest } from './visitor';

/**
 * What to tell a person about parameters in the address that a list did not use; undefined if it used all.
 * @param used whether the list understood the value, by parameter; a parameter that is missing here is unknown
 */
export function unusedParameters(
  req: Pick<DashboardRequest, 'query'>,
  used: Readonly<Record<string, boolean>>,
): string | undefined {
  const unused = Object.keys(req.query).filter((name) =>
    Object.hasOwn(used, name) ? parameter(req, name) !== '' && used[name] === false : true,
  );
  if (unused.length === 0) return undefined;
  const names = unused.slice(0, 5).map((name) => `“${name.slice(0, 40)}”`);
  return `This list cannot use ${names.join(', ')} in the address, and is shown without. Use the fields above it and the links below it.`;
}
