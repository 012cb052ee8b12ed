export type Transport = 'udp' | 'tcp';

/** Whose valid signature a connection has shown. */
export type KeyOwner = 'account' | 'secondary';

/** Sends the response to one request. */
export interface ResponseChannel {
  readonly transport: Transport;
  /** The client's IP address. */
  readonly address: string;
  /** Settles when the operating system has the message. Rejects with `ClientGone` if the client disconnected or is too slow. */
  send(message: Buffer): Promise<void>;
  /** Called after a request with a valid TSIG. */
  markAuthenticated(owner: KeyOwner): void;
  /** Ends the connection over TCP. */
  close(): void;
}

/** The client disconnected or did not read in time. */
export class ClientGone extends Error {}
