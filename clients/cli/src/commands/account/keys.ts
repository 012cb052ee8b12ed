import type { CreateKeyBody } from '../../../../typescript/src/namewright.ts';
import { command } from '../../program/command.ts';
import { UsageError } from '../../program/usage-error.ts';
import { collect } from '../../program/collect.ts';

const SCOPES = ['READ', 'WRITE', 'ADMIN'] as const;

export const keys = command({
  name: 'keys',
  summary: 'list the API keys',
  options: { all: { type: 'boolean', description: 'also those that are revoked or expired' } },
  examples: ['namewright keys'],
  run: async (session, _args, { all }) => {
    const query = { limit: 500, ...(!all && { active: true }) };
    const listed = await collect(session.client.listKeys.items({ query }));
    const rows = listed.map((key) => [
      key.key_id,
      key.name,
      key.type === 'tsig' ? 'TSIG' : key.scope,
      key.status,
      key.last_used_at ?? 'never',
    ]);
    session.showTable(listed, ['ID', 'NAME', 'SCOPE', 'STATUS', 'LAST USED'], rows, 'No keys.');
  },
});

export const createKey = command({
  name: 'keys create',
  arguments: ['NAME'],
  summary: 'create an API key and print it, once',
  details: ['A key cannot create one that may do more than itself.'],
  options: {
    scope: { type: 'string', value: 'SCOPE', description: 'READ, WRITE or ADMIN (READ; with --propose WRITE)' },
    domains: { type: 'string', value: 'NAMES', description: 'only these domains, with commas between them' },
    propose: { type: 'boolean', description: 'its writes are proposals, which someone else accepts' },
    expires: { type: 'string', value: 'TIME', description: 'until when, such as 2027-01-31T00:00:00Z' },
  },
  examples: [
    'namewright keys create monitoring --domains my-name.com',
    'namewright keys create agent --propose --domains my-name.com',
  ],
  run: async (session, [name = ''], { propose = false, scope = propose ? 'WRITE' : 'READ', domains, expires }) => {
    const chosen = SCOPES.find((each) => each === scope.toUpperCase());
    if (!chosen) throw new UsageError(`the scope is ${SCOPES.join(', ')}, not ${scope}`);
    const limits = { ...(domains !== undefined && { domains: domains.split(',') }), ...(propose && { propose }) };
    const body: CreateKeyBody = {
      name,
      scope: chosen,
      ...(expires !== undefined && { expires_at: expires }),
      ...(Object.keys(limits).length > 0 && { limits }),
    };
    const created = await session.client.createKey({ body });
    session.show(created, () => created.key);
  },
});

export const revokeKey = command({
  name: 'keys revoke',
  arguments: ['ID'],
  summary: 'end an API key at once',
  options: { yes: { type: 'boolean', description: 'do not ask' } },
  examples: ['namewright keys revoke "$KEY_ID" --yes'],
  run: async (session, [id = ''], { yes }) => {
    await session.confirm(`Programs that use the key ${id} will be refused. Revoke it?`, yes);
    const revoked = await session.client.revokeKey({ path: { id } });
    session.show(revoked, () => `Revoked ${id}.`);
  },
});
