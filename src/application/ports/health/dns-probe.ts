import { token } from '../inject';
import type { ServerAnswer } from '../../../domain/health/judge-nameservers';
import type { Lookup, LookupType } from '../../../domain/health/lookup';

export interface LookupQuestion {
  /** In lower case without the trailing dot. */
  readonly name: string;
  readonly type: LookupType;
  /** Asks for the answer even if it is not valid (the CD bit, RFC 4035 section 3.2.2). */
  readonly withoutValidation?: boolean;
}

/**
 * Asks the configured resolvers and nameservers for the checks of domains, nothing else. Each call is bounded in time, in octets
 * and in the number of records, and never throws. At most some calls run at a time; others wait.
 */
export interface DnsProbe {
  /** Asks the resolvers, the next one if one does not respond. */
  resolve(question: LookupQuestion): Promise<Lookup>;
  /** Asks the nameserver at an address for the SOA record of a zone, without recursion. Only for addresses that `mayAsk`. */
  querySoa(
    zoneName: string,
    address: string,
  ): Promise<Extract<ServerAnswer, { kind: 'serves' | 'lame' | 'unreachable' | 'unknown' }>>;
  /** Whether an address is public, or in a network that the operator allows. */
  mayAsk(address: string): boolean;
}
export const DnsProbe = token<DnsProbe>('DnsProbe');
