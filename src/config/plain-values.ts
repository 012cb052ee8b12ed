import { InvalidValue } from './invalid-value';

/** Reads a variable of the environment; `fallback` counts if it is absent, empty or invalid. */
export type ReadVariable = <T>(variable: string, fallback: string, parse: (text: string) => T) => T;

export function integer(min: number, max: number): (text: string) => number {
  return (text) => {
    const value = /^\d{1,9}$/.test(text) ? Number(text) : NaN;
    if (!(value >= min && value <= max)) throw new InvalidValue(`must be a whole number from ${min} to ${max}`);
    return value;
  };
}

export function oneOf<T extends string>(values: readonly T[]): (text: string) => T {
  return (text) => {
    const value = values.find((candidate) => candidate === text);
    if (value === undefined)
      throw new InvalidValue(`must be ${values.length === 1 ? '' : 'one of '}${values.join(', ')}`);
    return value;
  };
}

export function matching(pattern: RegExp, problem: string): (text: string) => string {
  return (text) => {
    if (!pattern.test(text)) throw new InvalidValue(problem);
    return text;
  };
}

export function optional<T>(parse: (text: string) => T): (text: string) => T | undefined {
  return (text) => (text === '' ? undefined : parse(text));
}

export function listOf(text: string): string[] {
  return text.split(',').map((entry) => entry.trim());
}
