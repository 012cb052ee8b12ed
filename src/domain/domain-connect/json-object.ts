import type { Issue } from '../shared/issue';

/** The members of a JSON object. Invalid ones add an issue with their path and count as empty. */
export class JsonObject {
  private constructor(
    private readonly path: string,
    private readonly members: Readonly<Record<string, unknown>>,
    private readonly issues: Issue[],
  ) {}

  static at(path: string, json: unknown, issues: Issue[]): JsonObject {
    const isObject = typeof json === 'object' && json !== null && !Array.isArray(json);
    if (!isObject) issues.push({ path, message: 'must be an object' });
    return new JsonObject(path, isObject ? { ...json } : {}, issues);
  }

  text(name: string, maxLength: number): string {
    const text = this.anyText(name, maxLength);
    if (text === '') this.report(name, 'is required');
    else this.reportMissing(name);
    return text ?? '';
  }

  /** Undefined if it is empty. */
  optionalText(name: string, maxLength: number): string | undefined {
    const text = this.anyText(name, maxLength);
    return text === '' ? undefined : text;
  }

  /** May be empty; undefined if it is absent. */
  anyText(name: string, maxLength: number): string | undefined {
    const value = this.member(name);
    if (value === undefined) return undefined;
    if (typeof value === 'string' && value.length <= maxLength) return value;
    this.report(name, `must be a string of at most ${maxLength} characters`);
    return undefined;
  }

  /** An integer or its digits, or a text that `accepts` accepts. Undefined if it is absent. */
  numberText(name: string, accepts: (text: string) => boolean, expectation: string): string | undefined {
    const value = this.member(name);
    if (value === undefined) return undefined;
    const text = typeof value === 'number' ? String(value) : value;
    if (typeof text === 'string' && (/^\d{1,10}$/.test(text) || accepts(text))) return text;
    this.report(name, `must be ${expectation}`);
    return undefined;
  }

  optionalInteger(name: string): number | undefined {
    const value = this.member(name);
    if (value === undefined || (typeof value === 'number' && Number.isSafeInteger(value))) return value;
    this.report(name, 'must be an integer');
    return undefined;
  }

  flag(name: string): boolean {
    const value = this.member(name) ?? false;
    if (typeof value === 'boolean') return value;
    this.report(name, 'must be true or false');
    return false;
  }

  list(name: string): readonly unknown[] {
    const value = this.member(name);
    if (Array.isArray(value)) return value as readonly unknown[];
    this.report(name, 'must be an array');
    return [];
  }

  report(name: string, message: string): void {
    this.issues.push({ path: this.path === '' ? name : `${this.path}.${name}`, message });
  }

  /** For a member that is required and absent; one of the wrong type has its issue already. */
  reportMissing(name: string): void {
    if (this.member(name) === undefined) this.report(name, 'is required');
  }

  private member(name: string): unknown {
    return Object.hasOwn(this.members, name) ? this.members[name] : undefined;
  }
}

/** A property only if it has a value, for optional properties. */
export function present<Name extends string, Value>(
  name: Name,
  value: Value | undefined,
): { readonly [N in Name]?: Value } {
  return (value === undefined ? {} : { [name]: value }) as { readonly [N in Name]?: Value };
}
