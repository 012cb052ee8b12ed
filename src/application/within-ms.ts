import { RegistryUnavailable } from './ports/registry/registry-errors';

/** What a registry is asked for, if it comes in time; what comes later is nobody's. @throws RegistryUnavailable when the time is over first */
export async function withinMs<T>(milliseconds: number, work: Promise<T>): Promise<T> {
  const late: { timer?: NodeJS.Timeout } = {};
  const tooLate = new Promise<never>((_resolve, reject) => {
    late.timer = setTimeout(() => reject(new RegistryUnavailable('The registry did not answer in time')), milliseconds);
  });
  try {
    return await Promise.race([work, tooLate]);
  } finally {
    clearTimeout(late.timer);
    work.catch(() => undefined);
  }
}
