import { token } from '../../ports/inject';

/** How service providers find this service; undefined: Domain Connect is off. */
export interface ConnectSettings {
  /** The URL of the service without a slash at its end. */
  readonly url: string | undefined;
}
export const ConnectSettings = token<ConnectSettings>('ConnectSettings');

/** What zones tell service providers: host and, if it is not the usual one, port. */
export function discoveryText({ url }: ConnectSettings): string | undefined {
  return url === undefined ? undefined : new URL(url).host;
}
