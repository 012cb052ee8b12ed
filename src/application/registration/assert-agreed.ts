import { isSame, type Money } from '../../domain/shared/money';
import { RegistryRejected } from '../ports/registry/registry-errors';

/** Nobody pays another price than the one that was shown, where one was. @throws RegistryRejected */
export function assertAgreed(agreed: Money | undefined, price: Money): void {
  if (agreed && !isSame(agreed, price))
    throw new RegistryRejected('price_changed', 'The price has changed since it was shown');
}
