import { token } from '../inject';
import type { AddressType, ResolverAnswer } from '../../../domain/dns/alias/alias-chain';

export type ResolverResponse =
  | ({ readonly kind: 'answered' } & ResolverAnswer)
  /** The resolver did not respond, or cannot answer. */
  | { readonly kind: 'failed'; readonly reason: string };

/** The recursive resolver that follows the targets of ALIAS records. Limits the rate of its queries: a call may wait. */
export interface AliasResolver {
  /** Without a resolver, ALIAS records cannot be added, and present ones keep their addresses. */
  readonly isConfigured: boolean;
  /** Never throws. @param name in lower case without the trailing dot */
  query(name: string, type: AddressType): Promise<ResolverResponse>;
  /** Whether a zone may have the address: it is public, or the operator allows its network. */
  isPublishable(address: string): boolean;
}
export const AliasResolver = token<AliasResolver>('AliasResolver');
