import { isSame, type Money } from '../../domain/shared/money';
import { RegistryRejected } from '../ports/registry/registry-errors';

/** Accepts only the price that the user agreed to, if any. @throws RegistryRejected */
export function assertAgreedPrice(agreed: Money | undefined, price: Money): void {
  if (agreed && !isSame(agreed, price))
    throw new RegistryRejected('price_changed', 'The price has changed since it was shown');
}
