// A domain's life: search, quote, register, records, wait until they are published, renew, events.
// NAMEWRIGHT_URL=… NAMEWRIGHT_API_KEY=… node domain-life.js my-name com
import { connect, followEvents, hasCode } from 'namewright-client';
import { setTimeout as sleep } from 'node:timers/promises';

const [label = 'my-name', tld = 'com'] = process.argv.slice(2);
const { NAMEWRIGHT_URL: url = 'http://127.0.0.1:3000', NAMEWRIGHT_API_KEY: key = '' } = process.env;
const client = connect({ url, key });
const say = (text: string) => process.stdout.write(`${text}\n`);

const { results } = await client.searchDomains({ body: { query: label, tlds: [tld] } });
const [found] = results;
if (!found?.available) throw new Error(`${label}.${tld} is taken`);
say(`free: ${found.name}`);

const { total } = await client.quoteDomains({ body: { domains: [{ name: found.name, years: 1 }] } });
say(`price: ${total.amount} ${total.currency}`);

const registrant = {
  first_name: 'Ada',
  last_name: 'Lovelace',
  email: 'ada@example.com',
  phone: '+44.2079460000',
  address: { street: '12 St James Square', city: 'London', country: 'GB' },
};
const { id } = await client.registerDomain({ body: { name: found.name, years: 1, contacts: { registrant } } });
let domain = await client.readDomain({ path: { id } });
while (domain.status === 'pending') {
  await sleep(200);
  domain = await client.readDomain({ path: { id } });
}
say(`registered: ${domain.name}`);

// One change, or none: both records get the same version.
await client.editRecords({
  path: { id },
  query: { wait: 'published' },
  body: {
    create: [
      { type: 'A', name: '@', content: '192.0.2.1' },
      { type: 'MX', name: '@', content: 'mail.example.net', priority: 10 },
    ],
  },
});
const publication = await client.readPublication({ path: { id } });
say(`published: ${publication.published}`);

try {
  await client.addRecord({ path: { id }, body: { type: 'CNAME', name: '@', content: 'example.net' } });
} catch (error) {
  if (!hasCode(error, 'CNAME_AT_ROOT')) throw error;
  say(`refused: ${error.code}`);
}

// With the expiry that it is to extend, a repetition in another program cannot renew it twice.
const renewed = await client.renewDomain({ path: { id }, body: { years: 1, current_expiry: domain.expires_at } });
say(`renewed: ${renewed.renewal.years} year`);

for await (const { type } of followEvents(client, { domain: domain.name })) {
  say(`event: ${type}`);
  if (type === 'domain.renewed') break;
}
