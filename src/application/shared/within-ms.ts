import { RegistryUnavailable } from '../ports/registry/registry-errors';

/** Waits for a registry's response; ignores a late one. @throws RegistryUnavailable after `milliseconds` */
export async function withinMs<T>(milliseconds: number, work: Promise<T>): Promise<T> {
  const timeout: { timer?: NodeJS.Timeout } = {};
  const timedOut = new Promise<never>((_resolve, reject) => {
    timeout.timer = setTimeout(
      () => reject(new RegistryUnavailable('The registry did not respond in time')),
      milliseconds,
    );
  });
  try {
    return await Promise.race([work, timedOut]);
  } finally {
    clearTimeout(timeout.timer);
    work.catch(() => undefined);
  }
}
