import { TOKEN_FIELD } from './middleware/form-tokens';
import type { DashboardRequest } from './visitor';

/** What a form sent in one field: the first value, '' where there is none. */
export function field({ body }: Pick<DashboardRequest, 'body'>, name: string): string {
  return textOf(body?.[name]);
}

/** All values of a field that may be sent many times. */
export function fields({ body }: Pick<DashboardRequest, 'body'>, name: string): string[] {
  const value = body?.[name];
  return (Array.isArray(value) ? value : [value]).filter((each): each is string => typeof each === 'string');
}

/** All fields that a form sent but the token, in their order. */
export function formFields(req: Pick<DashboardRequest, 'body'>): readonly (readonly [name: string, value: string])[] {
  return Object.keys(req.body ?? {}).flatMap((name) =>
    name === TOKEN_FIELD ? [] : fields(req, name).map((value) => [name, value] as const),
  );
}

/** A field in which nothing and blanks mean that it was left out. */
export function optionalField(req: Pick<DashboardRequest, 'body'>, name: string): string | undefined {
  const value = field(req, name).trim();
  return value === '' ? undefined : value;
}

/** A parameter of the address: the first value, '' where there is none. */
export function parameter({ query }: Pick<DashboardRequest, 'query'>, name: string): string {
  return textOf(query[name]);
}

function textOf(value: unknown): string {
  const first: unknown = Array.isArray(value) ? value[0] : value;
  return typeof first === 'string' ? first : '';
}
