import type { TldPolicy } from '../../../domain/registration/tld-policy';
import type { PriceList } from '../price-list';

export interface EppTld extends TldPolicy {
  /** What the operator says that names cost, where the registry does not say it itself. */
  readonly price?: PriceList;
}
