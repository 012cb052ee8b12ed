import { token } from '../../application/ports/inject';
import { ValidationError } from '../../domain/shared/validation-error';
import type { PathParameter } from './api-request';
import type { ApiRoutes, Route } from './route';

/** The routes, for what is not a request of a client itself. A function, because some controllers that are part of them need it. */
export const ApiRouteTable = token<() => ApiRoutes>('ApiRouteTable');

export interface FoundRoute {
  readonly route: Route;
  readonly params: Readonly<Record<PathParameter, string>>;
}

const ROOT = '/api';

/** The route of a method and a path from the root, as the router finds it: of two, the one with fewer parameters. */
export function findRoute(routes: ApiRoutes, method: string, pathname: string): FoundRoute | undefined {
  return routes
    .filter(([each]) => each === method.toLowerCase())
    .map((route) => ({ route, params: paramsOf(route[1], pathname.slice(ROOT.length)) }))
    .filter((each): each is FoundRoute => each.params !== undefined)
    .toSorted((one, other) => Object.keys(one.params).length - Object.keys(other.params).length)[0];
}

export function queryOf([, , , , options]: Route): readonly string[] {
  return options?.query ?? [];
}

/** @throws ValidationError */
export function parsePath(path: string): URL {
  const url = path.startsWith(`${ROOT}/`) ? URL.parse(path, 'http://localhost') : null;
  // As it is written, so that a reader sees what it is.
  if (!url || url.pathname !== /^[^?]*/.exec(path)?.[0])
    throw ValidationError.of('path', `must begin with ${ROOT}/, without . and ..`);
  return url;
}

/** The parameters of a path that a pattern such as `/domains/:id` matches. */
function paramsOf(pattern: string, path: string): Record<PathParameter, string> | undefined {
  const [expected, given] = [pattern.split('/'), path.split('/')];
  if (expected.length !== given.length) return undefined;
  const params: Record<string, string> = {};
  for (const [index, part] of expected.entries()) {
    const text = decoded(given[index] ?? '');
    if (text === undefined || text === '') {
      if (index > 0) return undefined;
    } else if (part.startsWith(':')) params[part.slice(1)] = text;
    else if (part !== given[index]) return undefined;
  }
  return params;
}

function decoded(part: string): string | undefined {
  try {
    return decodeURIComponent(part);
  } catch {
    return undefined;
  }
}
