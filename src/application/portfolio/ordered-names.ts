import { MAX_BULK_REGISTRATIONS, MAX_BULK_TRANSFERS, type BulkOrder } from '../../domain/portfolio/bulk-job';
import { assertRegistrant, type Registrant } from '../../domain/registration/registrant';
import { RegistrationTerm } from '../../domain/registration/registration-term';
import { DomainName } from '../../domain/shared/domain-name';
import { validateAll, ValidationError } from '../../domain/shared/validation-error';

const MOST = { registrations: MAX_BULK_REGISTRATIONS, transfers: MAX_BULK_TRANSFERS };

/**
 * The names of the orders of one job, each once.
 * @param member of the request that has the orders
 * @param assertMore what else an order must be
 * @throws ValidationError with the index of each invalid order
 */
export function orderedNames<O extends BulkOrder>(
  member: keyof typeof MOST,
  orders: readonly O[],
  registrant: Registrant,
  assertMore: (order: O, name: DomainName, path: string) => void = () => undefined,
): readonly string[] {
  if (orders.length < 1 || orders.length > MOST[member])
    throw ValidationError.of(member, `must be 1 to ${MOST[member]} ${member}`);
  const [, ...names] = validateAll<[void, ...string[]]>(
    () => assertRegistrant(registrant, 'contacts.registrant'),
    ...orders.map((order, index) => () => {
      const path = `${member}[${index}]`;
      const name = DomainName.parse(order.name, `${path}.name`);
      assertMore(order, name, path);
      if (order.years !== undefined) RegistrationTerm.ofYears(order.years, `${path}.years`);
      return name.value;
    }),
  );
  const repeated = names.findIndex((name, index) => names.indexOf(name) < index);
  if (repeated !== -1) throw ValidationError.of(`${member}[${repeated}].name`, 'is in the list twice');
  return names;
}
