import type { Domain, ListDomainsQuery } from '../../../../typescript/src/namewright.ts';
import { collect } from '../../program/collect.ts';
import { command } from '../../program/command.ts';
import { printable } from '../../terminal/printable.ts';

export const domains = command({
  name: 'domains',
  arguments: ['[NAME]'],
  summary: 'list the domains, or show one',
  options: {
    search: { type: 'string', value: 'TEXT', description: 'only names with this part' },
    status: { type: 'string', value: 'STATUS', description: 'only of this status, such as active or expired' },
    tag: { type: 'string', value: 'TAG', description: 'only with this tag' },
    'expires-within': { type: 'string', value: 'DAYS', description: 'only those that expire within so many days' },
  },
  examples: ['namewright domains', 'namewright domains my-name.com', 'namewright domains --expires-within 400 --json'],
  run: async (session, [name], { search, status, tag, 'expires-within': days }) => {
    if (name !== undefined) {
      const domain = await session.client.readDomainByName({ path: { name } });
      session.show(domain, () => linesOf(domain));
      return;
    }
    // The service says which values it knows.
    const filters = { name: search, status: status?.split(','), tag, expires_within: days };
    const given = Object.entries({ limit: 500, ...filters }).filter(([, value]) => value !== undefined);
    const query = Object.fromEntries(given) as ListDomainsQuery;
    const listed = await collect(session.client.listDomains.items({ query }));
    const rows = listed.map((domain) => [
      domain.name,
      domain.status,
      domain.expires_at.slice(0, 10),
      domain.auto_renew ? 'yes' : 'no',
      domain.transfer_locked ? 'yes' : 'no',
      domain.tags.join(', '),
    ]);
    const headings = ['NAME', 'STATUS', 'EXPIRES', 'AUTO-RENEWAL', 'LOCKED', 'TAGS'];
    session.showTable(listed, headings, rows, 'No domains.');
  },
});

function linesOf(domain: Domain): string[] {
  return [
    `${domain.name}  ${domain.status}`,
    `Expires: ${domain.expires_at}, ${domain.auto_renew ? 'renewed automatically' : 'not renewed automatically'}`,
    `Transfer lock: ${domain.transfer_locked ? 'on' : 'off'}`,
    `Nameservers: ${domain.nameservers.map(printable).join(', ')}`,
    ...(domain.tags.length === 0 ? [] : [`Tags: ${domain.tags.map(printable).join(', ')}`]),
  ];
}
