import { setTimeout as sleep } from 'node:timers/promises';
import type { Domain } from '../../../../typescript/src/namewright.ts';
import { command } from '../../program/command.ts';
import type { Session } from '../../program/session.ts';
import { UsageError } from '../../program/usage-error.ts';
import { agreedTo, MAX_PRICE } from './max-price.ts';
import { REGISTRANT_OPTIONS, registrantOf } from './registrant.ts';

const POLL_INTERVAL_MS = 500;
/** A minute; some registries take days. */
const POLLS = 120;

export const register = command({
  name: 'register',
  arguments: ['NAME'],
  summary: 'register a domain',
  details: [
    'Shows the price and asks. A registrant is a JSON file such as contacts.registrant of `namewright domains NAME --json`.',
  ],
  options: {
    years: { type: 'string', value: 'YEARS', description: '1 to 10 (1)' },
    ...REGISTRANT_OPTIONS,
    nameservers: { type: 'string', value: 'HOSTS', description: 'with commas between them; else those of the service' },
    'no-auto-renew': { type: 'boolean', description: 'do not renew it automatically' },
    ...MAX_PRICE,
    yes: { type: 'boolean', description: 'do not ask' },
  },
  examples: ['namewright register my-name.com --registrant registrant.json --max-price 20 --yes'],
  run: async (session, [name = ''], values) => {
    const order = { name, years: Number(values.years ?? 1) };
    const registrant = await registrantOf(session, values);
    const price = await priceOf(session, order);
    const agreed = agreedTo(name, { amount: price.total, currency: price.currency }, values['max-price']);
    const period = `${order.years} ${order.years === 1 ? 'year' : 'years'}`;
    await session.confirm(`Register ${name} for ${period} at ${price.total} ${price.currency}?`, values.yes);
    const body = {
      ...order,
      contacts: { registrant },
      ...agreed,
      ...(values.nameservers !== undefined && { nameservers: values.nameservers.split(',') }),
      ...(values['no-auto-renew'] && { auto_renew: false }),
    };
    const { id } = await session.client.registerDomain({ body });
    const domain = await session.terminal.progress(`Registering ${name}`, untilRegistered(session, id));
    session.show(domain, () =>
      domain.status === 'pending'
        ? `The registry has not confirmed it yet. Check with \`namewright domains ${domain.name}\`.`
        : `Registered ${domain.name} until ${domain.expires_at.slice(0, 10)}.`,
    );
  },
});

async function priceOf(session: Session, order: { name: string; years: number }) {
  const { quotes } = await session.client.quoteDomains({ body: { domains: [order] } });
  const [quote] = quotes;
  if (quote?.available && quote.price && 'total' in quote.price) return quote.price;
  throw new UsageError(`${order.name} is not free. \`namewright search\` finds names that are`);
}

async function untilRegistered(session: Session, id: string): Promise<Domain> {
  for (let poll = 0; ; poll += 1) {
    const domain = await session.client.readDomain({ path: { id } });
    if (domain.status !== 'pending' || poll === POLLS) return domain;
    await sleep(POLL_INTERVAL_MS);
  }
}
