import { runCooperatively } from '../../../../application/shared/run-cooperatively';
import type {
  DesiredRecords,
  DesiredRegistration,
  DesiredSettings,
  DesiredState,
} from '../../../../domain/portfolio/desired-state';
import type { Issue } from '../../../../domain/shared/issue';
import { ofAmount, type Money } from '../../../../domain/shared/money';
import { ValidationError } from '../../../../domain/shared/validation-error';
import { STATE, type StateBody } from './state-description';

/** @throws ValidationError with the path of every wrong member */
export async function stateOf(body: unknown, accountId: string): Promise<DesiredState> {
  const issues: Issue[] = [];
  await runCooperatively(STATE.check(body, '', issues), accountId);
  if (issues.length > 0) throw new ValidationError(issues);
  const state = body as StateBody;
  return { records: recordsOf(state), settings: settingsOf(state), registration: registrationOf(state) };
}

function recordsOf({ managed_by: owner, records }: StateBody): DesiredRecords | undefined {
  if (owner?.trim() === '') throw ValidationError.of('managed_by', 'must not be empty');
  return (
    records && {
      owner: owner?.trim(),
      records: records.map(({ managed_by: managedBy, ...draft }) => ({ ...draft, managedBy })),
    }
  );
}

/** Undefined if the state has none. */
function settingsOf(state: StateBody): DesiredSettings | undefined {
  const { nameservers, registrant, transfer_locked: transferLocked, auto_renew: autoRenew, tags, dnssec } = state;
  const settings: DesiredSettings = {
    ...(nameservers && { nameservers }),
    ...(registrant && { contact: registrant.contact }),
    ...(transferLocked !== undefined && { transferLocked }),
    ...(autoRenew !== undefined && { autoRenew }),
    ...(tags && { tags }),
    ...(dnssec && { dnssec }),
  };
  return Object.keys(settings).length > 0 ? settings : undefined;
}

function registrationOf({ register, max_price: maxPrice, years }: StateBody): DesiredRegistration | undefined {
  if (register !== true) return undefined;
  if (!maxPrice) throw ValidationError.of('max_price', 'must be given with register');
  return { maxPrice: moneyOf(maxPrice), years };
}

function moneyOf({ amount, currency }: NonNullable<StateBody['max_price']>): Money {
  if (!/^[A-Z]{3}$/.test(currency))
    throw ValidationError.of('max_price.currency', 'must be an ISO 4217 code, such as USD');
  const price = ofAmount(amount, currency);
  if (!Number.isSafeInteger(price.minor))
    throw ValidationError.of('max_price.amount', `must be an amount of ${currency}, with no more decimals than it has`);
  return price;
}
