export interface HttpSettings {
  /** As Express takes it. */
  readonly trustProxy: boolean | number | readonly string[];
}
export const HttpSettings = Symbol('HttpSettings');
