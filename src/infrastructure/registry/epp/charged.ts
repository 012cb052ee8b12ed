import type { ChargedDomain, RegistryDomain } from '../../../application/ports/registry/registry-port';
import type { Money } from '../../../domain/shared/money';

/** The domain with what the response said was charged, where it said so. */
export function charged(domain: RegistryDomain, fee: Money | undefined): ChargedDomain {
  return fee ? { ...domain, charged: fee } : domain;
}
