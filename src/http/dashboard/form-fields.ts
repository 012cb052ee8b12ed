import type { DashboardRequest } from './dashboard-route';
import { TOKEN_FIELD } from './middleware/form-tokens';

/** The first value of a form field; '' if the form has no such field. */
export function readField({ body }: Pick<DashboardRequest, 'body'>, name: string): string {
  return getFirstString(body?.[name]);
}

/** All values of a form field that can be repeated. */
export function readFields({ body }: Pick<DashboardRequest, 'body'>, name: string): string[] {
  const value = body?.[name];
  return (Array.isArray(value) ? value : [value]).filter((each): each is string => typeof each === 'string');
}

/** All form fields except the CSRF token, in the order sent. */
export function listFormFields(
  req: Pick<DashboardRequest, 'body'>,
): readonly (readonly [name: string, value: string])[] {
  return Object.keys(req.body ?? {}).flatMap((name) =>
    name === TOKEN_FIELD ? [] : readFields(req, name).map((value) => [name, value] as const),
  );
}

/** The trimmed value of a form field; undefined if that is empty. */
export function readOptionalField(req: Pick<DashboardRequest, 'body'>, name: string): string | undefined {
  const value = readField(req, name).trim();
  return value === '' ? undefined : value;
}

/** The first value of a query parameter; '' if the URL has no such parameter. */
export function readParameter({ query }: Pick<DashboardRequest, 'query'>, name: string): string {
  return getFirstString(query[name]);
}

function getFirstString(value: unknown): string {
  const first: unknown = Array.isArray(value) ? value[0] : value;
  return typeof first === 'string' ? first : '';
}

export function splitTags(text: string): readonly string[] {
  return text
    .split(',')
    .map((tag) => tag.trim())
    .filter((tag) => tag !== '');
}
