import { command, EXIT } from '../../program/command.ts';

export const search = command({
  name: 'search',
  arguments: ['NAME'],
  summary: 'look whether a name is free, and what it costs',
  options: {
    tlds: { type: 'string', value: 'TLDS', description: 'with commas between them; without it, popular ones' },
  },
  examples: ['namewright search my-name --tlds com,net', 'namewright search my-name.com'],
  run: async (session, [name = ''], { tlds }) => {
    const [label = '', ...rest] = name.split('.');
    const chosen = tlds?.split(',') ?? (rest.length > 0 ? [rest.join('.')] : undefined);
    const searching = session.client.searchDomains({ body: { query: label, ...(chosen && { tlds: chosen }) } });
    const found = await session.terminal.progress(`Searching ${name}`, searching);
    const { results, errors = [] } = found;
    const rows = [
      ...results.map(({ name: each, available, price }) => [
        each,
        available ? 'free' : 'unavailable',
        price ? `${price.registration} ${price.currency}` : '',
        price ? `${price.renewal} ${price.currency}` : '',
      ]),
      ...errors.map(({ name: each, message }) => [each, `unknown: ${message}`, '', '']),
    ];
    session.showTable(found, ['NAME', 'AVAILABLE', 'FIRST YEAR', 'RENEWAL'], rows, 'No names.');
    return errors.length > 0 && results.length === 0 ? EXIT.failed : EXIT.done;
  },
});

export const quote = command({
  name: 'quote',
  arguments: ['NAME…'],
  summary: 'show what registrations cost',
  options: { years: { type: 'string', value: 'YEARS', description: '1 to 10 (1)' } },
  examples: ['namewright quote my-name.com my-name.net --years 2'],
  run: async (session, names, { years = '1' }) => {
    const items = names.map((name) => ({ name, years: Number(years) }));
    const answer = await session.client.quoteDomains({ body: { domains: items } });
    const rows = answer.quotes.map(({ name, years: each, available, price }) => [
      name,
      String(each),
      available ? 'free' : 'unavailable',
      price && 'total' in price ? `${price.total} ${price.currency}` : '',
    ]);
    const total = ['total', '', '', `${answer.total.amount} ${answer.total.currency}`];
    session.showTable(answer, ['NAME', 'YEARS', 'AVAILABLE', 'PRICE'], [...rows, total], '');
  },
});
