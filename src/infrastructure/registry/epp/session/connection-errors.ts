/** No response will come. The registry may or may not have received the command. */
export class ConnectionLost extends Error {
  override readonly name: string = 'ConnectionLost';
}

/** The response cannot be parsed. */
export class UnreadableResponse extends ConnectionLost {
  override readonly name = 'UnreadableResponse';
  readonly #frame: Uint8Array;

  constructor(frame: Uint8Array, options: ErrorOptions) {
    super('the response cannot be parsed', options);
    this.#frame = frame;
  }

  /** The bytes as received. Private, because frames hold secrets and errors are logged. */
  frame(): Uint8Array {
    return this.#frame;
  }
}
