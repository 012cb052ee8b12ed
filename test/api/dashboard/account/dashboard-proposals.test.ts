import { MailRunner } from '../../../../src/application/notices/mail-runner';
import { MailReader } from '../../../../src/application/ports/notices/mails-and-notices';
import { SessionReader, UserReader } from '../../../../src/application/ports/access/users';
import { UnitOfWork } from '../../../../src/application/ports/storage/unit-of-work';
import { Clock } from '../../../../src/application/ports/system';
import { ProposedWrites } from '../../../../src/http/api/proposals/proposed-writes';
import { onBothDatabases } from '../../../support/databases/databases';
import { aUser, DashboardClient, PASSWORD, signIn } from '../../../support/dashboard/dashboard-client';
import { api, registered, type Api } from '../../../support/service/service';

const MAX_PAGE = 61_440;

onBothDatabases('proposals in the dashboard', (service) => {
  let accountId: string;
  let admin: Api;
  let agent: Api;
  let owner: DashboardClient;
  let serial = 0;

  const newDomain = async () => {
    const name = `dashboard-proposal-${(serial += 1)}.com`;
    return { name, id: await registered(admin, name) };
  };
  const stateOf = async (id: string) => (await admin.get(`/api/proposals/${id}`).expect(200)).body.state as string;
  const signInAs = async (role: 'manager' | 'dns-editor' | 'viewer', tags: readonly string[] = []) =>
    new DashboardClient(service()).signIn(await aUser(service(), accountId, role, undefined, tags));
  /** An owner who entered the password so long ago. */
  const signedInAgo = async (agoMs: number) => {
    const email = await aUser(service(), accountId);
    const dashboard = await new DashboardClient(service()).signIn(email);
    const { container } = service();
    const [user] = await container.get<UserReader>(UserReader).ofEmail(email);
    const [session] = await container.get<SessionReader>(SessionReader).ofUser(user?.id ?? '');
    const at = new Date(container.get<Clock>(Clock).now().getTime() - agoMs);
    await container.get(UnitOfWork).run(({ sessions }) => sessions.recordAuthentication(session?.digest ?? '', at));
    return dashboard;
  };
  const record = (id: string, name: string, by = agent) =>
    by.post(`/api/domains/${id}/dns/records`, { type: 'A', name, content: '192.0.2.1' });

  beforeAll(async () => {
    accountId = await service().account();
    admin = api(service(), await service().key(accountId));
    const limits = { propose: true };
    const { body } = await admin.post('/api/keys', { name: 'Agent', scope: 'WRITE', limits }).expect(201);
    agent = api(service(), body.key as string);
    owner = await signIn(service(), accountId);
  });

  it('are listed, undecided ones first and counted in the navigation, and shown in words', async () => {
    const { id, name } = await newDomain();
    expect((await owner.get('/proposals').expect(200)).text).not.toContain(' undecided</span>');
    const nameservers = { nameservers: ['ns1.example.net', 'ns2.example.net'] };
    const { body } = await agent
      .put(`/api/domains/${id}/nameservers`, nameservers)
      .set('Proposal-Reason', 'The new provider <has> the zone')
      .expect(202);

    const list = (await owner.get('/proposals').expect(200)).text;
    const page = (await owner.get(`/proposals/${body.id}`).expect(200)).text;

    expect(list).toContain(`<a href="/proposals/${body.id}">Change the nameservers of ${name}</a>`);
    expect(list).toContain('1<span class="visually-hidden"> undecided</span>');
    expect(page).toContain('The new provider &lt;has> the zone');
    expect(page).toContain('API key “Agent”');
    expect(page).toMatch(
      /<ins><span class="visually-hidden">after: <\/span>ns1\.example\.net\nns2\.example\.net<\/ins>/,
    );
    expect(page).toMatch(/<dt>Ends<\/dt>/);
  });

  it('show what those of a key cost together, against its limit on spend', async () => {
    const limits = { propose: true, spend: { per_day: 50 } };
    const { body: key } = await admin.post('/api/keys', { name: 'Buyer', scope: 'WRITE', limits }).expect(201);
    const buyer = api(service(), key.key as string);
    const { id } = await newDomain();
    const ids: string[] = [];
    for (const years of [1, 2, 1])
      ids.push((await buyer.post(`/api/domains/${id}/renew`, { years }).expect(202)).body.id as string);
    await buyer.post(`/api/domains/${id}/dns/records`, { type: 'A', name: 'w', content: '192.0.2.1' }).expect(202);
    await buyer.post(`/api/proposals/${ids[2]}/withdraw`).expect(200);

    const { body } = await admin.get(`/api/proposals/${ids[0]}`).expect(200);

    const amount = 31.32;
    expect(body.spend).toEqual({
      limits: { per_day: 50, currency: 'USD' },
      undecided: [{ amount, currency: 'USD' }],
    });
    const page = (await owner.get(`/proposals/${ids[0]}`).expect(200)).text;
    expect(page).toMatch(/50\.00 USD per day\. Its undecided proposals cost \$31\.32 together/);
    const other = (await record(id, 'unlimited').expect(202)).body.id as string;
    expect((await admin.get(`/api/proposals/${other}`).expect(200)).body).not.toHaveProperty('spend');
  });

  it('are accepted with a comment, and show the records and the outcome', async () => {
    const { id } = await newDomain();
    const { body } = await record(id, 'accepted').expect(202);
    const page = (await owner.get(`/proposals/${body.id}`).expect(200)).text;
    expect(page).toContain('added: </span>accepted 3600 A 192.0.2.1</ins>');

    await owner.post(`/proposals/${body.id}/accept`, { comment: 'Looks right' }).expect(303);

    const done = (await owner.get(`/proposals/${body.id}`).expect(200)).text;
    expect(done).toMatch(/Accepted and done\.[^]*Looks right[^]*What was done/);
    expect(done).not.toContain(`action="/proposals/${body.id}/accept"`);
    expect((await admin.get(`/api/domains/${id}/dns/records?name=accepted`)).body).toHaveLength(1);
    await owner.post(`/proposals/${body.id}/accept`).expect(303);
    await owner.get(`/proposals/${body.id}`).expect(/The proposal is not open/);
    expect((await admin.get(`/api/domains/${id}/dns/records?name=accepted`)).body).toHaveLength(1);
  });

  it('are rejected with a comment, which must not be too long, and then among the decided ones', async () => {
    const { id } = await newDomain();
    const { body } = await record(id, 'rejected').expect(202);
    await owner.get(`/proposals/${body.id}`).expect(200);

    const long = await owner.post(`/proposals/${body.id}/reject`, { comment: 'x'.repeat(501) }).expect(400);
    await owner.post(`/proposals/${body.id}/reject`, { comment: 'Not this week' }).expect(303);

    expect(long.text).toContain('Must be 1 to 500 characters');
    const [, decided] = (await owner.get('/proposals').expect(200)).text.split('id="decided"');
    expect(decided).toContain(body.id);
    await owner.get(`/proposals/${body.id}`).expect(/Not this week/);
    expect((await admin.get(`/api/domains/${id}/dns/records?name=rejected`)).body).toEqual([]);
  });

  it('are withdrawn by the person who proposed them, who cannot accept them', async () => {
    const { id } = await newDomain();
    const email = await aUser(service(), accountId, 'manager');
    const [user] = await service().container.get<UserReader>(UserReader).ofEmail(email);
    const actor = { kind: 'user', id: user?.id ?? '' } as const;
    const write = { method: 'PUT', path: `/api/domains/${id}/tags`, body: { tags: ['x'] } };
    const writes = service().container.get(ProposedWrites);
    const proposal = await writes.propose({ accountId, actor, scope: 'WRITE' }, write, 'For the list');
    const proposer = await new DashboardClient(service()).signIn(email);

    const { text } = await proposer.get(`/proposals/${proposal.id}`).expect(200);
    await proposer.post(`/proposals/${proposal.id}/accept`).expect(403);
    await proposer.get(`/proposals/${proposal.id}`).expect(200);
    await proposer.post(`/proposals/${proposal.id}/withdraw`).expect(303);

    expect([text.includes('/withdraw"'), text.includes('/accept"')]).toEqual([true, false]);
    expect(await stateOf(proposal.id)).toBe('withdrawn');
    expect((await admin.get(`/api/domains/${id}`)).body.tags).toEqual([]);
  });

  it('ring the bell and are mailed once: to who may accept them, and their end to who proposed', async () => {
    const { id } = await newDomain();
    const [proposer, decider] = ['bell-proposer@example.com', 'bell-decider@example.com'];
    const proposerId = await aUser(service(), accountId, 'dns-editor', proposer);
    await aUser(service(), accountId, 'dns-editor', decider);
    await aUser(service(), accountId, 'viewer', 'bell-viewer@example.com');
    const [user] = await service().container.get<UserReader>(UserReader).ofEmail(proposerId);
    const actor = { kind: 'user', id: user?.id ?? '' } as const;
    const body = { type: 'A', name: 'bell', content: '192.0.2.1' };
    const write = { method: 'POST', path: `/api/domains/${id}/dns/records`, body };
    const writes = service().container.get(ProposedWrites);
    const proposal = await writes.propose({ accountId, actor, scope: 'WRITE' }, write, 'For the bell');
    const mails = async () => {
      for (let runs = 0; runs < 2; runs += 1) await service().container.get(MailRunner).runDue();
      const all = await service().container.get<MailReader>(MailReader).ofAccount(accountId, 500);
      const sent = all.filter(({ data }) => data['proposal_id'] === proposal.id);
      return sent.map(({ address, kind }) => `${address} ${kind}`).filter((line) => line.startsWith('bell-'));
    };
    const bellOf = async (email: string) => {
      const { text } = await (await new DashboardClient(service()).signIn(email)).get('/notifications?since=0');
      return [...text.matchAll(/<a href="\/proposals\/(\w+)">([^<]+)<\/a>/g)]
        .filter(([, linked]) => linked === proposal.id)
        .map(([, , words]) => words);
    };

    expect(await mails()).toEqual([`${decider} proposal_waiting`]);
    expect([await bellOf(decider), await bellOf(proposer), await bellOf('bell-viewer@example.com')]).toEqual([
      ['A proposal waits for your decision'],
      [],
      [],
    ]);

    await admin.post(`/api/proposals/${proposal.id}/accept`).expect(200);

    expect((await mails()).toSorted()).toEqual([`${decider} proposal_waiting`, `${proposer} proposal_ended`]);
    expect(await bellOf(proposer)).toEqual(['Your proposal was accepted']);
  });

  it('show both plans when they are stale, and change nothing', async () => {
    const { id } = await newDomain();
    const { body: present } = await record(id, 'stale', admin).expect(201);
    const path = `/api/domains/${id}/dns/records/${present.id}`;
    const { body } = await agent.put(path, { content: '192.0.2.9' }).expect(202);
    await admin.put(path, { content: '192.0.2.2' }).expect(200);
    await owner.get(`/proposals/${body.id}`).expect(200);

    await owner.post(`/proposals/${body.id}/accept`).expect(303);

    const { text } = await owner.get(`/proposals/${body.id}`).expect(200);
    expect(text).toMatch(/As it was proposed[^]*stale 3600 A 192\.0\.2\.1</);
    expect(text).toMatch(/What it would do when it was accepted[^]*stale 3600 A 192\.0\.2\.2</);
    expect((await admin.get(path)).body.content).toBe('192.0.2.2');
  });

  it('need the password of a person whose sign-in is old where the write itself does', async () => {
    const { id } = await newDomain();
    const { body: deletion } = await agent.delete(`/api/domains/${id}`).expect(202);
    const { body: renewal } = await agent.post(`/api/domains/${id}/renew`, {}).expect(202);
    const returning = await signedInAgo(600_000);
    await returning.get('/proposals').expect(200);

    const asked = await returning.post(`/proposals/${deletion.id}/accept`).expect(403);
    await returning.post(`/proposals/${renewal.id}/accept`).expect(303);

    expect(asked.text).toContain('Confirm your password');
    expect([await stateOf(deletion.id), await stateOf(renewal.id)]).toEqual(['open', 'accepted']);
    await returning.get(`/proposals/${deletion.id}`).expect(200);
    await returning.post(`/proposals/${deletion.id}/accept`, { confirm_password: PASSWORD }).expect(303);
    expect(await stateOf(deletion.id)).toBe('accepted');
  });

  it('are accepted with the rights of the person, and not seen by people whose role is for some tags', async () => {
    const { id } = await newDomain();
    const { body: settings } = await agent.put(`/api/domains/${id}/tags`, { tags: ['x'] }).expect(202);
    const { body: records } = await record(id, 'rights').expect(202);
    const [editor, viewer] = [await signInAs('dns-editor'), await signInAs('viewer')];
    const limited = await signInAs('manager', ['blog']);
    const outsider = await signIn(service(), await service().account());

    await viewer.get(`/proposals/${records.id}`).expect(({ text }) => expect(text).not.toContain('>Accept<'));
    await viewer.post(`/proposals/${records.id}/accept`).expect(403);
    await editor.get(`/proposals/${settings.id}`).expect(200);
    await editor.post(`/proposals/${settings.id}/accept`).expect(403);
    await editor.post(`/proposals/${settings.id}/reject`).expect(403);
    expect((await limited.get('/').expect(200)).text).not.toContain('href="/proposals"');
    await limited.get(`/proposals/${records.id}`).expect(403);
    await outsider.get(`/proposals/${records.id}`).expect(404);
    await outsider.post(`/proposals/${records.id}/accept`).expect(404);

    expect([await stateOf(settings.id), await stateOf(records.id)]).toEqual(['open', 'open']);
    await editor.post(`/proposals/${records.id}/accept`).expect(303);
    expect(await stateOf(records.id)).toBe('accepted');
  });

  it('show an issued auth code once', async () => {
    const { id } = await newDomain();
    await admin.put(`/api/domains/${id}/transfer-lock`, { transfer_locked: false }).expect(200);
    const { body } = await agent.post(`/api/domains/${id}/auth-code`).expect(202);
    const recent = await signIn(service(), accountId);
    await recent.get(`/proposals/${body.id}`).expect(200);

    const { text } = await recent.post(`/proposals/${body.id}/accept`).expect(200);

    expect(text).toMatch(/id="auth-code"[^>]*>[^<]{6,}</);
    expect((await recent.get(`/proposals/${body.id}`)).text).not.toContain('id="auth-code"');
  });

  it('have pages of at most 60 KiB, whatever they would change', async () => {
    const { id } = await newDomain();
    const lines = Array.from({ length: 1_000 }, (_, index) => `many-${index} 300 IN TXT "${'y'.repeat(255)}"\n`);
    const { body } = await agent
      .put(`/api/domains/${id}/dns/zonefile?mode=add`, lines.join(''))
      .set('Content-Type', 'text/dns')
      .expect(202);

    const { text } = await owner.get(`/proposals/${body.id}`).expect(200);

    expect(Buffer.byteLength(text)).toBeLessThan(MAX_PAGE);
    await owner.get('/proposals').expect(({ text: list }) => expect(list).toContain(`/proposals/${body.id}"`));
    expect(text).toContain('1000 added, 0 changed, 0 removed.');
    expect(text).toMatch(/And \d+ more\. The API shows all: <code>GET \/api\/proposals\/prop_\w+<\/code>/);
  });
});
