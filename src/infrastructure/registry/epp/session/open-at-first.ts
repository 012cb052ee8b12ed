import type { Log } from '../../../../application/ports/system';
import { isTransportFailure } from './epp-session';

/**
 * Opens a session at the first of `hosts` that can be reached, in their order. A refused login is not tried at the next: it
 * would count as another attempt. @throws as `open`, for the last host
 */
export async function openAtFirst<T>(
  [host, ...others]: readonly [string, ...string[]],
  open: (host: string) => Promise<T>,
  { registry, log }: { readonly registry: string; readonly log: Log },
): Promise<T> {
  try {
    return await open(host);
  } catch (error) {
    const [next, ...left] = others;
    if (next === undefined || !isTransportFailure(error)) throw error;
    log.warn({ registry, host, next, err: error }, 'EPP host cannot be reached: connecting to the next');
    return openAtFirst([next, ...left], open, { registry, log });
  }
}
