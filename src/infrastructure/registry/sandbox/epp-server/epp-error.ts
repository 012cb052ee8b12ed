import type { XmlElement } from '../../epp/codec/xml-element';

/** A failure result (RFC 5730 section 3). */
export class EppError extends Error {
  override readonly name = 'EppError';

  constructor(
    readonly code: EppErrorCode,
    /** The reason, for the client. */
    readonly reason?: string,
    /** The element of the command that caused it. */
    readonly value?: XmlElement,
  ) {
    super(`${code} ${reason ?? ''}`);
  }
}

/** The messages of RFC 5730. */
export const RESULT_MESSAGES = {
  1000: 'Command completed successfully',
  1001: 'Command completed successfully; action pending',
  1300: 'Command completed successfully; no messages',
  1301: 'Command completed successfully; ack to dequeue',
  1500: 'Command completed successfully; ending session',
  2000: 'Unknown command',
  2001: 'Command syntax error',
  2002: 'Command use error',
  2003: 'Required parameter missing',
  2004: 'Parameter value range error',
  2005: 'Parameter value syntax error',
  2100: 'Unimplemented protocol version',
  2101: 'Unimplemented command',
  2102: 'Unimplemented option',
  2103: 'Unimplemented extension',
  2106: 'Object is not eligible for transfer',
  2200: 'Authentication error',
  2201: 'Authorization error',
  2202: 'Invalid authorization information',
  2300: 'Object pending transfer',
  2301: 'Object not pending transfer',
  2302: 'Object exists',
  2303: 'Object does not exist',
  2304: 'Object status prohibits operation',
  2305: 'Object association prohibits operation',
  2306: 'Parameter value policy error',
  2307: 'Unimplemented object service',
  2308: 'Data management policy violation',
  2400: 'Command failed',
  2500: 'Command failed; server closing connection',
  2501: 'Authentication error; server closing connection',
  2502: 'Session limit exceeded; server closing connection',
} as const;

type ResultCode = keyof typeof RESULT_MESSAGES;
export type SuccessCode = 1000 | 1001 | 1300 | 1301 | 1500;
export type EppErrorCode = Exclude<ResultCode, SuccessCode>;
