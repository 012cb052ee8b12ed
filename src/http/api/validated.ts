import { plainToInstance } from 'class-transformer';
import { validateSync, ValidateIf, type ValidationError as ClassValidatorError } from 'class-validator';
import { INSTANT_EXPECTATION, parseInstant } from '../../domain/shared/time/calendar';
import type { Issue } from '../../domain/shared/issue';
import { ValidationError } from '../../domain/shared/validation-error';
import type { ApiRequest } from './api-request';

const UNKNOWN = 'is not a known member';
/** Replaces messages of class-validator, by rule. */
const MESSAGES: ReadonlyMap<string, string> = new Map([
  ['whitelistValidation', UNKNOWN],
  ['nestedValidation', 'must be an object'],
  ['isNumber', 'must be a number'],
  ['isInt', 'must be an integer'],
  ['isBoolean', 'must be true or false'],
]);

const disguiseOf = (name: string) => `\0${name}`;
const UNMASKED: ReadonlyMap<string, string> = new Map(
  Object.getOwnPropertyNames(Object.prototype).map((name) => [disguiseOf(name), name]),
);

/** The key may be sent as a parameter to every route. */
const KEY_PARAMETER = 'token';
/** Of one object, and objects of a body; the largest requests have fewer. Validation takes up to 10 microseconds for each. */
const MAX_MEMBERS = 500;
const MAX_OBJECTS = 1_100;
/** Characters of an unknown parameter's name. */
const MAX_SHOWN = 100;

/** May be absent, but not null. */
export function Optional(): PropertyDecorator {
  return ValidateIf((_body, value) => value !== undefined);
}

/** May be absent, and null counts as absent. */
export function Nullable(): PropertyDecorator {
  return ValidateIf((_body, value) => value !== undefined && value !== null);
}

/** The body as an instance of `Shape`. @throws ValidationError with every invalid or unknown member */
export function validated<T extends object>(Shape: new () => T, body: unknown): T {
  const members = objectOf(body);
  const survey = new BodySurvey();
  survey.visit(members, '');
  const instance = plainToInstance(Shape, survey.isHarmless ? members : disguised(members));
  const errors = validateSync(instance, {
    whitelist: true,
    forbidNonWhitelisted: true,
    forbidUnknownValues: true,
    validationError: { target: false },
  });
  if (errors.length > 0) throw new ValidationError(errors.flatMap((error) => issuesOf(error, '')));
  return instance;
}

/** A query parameter. @throws ValidationError if it is repeated */
export function parameter({ query }: Pick<ApiRequest, 'query'>, name: string): string | undefined {
  const value = query[name];
  if (value === undefined || typeof value === 'string') return value;
  throw ValidationError.of(name, 'must be given once');
}

/** A query parameter that is true or false. @throws ValidationError */
export function switchParameter(request: Pick<ApiRequest, 'query'>, name: string): boolean | undefined {
  const text = parameter(request, name);
  if (text === undefined) return undefined;
  if (text !== 'true' && text !== 'false') throw ValidationError.of(name, 'must be true or false');
  return text === 'true';
}

/** The query parameters of a route. Others are refused, because a misspelled filter would return everything. */
export class KnownParameters {
  private readonly accepted: ReadonlySet<string>;

  constructor(private readonly names: readonly string[]) {
    this.accepted = new Set([...names, KEY_PARAMETER]);
  }

  /** @throws ValidationError */
  assert(query: Readonly<Record<string, unknown>>): void {
    for (const name in query) if (!this.accepted.has(name)) throw this.errorFor(query);
  }

  private errorFor(query: Readonly<Record<string, unknown>>): ValidationError {
    const unknown = Object.keys(query).filter((name) => !this.accepted.has(name));
    const message =
      this.names.length === 0
        ? 'is unknown: this route has no query parameters'
        : `is unknown: the query parameters of this route are ${this.names.join(', ')}`;
    return new ValidationError(unknown.map((name) => ({ path: name.slice(0, MAX_SHOWN), message })));
  }
}

/** For requests without parameters in the body, which may be absent or an empty object. @throws ValidationError */
export function assertNoMembers(body: unknown): void {
  if (body === undefined) return;
  const issues = Object.keys(objectOf(body)).map((path) => ({ path, message: UNKNOWN }));
  if (issues.length > 0) throw new ValidationError(issues);
}

function objectOf(body: unknown): object {
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    throw new ValidationError([{ path: '', message: 'The body must be a JSON object' }]);
  return body;
}

/** Reads a body once, before it is validated. `JsonBounds` limits the nesting. */
class BodySurvey {
  /** Whether no member has the name of a property of `Object.prototype`. */
  isHarmless = true;
  private objects = 0;

  /** @throws ValidationError if the body has too many objects, or an object too many members */
  visit(value: unknown, path: string): void {
    if (typeof value !== 'object' || value === null) return;
    const entries = Object.entries(value);
    if (!Array.isArray(value)) this.count(entries.length, path);
    for (const [member, inner] of entries) {
      this.isHarmless &&= !(member in Object.prototype);
      if (typeof inner === 'object' && inner !== null) this.visit(inner, pathOf(member, path));
    }
  }

  private count(members: number, path: string): void {
    this.objects += 1;
    if (members > MAX_MEMBERS)
      throw ValidationError.of(
        path,
        `${path === '' ? 'The body must' : 'must'} not have more than ${MAX_MEMBERS} members`,
      );
    if (this.objects > MAX_OBJECTS)
      throw ValidationError.of('', `The body must not have more than ${MAX_OBJECTS} objects`);
  }
}

/** class-transformer silently skips names of `Object.prototype`; renamed, they are reported as unknown members. */
function disguised(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(disguised);
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      name in Object.prototype ? disguiseOf(name) : name,
      disguised(inner),
    ]),
  );
}

/** Rules about the type of a value: without it, a limit says nothing. */
const TYPE_RULES: ReadonlySet<string> = new Set(['isArray', 'isInt', 'isNumber']);

/** One issue per field: those of nested fields precede, unless it is no list; the type of a value precedes other rules. */
function issuesOf({ property, value, constraints = {}, children = [] }: ClassValidatorError, parent: string): Issue[] {
  const path = pathOf(property, parent);
  const inner = children.flatMap((child) => issuesOf(child, path));
  if (inner.length > 0 && !('isArray' in constraints)) return inner;
  if (value === undefined) return [{ path, message: 'is required' }];
  const broken = Object.entries(constraints);
  const [rule, message] = broken.find(([name]) => TYPE_RULES.has(name)) ?? broken[0] ?? [];
  return rule === undefined || message === undefined ? [] : [{ path, message: messageOf(rule, message, property) }];
}

function pathOf(name: string, parent: string): string {
  const property = name === '' ? '""' : (UNMASKED.get(name) ?? name);
  if (parent === '') return property;
  return /^\d+$/.test(property) ? `${parent}[${property}]` : `${parent}.${property}`;
}

function messageOf(rule: string, message: string, property: string): string {
  const known = MESSAGES.get(rule);
  if (known !== undefined) return known;
  const entries = /^each value in \S+ must be an? (\w+)$/.exec(message)?.[1];
  if (entries !== undefined) return `must have ${entries}s only`;
  return message.startsWith(`${property} `) ? message.slice(property.length + 1) : message;
}

/** @throws ValidationError */
export function parseTime(path: string, text: string): Date {
  const time = parseInstant(text);
  if (!time) throw ValidationError.of(path, `must be ${INSTANT_EXPECTATION}`);
  return time;
}
