import type { DashboardRequest } from './dashboard-route';
import { readParameter } from './form-fields';

/**
 * A warning about query parameters that a list ignored; undefined if it used all of them.
 * @param used whether the list could use the value, by parameter; a parameter that is missing here is unknown
 */
export function describeUnusedParameters(
  req: Pick<DashboardRequest, 'query'>,
  used: Readonly<Record<string, boolean>>,
): string | undefined {
  const unused = Object.keys(req.query).filter((name) =>
    Object.hasOwn(used, name) ? readParameter(req, name) !== '' && used[name] === false : true,
  );
  if (unused.length === 0) return undefined;
  const names = unused.slice(0, 5).map((name) => `“${name.slice(0, 40)}”`);
  return `This list ignores ${names.join(', ')} in the URL: the parameter or its value is unknown. Use the filter and the page links instead.`;
}
