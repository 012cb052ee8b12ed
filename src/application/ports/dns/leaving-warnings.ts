import { token } from '../inject';

/** Warnings before a domain leaves our nameservers, as sentences. Reads committed state. */
export interface LeavingWarnings {
  /** Of a change of the nameservers to `hosts`: resolvers would reject the answers, because the DS records stay. */
  ofNameservers(domainId: string, hosts: readonly string[]): Promise<readonly string[]>;
  /** Of a transfer to another registrar, which usually ends our DNS service, too. */
  ofTransfer(domainId: string): Promise<readonly string[]>;
  /** Of a domain that leaves with its records on our nameservers. */
  ofNameserversLeft(nameservers: readonly string[]): readonly string[];
}
export const LeavingWarnings = token<LeavingWarnings>('LeavingWarnings');
