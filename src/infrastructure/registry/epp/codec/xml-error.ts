/** Text that is no XML which EPP allows, or would be none. Says what is wrong, never what was written: frames hold secrets. */
export class XmlError extends Error {
  override readonly name = 'XmlError';
}
