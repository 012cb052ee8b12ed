import { serialOf } from './zone-serial';

/** Seconds, RFC 1035, section 3.3.13, and RFC 2308, section 4. */
interface SoaTimers {
  readonly refresh: number;
  readonly retry: number;
  readonly expire: number;
  readonly negative: number;
}

/** What stands in the SOA of every zone. */
export interface SharedAuthority {
  /** Undefined: the first nameserver of the domain. */
  readonly primaryName: string | undefined;
  /** Mailbox in the form of a name; undefined: `hostmaster` at the domain. */
  readonly contact: string | undefined;
  readonly timers: SoaTimers;
}

/** Names are without their dot. */
export interface StartOfAuthority extends SoaTimers {
  readonly primaryName: string;
  readonly contact: string;
  readonly serial: number;
}

interface Zone {
  readonly zoneName: string;
  readonly version: number;
  readonly nameservers: readonly string[];
}

export function startOfAuthority(
  { zoneName, version, nameservers }: Zone,
  { primaryName, contact, timers }: SharedAuthority,
): StartOfAuthority {
  return {
    primaryName: primaryName ?? nameservers[0] ?? zoneName,
    contact: contact ?? `hostmaster.${zoneName}`,
    serial: serialOf(version),
    ...timers,
  };
}
