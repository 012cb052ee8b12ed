import { command } from '../../program/command.ts';
import type { Session } from '../../program/session.ts';
import { agreedTo, MAX_PRICE, type AgreedPrice } from './max-price.ts';

export const renew = command({
  name: 'renew',
  arguments: ['NAME'],
  summary: 'renew a domain',
  details: ['Shows the price and asks. It costs at most that, also if the registry raises its price meanwhile.'],
  options: {
    years: { type: 'string', value: 'YEARS', description: '1 to 10 (1)' },
    ...MAX_PRICE,
    yes: { type: 'boolean', description: 'do not ask' },
  },
  examples: ['namewright renew my-name.com --max-price 20 --yes'],
  run: async (session, [name = ''], { years: text, 'max-price': most, yes }) => {
    const years = Number(text ?? 1);
    const { id, expires_at: expiry } = await session.client.readDomainByName({ path: { name } });
    const price = await priceOf(session, { name, years });
    const agreed = agreedTo(name, price, most);
    const period = `${years} more ${years === 1 ? 'year' : 'years'}`;
    const cost = price ? ` at ${price.amount} ${price.currency}` : '';
    await session.confirm(`${name} is paid until ${expiry.slice(0, 10)}. Renew it for ${period}${cost}?`, yes);
    // A repetition that quotes the same expiry cannot renew it twice.
    const renewing = session.client.renewDomain({ path: { id }, body: { years, current_expiry: expiry, ...agreed } });
    const renewed = await session.terminal.progress(`Renewing ${name}`, renewing);
    session.show(renewed, () => {
      const { price: paid, currency } = renewed.renewal;
      return `Renewed ${renewed.name} until ${renewed.expires_at.slice(0, 10)} for ${paid} ${currency}.`;
    });
  },
});

/** Nothing if it cannot be renewed now: the order says why. */
async function priceOf(
  session: Session,
  order: { readonly name: string; readonly years: number },
): Promise<AgreedPrice | undefined> {
  const { quotes } = await session.client.quoteDomains({ body: { domains: [{ ...order, renewal: true }] } });
  const price = quotes[0]?.price;
  return price?.renewal === undefined ? undefined : { amount: price.renewal, currency: price.currency };
}
