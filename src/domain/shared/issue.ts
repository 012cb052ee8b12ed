/** What is wrong with one part of an input: of a body, a form, the settings or the registries file. */
export interface Issue {
  /** As the sender wrote it: `address.country`, `domains[2].years`, `DATABASE_URL`; empty for the whole input. */
  readonly path: string;
  /** The end of a sentence that begins with the path, as in "must be a string". Never the value, which may be a secret. */
  readonly message: string;
}
