/** A part of a mail; the text and the HTML are made of the same parts. */
export type MailPart =
  | string
  | { readonly facts: readonly (readonly [label: string, value: string])[] }
  | { readonly link: { readonly label: string; readonly url: string } };

export interface MailContent {
  readonly subject: string;
  readonly parts: readonly MailPart[];
}
