import { PublishDiscovery } from '../../../../../src/application/dns/domain-connect/publish-discovery';
import type { ZoneDiscovery } from '../../../../../src/application/ports/dns/templates-and-domain-connect';

const NAMESERVERS = ['ns1.example.net'];
const ZONES = Array.from({ length: 1_200 }, (_each, index): ZoneDiscovery => ({
  domainId: `dom_${String(index).padStart(4, '0')}`,
  accountId: 'acc_1',
  zoneName: `zone${index}.com`,
  connects: true,
  discovery: 'names.example.net',
  isServed: true,
  nameservers: NAMESERVERS,
  delegation: undefined,
}));

function publishing(url: string, page: () => void, publish: () => void): PublishDiscovery {
  return new PublishDiscovery(
    {
      find: async (id) => ZONES.find(({ domainId }) => domainId === id),
      page: async (limit, { after }) => {
        page();
        return ZONES.filter(({ domainId }) => domainId > after).slice(0, limit);
      },
    },
    {
      run: async () => {
        publish();
        return undefined as never;
      },
    },
    { url },
    { defaultNameservers: NAMESERVERS },
  );
}

const nothing = (): void => undefined;

it('reads each page of zones in another iteration of the event loop', async () => {
  let iteration = 0;
  const read: number[] = [];
  const page = (): void => {
    read.push(iteration);
    setImmediate(() => (iteration += 1));
  };

  await publishing('https://names.example.net', page, nothing).execute();

  expect(read).toHaveLength(3);
  expect(new Set(read).size).toBe(3);
});

it('stops after the zone in progress when its process ends', async () => {
  const ending = new AbortController();
  let published = 0;
  const publish = (): void => {
    published += 1;
    ending.abort();
  };

  await publishing('https://other.example.net', nothing, publish).execute(ending.signal);

  expect(published).toBe(1);
});
