import { ConnectionLost } from './session/connection-lost';

/** What came is no answer that anybody could read. */
export class UnreadableAnswer extends ConnectionLost {
  override readonly name = 'UnreadableAnswer';
  readonly #frame: Uint8Array;

  constructor(frame: Uint8Array, options: ErrorOptions) {
    super('the registry sent what cannot be read', options);
    this.#frame = frame;
  }

  /** As it came, or as much as came of it. For whoever knows what it answers: frames hold secrets, so logs do not see it. */
  frame(): Uint8Array {
    return this.#frame;
  }
}
