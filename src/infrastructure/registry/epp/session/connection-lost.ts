/** There is no answer, and there will be none. Whether what was sent has arrived nobody knows. */
export class ConnectionLost extends Error {
  override readonly name: string = 'ConnectionLost';
}
