/** An answer that makes no sense: nothing follows from it, and nothing more can be said to whoever sent it. */
export class ProtocolError extends Error {
  override readonly name = 'ProtocolError';
}
