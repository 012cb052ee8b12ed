/** One validation error of a request body, a form, the settings or the registries file. */
export interface Issue {
  /** The field: `address.country`, `domains[2].years`, `DATABASE_URL`; empty for the whole input. */
  readonly path: string;
  /** The end of a sentence that begins with the path, as in "must be a string". Never the value, which may be a secret. */
  readonly message: string;
}
