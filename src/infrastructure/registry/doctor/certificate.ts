import { connect } from 'node:tls';

export interface Certificate {
  /** `TLSv1.3`. */
  readonly protocol: string;
  readonly validTo: Date;
}

/** The certificate of a server that this machine trusts. @throws Error if it does not, or without a connection in time */
export function certificateOf({ hostname, port }: URL, timeoutMs: number): Promise<Certificate> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: hostname, servername: hostname, port: Number(port === '' ? 443 : port) });
    socket.setTimeout(timeoutMs, () => socket.destroy(new Error('the server does not respond')));
    socket.once('error', reject);
    socket.once('secureConnect', () => {
      const { valid_to: validTo } = socket.getPeerCertificate();
      resolve({ protocol: socket.getProtocol() ?? 'TLS', validTo: new Date(validTo) });
      socket.destroy();
    });
  });
}
