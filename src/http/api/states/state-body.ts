import { MAX_COMMENT, MAX_MANAGED_BY } from '../../../domain/dns/records/record-notes';
import { choice, flag, integer, number, list, nullable, object, optional, text, type ValueOf } from '../shape';
import { runCooperatively } from '../../../application/shared/run-cooperatively';
import type {
  DesiredRecords,
  DesiredRegistration,
  DesiredSettings,
  DesiredState,
} from '../../../domain/portfolio/desired-state';
import type { Issue } from '../../../domain/shared/issue';
import { ofAmount, type Money } from '../../../domain/shared/money';
import { ValidationError } from '../../../domain/shared/validation-error';

/** The most records of a state in JSON or YAML. */
export const MAX_STATE_RECORDS = 10_000;

const NUMBER = { minimum: 0, maximum: 65_535 };

const RECORD = object(
  {
    type: text({ description: 'The record type, such as A or MX.' }),
    name: text({ description: 'The owner name, relative to the zone or complete; @ is the zone itself.' }),
    content: text({ description: 'The data of the record, as in POST …/dns/records.' }),
    ttl: optional(integer({ description: 'In seconds. Default: 3600.' })),
    priority: nullable(integer({ ...NUMBER, description: 'Of MX, SRV and the like.' })),
    weight: nullable(integer({ ...NUMBER, description: 'Of SRV.' })),
    port: nullable(integer({ ...NUMBER, description: 'Of SRV.' })),
    comment: nullable(text({ description: `At most ${MAX_COMMENT} characters. Absent: a comment stays.` })),
    managed_by: nullable(text({ description: 'The program that keeps the record. Absent: as it is.' })),
    ptr: optional(flag({ description: 'Whether the service keeps a PTR record for the address.' })),
  },
  { description: 'A record, as in the API.' },
);

/** The one description of a desired state: it validates bodies, and /state.schema.json is made of it. */
export const STATE = object(
  {
    managed_by: optional(
      text({
        description: `The program whose records are listed, at most ${MAX_MANAGED_BY} characters: all others stay. Absent: \`records\` are all of the zone.`,
      }),
    ),
    records: optional(
      list(RECORD, { description: 'The records of the zone. Absent: they stay.', most: MAX_STATE_RECORDS }),
    ),
    nameservers: optional(
      list(text({ description: 'A host name.' }), {
        description: 'The nameservers at the registry. Of registered names.',
        most: 13,
      }),
    ),
    registrant: optional(
      object(
        { contact: text({ description: 'The name or the id of a domain of the account: its registrant is taken.' }) },
        { description: 'A saved contact. Of registered names, and required to register one.' },
      ),
    ),
    transfer_locked: optional(flag({ description: 'The transfer lock. Of registered names.' })),
    auto_renew: optional(flag({ description: 'Automatic renewal. Of registered names.' })),
    tags: optional(list(text({ description: 'A tag.' }), { description: 'All tags of the name.', most: 200 })),
    dnssec: optional(
      object(
        {
          enabled: flag({ description: 'Whether the service signs the zone.' }),
          denial: optional(choice(['nsec', 'nsec3'], { description: 'Default: as it is, or nsec.' })),
        },
        { description: 'DNSSEC by the service.' },
      ),
    ),
    register: optional(
      flag({
        description: 'Whether to register the name if it is not registered here. Needs `max_price` and `registrant`.',
      }),
    ),
    max_price: optional(
      object(
        {
          amount: number({ description: 'For the whole term, such as 12.5.', minimum: 0 }),
          currency: text({ description: 'ISO 4217 code.' }),
        },
        { description: 'The most that a registration may cost: nothing is ordered above it.' },
      ),
    ),
    years: optional(integer({ description: 'The term of a registration. Default: 1.', minimum: 1, maximum: 10 })),
  },
  { description: 'What a name is to be like. What is absent stays as it is.' },
);

export type StateBody = ValueOf<typeof STATE>;

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
