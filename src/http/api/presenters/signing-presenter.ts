import type { DelegationSigner } from '../../../domain/dns/delegation-signer';

/** A DS record (RFC 4034 section 5.1). */
export function shownSigner({ keyTag, algorithm, digestType, digest }: DelegationSigner): object {
  return { key_tag: keyTag, algorithm, digest_type: digestType, digest };
}
