import type { PriceQuote } from '../../../application/ports/registry/registry-port';
import type { TldPolicy } from '../../../domain/registration/tld-policy';

export interface EppTld extends TldPolicy {
  /** What the operator says that names cost, where the registry does not say it itself. */
  readonly price?: PriceQuote;
}
