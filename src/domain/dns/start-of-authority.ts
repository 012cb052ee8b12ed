import { serialOf } from './zone-serial';

/** Seconds, RFC 1035, section 3.3.13, and RFC 2308, section 4. */
interface SoaTimers {
  readonly refresh: number;
  readonly retry: number;
  readonly expire: number;
  readonly negative: number;
}

/** SOA settings of all zones. */
export interface SoaSettings {
  /** MNAME; default: the first nameserver of the domain. */
  readonly primaryName: string | undefined;
  /** RNAME, the mailbox as a domain name; default: `hostmaster` at the domain. */
  readonly contact: string | undefined;
  readonly timers: SoaTimers;
}

/** Names without trailing dot. */
export interface StartOfAuthority extends SoaTimers {
  readonly primaryName: string;
  readonly contact: string;
  readonly serial: number;
}

interface Zone {
  readonly zoneName: string;
  /** Without its wrap-around. */
  readonly serial: number;
  readonly nameservers: readonly string[];
}

export function startOfAuthority(
  { zoneName, serial, nameservers }: Zone,
  { primaryName, contact, timers }: SoaSettings,
): StartOfAuthority {
  return {
    primaryName: primaryName ?? nameservers[0] ?? zoneName,
    contact: contact ?? `hostmaster.${zoneName}`,
    serial: serialOf(serial),
    ...timers,
  };
}
