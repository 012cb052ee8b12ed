/** XML that EPP does not allow. The message never quotes the document, which may hold secrets. */
export class XmlError extends Error {
  override readonly name = 'XmlError';
}
