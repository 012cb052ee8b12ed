import type { ServerResponse } from 'node:http';
import { DomainQueries } from '../../../src/application/ports/registration/domain-repository';
import { UnitOfWork } from '../../../src/application/ports/storage/unit-of-work';
import { ChangeAutoRenewal } from '../../../src/application/registration/settings/change-auto-renewal';
import { OPERATOR } from '../../../src/domain/access/actor';
import { toAsciiName } from '../../../src/domain/shared/idna';
import { Operation } from '../../../src/domain/registration/operations/operation';
import { addDays } from '../../../src/domain/shared/time/calendar';
import { aDomain } from '../../support/data/a-domain';
import { onBothDatabases } from '../../support/databases/databases';
import { api, registered } from '../../support/service/service';
import { signIn } from '../../support/dashboard/dashboard-client';

const NOW = new Date();
const inMonth = (months: number, day: number) =>
  new Date(Date.UTC(NOW.getUTCFullYear(), NOW.getUTCMonth() + months, day));

const namesIn = (html: string) =>
  [...html.matchAll(/<a href="\/domains\/dom_\w+"><strong>([^<]+)</g)].map(([, name]) => name);
const statusIn = (html: string) => /role="status">([^<]*)</.exec(html)?.[1];
const firstLetters = (html: string) =>
  namesIn(html)
    .map((name) => name?.[0])
    .join('');

onBothDatabases('the domain list of the dashboard', (service) => {
  let serial = 0;

  /** Adds domains directly to the database, without a registry. */
  async function addDomains(accountId: string, domains: readonly Parameters<typeof aDomain>[0][]): Promise<void> {
    await service()
      .container.get(UnitOfWork)
      .run(async (stores) => {
        for (const overrides of domains) {
          serial += 1;
          await stores.domains.add(aDomain({ ...overrides, accountId, id: `dom_${String(serial).padStart(26, '0')}` }));
        }
      });
  }

  it('sorts by name and by expiry, in both directions', async () => {
    const accountId = await service().account();
    const dashboard = await signIn(service(), accountId);
    await addDomains(accountId, [
      { name: `b-${accountId}.com`.replace('_', '-'), expiresAt: addDays(NOW, 10) },
      { name: `c-${accountId}.com`.replace('_', '-'), expiresAt: addDays(NOW, 5) },
      { name: `a-${accountId}.com`.replace('_', '-'), expiresAt: addDays(NOW, 20) },
    ]);

    expect(firstLetters((await dashboard.get('/domains').expect(200)).text)).toBe('abc');
    expect(firstLetters((await dashboard.get('/domains?sort=-name')).text)).toBe('cba');
    expect(firstLetters((await dashboard.get('/domains?sort=expiry')).text)).toBe('cba');
    expect(firstLetters((await dashboard.get('/domains?sort=-expiry')).text)).toBe('abc');
    expect(firstLetters((await dashboard.get('/domains?sort=nonsense&after=nonsense&status=nonsense')).text)).toBe(
      'abc',
    );
  });

  it('shows each domain on exactly one page, in every order', async () => {
    const accountId = await service().account();
    const dashboard = await signIn(service(), accountId);
    const mark = accountId.slice(-8);
    await addDomains(
      accountId,
      Array.from({ length: 120 }, (_, index) => ({
        name: `n${String(index).padStart(3, '0')}-${mark}.com`,
        expiresAt: addDays(NOW, 100 + (index % 7)),
      })),
    );

    for (const sort of ['name', '-name', 'expiry', '-expiry', 'tags', 'nameservers', '-health', 'price']) {
      const seen: (string | undefined)[] = [];
      for (let path: string | undefined = `/domains?sort=${sort}`; path !== undefined;) {
        const { text }: { text: string } = await dashboard.get(path).expect(200);
        seen.push(...namesIn(text));
        path = /<a href="([^"]+)">Next page/.exec(text)?.[1]?.replaceAll('&amp;', '&');
      }
      expect({ sort, count: seen.length, different: new Set(seen).size }).toEqual({ sort, count: 120, different: 120 });
    }
  });

  it('announces the number of domains in a separate live region', async () => {
    const accountId = await service().account();
    const dashboard = await signIn(service(), accountId);
    const mark = accountId.slice(-8);
    expect(statusIn((await dashboard.get('/domains').expect(200)).text)).toBe('No domains');
    // Ids have no letter o, so that the mark does not match the search.
    await addDomains(
      accountId,
      Array.from({ length: 52 }, (_, index) => ({ name: `no${index}-${mark}.com` })),
    );

    const first = (await dashboard.get('/domains').expect(200)).text;
    const last = (
      await dashboard.get(/<a href="([^"]+)">Next page/.exec(first)?.[1]?.replaceAll('&amp;', '&') ?? '').expect(200)
    ).text;

    expect([first, last].map(statusIn)).toEqual(['1–50 of 52 domains', '51–52 of 52 domains']);
    expect(statusIn((await dashboard.get('/domains?q=no1-')).text)).toBe('1 domain');
    expect(statusIn((await dashboard.get('/domains?q=no1')).text)).toBe('11 domains');
    // The other region is for scripts, which count the selection.
    expect(first.match(/<[^>]*aria-live[^>]*>[^<]*</g)).toEqual([
      '<span class="selected-count" aria-live="polite" data-count-of="id"><',
    ]);
  });

  it('filters by part of a name and by status', async () => {
    const accountId = await service().account();
    const dashboard = await signIn(service(), accountId);
    const mark = accountId.slice(-8);
    await addDomains(accountId, [
      { name: `engine-${mark}.com` },
      { name: `other-${mark}.com`, status: 'redemption' },
      { name: `xn--bcher-kva-${mark}.com` },
    ]);

    expect(namesIn((await dashboard.get('/domains?q=ENGINE')).text)).toEqual([`engine-${mark}.com`]);
    expect(namesIn((await dashboard.get('/domains?status=redemption')).text)).toEqual([`other-${mark}.com`]);
    expect((await dashboard.get('/domains?q=nothing-like-this')).text).toContain('No domains found');
    expect((await dashboard.get(`/domains?q=${encodeURIComponent('"><script>alert(1)</script>')}`)).text).not.toContain(
      '<script>alert',
    );
  });

  it('filters page and CSV by digits and by part of an internationalized name, which is shown in Unicode', async () => {
    const accountId = await service().account();
    const dashboard = await signIn(service(), accountId);
    const mark = accountId.slice(-8);
    const [digits, idn] = [`shop-4242-${mark}.com`, toAsciiName(`bücher-${mark}.com`)!];
    await addDomains(accountId, [{ name: digits }, { name: idn }]);
    const exported = async (q: string) =>
      (await dashboard.get(`/domains.csv?q=${encodeURIComponent(q)}`).expect(200)).text
        .trim()
        .split('\r\n')
        .slice(1)
        .map((line) => line.split(',')[0]);

    for (const [q, name] of [
      ['4242', digits],
      ['BÜCHER', idn],
      ['ücher-', idn],
      ['xn--bch', idn],
    ] as const) {
      expect({ q, names: namesIn((await dashboard.get(`/domains?q=${encodeURIComponent(q)}`)).text) }).toEqual({
        q,
        names: [name === idn ? `bücher-${mark}.com` : name],
      });
      expect({ q, names: await exported(q) }).toEqual({ q, names: [name] });
    }
    const path = /<a href="(\/domains\/dom_\w+)"><strong>b/.exec((await dashboard.get('/domains')).text)?.[1] ?? '';
    const { text } = await dashboard.get(path).expect(200);
    expect(text).toMatch(new RegExp(`<title>bücher-${mark}\\.com · Namewright</title>`));
    expect(text).toMatch(new RegExp(`<h1>bücher-${mark}\\.com `));
    expect(text).toContain(idn);
  });

  it('does not show the domains of another account', async () => {
    const [mine, theirs] = [await service().account(), await service().account()];
    await addDomains(theirs, [{ name: `theirs-${theirs.slice(-8)}.com` }]);
    const dashboard = await signIn(service(), mine);

    expect((await dashboard.get('/domains')).text).toContain('No domains yet');
    expect((await dashboard.get('/domains.csv')).text.trim().split('\r\n')).toHaveLength(1);
    expect((await dashboard.get('/')).text).toContain('0 of 4 done');
  });

  it('exports all domains of the filter as CSV', async () => {
    const accountId = await service().account();
    const dashboard = await signIn(service(), accountId);
    const mark = accountId.slice(-8);
    await addDomains(
      accountId,
      Array.from({ length: 1_100 }, (_, index) => ({
        name: `csv${index}-${mark}.com`,
        nameservers: ['ns1.example.net', 'ns2.example.net'],
      })),
    );

    const { text, headers } = await dashboard.get('/domains.csv').expect(200);

    const [heading, first = '', ...others] = text.trim().split('\r\n');
    expect(headers['content-disposition']).toBe('attachment; filename="domains.csv"');
    expect(heading).toBe('name,status,expires_at,auto_renew,transfer_locked,nameservers,created_at,id,tags');
    expect(first).toMatch(
      /^csv0-\w+\.com,active,\d{4}-[^,]+Z,(true|false),(true|false),ns1\.example\.net ns2\.example\.net,\d{4}-[^,]+Z,dom_\w+,$/,
    );
    expect(others).toHaveLength(1_099);
    expect((await dashboard.get('/domains.csv?q=csv1099-')).text.trim().split('\r\n')).toHaveLength(2);
  });

  it('exports without a warning of Node about too many listeners of the response', async () => {
    const dashboard = await signIn(service(), await service().account());
    let [listeners, allowed] = [0, 0];
    service().server.prependOnceListener('request', (_req, res: ServerResponse) => {
      res.on('newListener', (event) => {
        if (event !== 'close') return;
        listeners = Math.max(listeners, res.listenerCount(event) + 1);
        allowed = res.getMaxListeners();
      });
    });

    await dashboard.get('/domains.csv').expect(200);

    expect(listeners).toBeGreaterThan(1);
    expect(listeners).toBeLessThanOrEqual(allowed);
  });

  it('shows on the overview the number of domains, the next expiries and what needs attention', async () => {
    const accountId = await service().account();
    const dashboard = await signIn(service(), accountId);
    const mark = accountId.slice(-8);
    await addDomains(accountId, [
      { name: `soon-${mark}.com`, expiresAt: addDays(NOW, 12), autoRenew: false },
      { name: `also-${mark}.com`, expiresAt: addDays(NOW, 13), autoRenew: false },
      { name: `renewed-${mark}.com`, expiresAt: addDays(NOW, 13), autoRenew: true },
      { name: `next-month-${mark}.com`, expiresAt: addDays(NOW, 40), autoRenew: true },
      { name: `later-${mark}.com`, expiresAt: addDays(NOW, 200), autoRenew: false },
      { name: `lost-${mark}.com`, status: 'redemption', expiresAt: addDays(NOW, -50) },
    ]);

    const { text } = await dashboard.get('/').expect(200);

    expect(text).toContain('<strong>6</strong> domains');
    expect(text).toContain('<strong>1</strong> in redemption');
    expect(text).toContain('Expiries in the next 12 months');
    expect(text).toMatch(
      new RegExp(
        `soon-${mark}\\.com</a> expires because auto-renewal is off\\. .*?Deadline: .*?, in 12 days.*?/renew"`,
      ),
    );
    expect(text).toMatch(
      new RegExp(`lost-${mark}\\.com</a> was deleted but is still reserved for you\\. .*?/restore">Restore`),
    );
    expect(text).not.toContain(`later-${mark}.com</a> expires`);
    expect(text).toMatch(/<h3>Expired or deleted<\/h3>.*<h3>Expire without renewal<\/h3>/);
    const [, all = ''] = /href="([^"]+)">Renew these 2 domains( for \$[\d.]+)?<\/a>/.exec(text) ?? [];
    const review = (await dashboard.get(all.replaceAll('&amp;', '&')).expect(200)).text;
    for (const name of ['soon', 'also']) expect(review).toContain(`${name}-${mark}.com`);
  });

  it('shows on the overview how many domains expire in each month and what they cost, with links to exactly those', async () => {
    const accountId = await service().account();
    const dashboard = await signIn(service(), accountId);
    const mark = accountId.slice(-8);
    await addDomains(accountId, [
      { name: `first-${mark}.com`, expiresAt: inMonth(3, 1), autoRenew: true },
      { name: `off-${mark}.com`, expiresAt: inMonth(3, 15), autoRenew: false },
      { name: `next-${mark}.com`, expiresAt: inMonth(4, 1), autoRenew: true },
      { name: `year-${mark}.com`, expiresAt: inMonth(12, 1), autoRenew: true },
    ]);

    const { text } = await dashboard.get('/').expect(200);
    const months = [...text.matchAll(/<a class="month heat-(\d)" href="([^"]+)">(.*?)<\/a>/g)];
    const [, heat, href = '', content] = months[0] ?? [];
    const list = (await dashboard.get(href.replaceAll('&amp;', '&')).expect(200)).text;

    expect(months).toHaveLength(2);
    expect(heat).toBe('4');
    expect(content).toMatch(/<strong>2<.*\$20\.88<.*1 not automatic</);
    const listed = [...list.matchAll(new RegExp(`(\\w+)-${mark}\\.com`, 'g'))].map(([, name]) => name);
    expect(new Set(listed)).toEqual(new Set(['first', 'off']));
  });

  it('shows a new account the first steps until they are done', async () => {
    const accountId = await service().account();
    const dashboard = await signIn(service(), accountId);

    const before = (await dashboard.get('/').expect(200)).text;
    await addDomains(accountId, [{ name: `first-${accountId.slice(-8)}.com` }]);
    const after = (await dashboard.get('/').expect(200)).text;

    expect(before).toContain('0 of 4 done');
    expect(after).toContain('1 of 4 done');
    expect(after).toMatch(/Done: <\/span><a href="\/add">Add your first name/);
  });

  it('shows on the overview failed renewals and operations with an unknown outcome', async () => {
    const accountId = await service().account();
    const dashboard = await signIn(service(), accountId);
    const mark = accountId.slice(-8);
    await addDomains(
      accountId,
      ['failed', 'renewed', 'uncertain', 'lost'].map((label) => ({
        name: `${label}-${mark}.com`,
        ...(label === 'lost' && { status: 'transferred_out' as const }),
      })),
    );
    const { items } = await service()
      .container.get<DomainQueries>(DomainQueries)
      .page(accountId, { order: 'name', descending: false }, 4);
    const [failed, lost, renewed, uncertain] = items;
    const intent = (domainId: string, id: string) => ({
      id,
      accountId,
      domainId,
      actor: OPERATOR,
      request: { kind: 'renew', years: 1, price: { minor: 1, currency: 'USD' } } as const,
    });
    await service()
      .container.get(UnitOfWork)
      .run(async ({ operations }) => {
        const [one, other] = [
          Operation.queue(intent(failed!.id, `op_f${mark}`), NOW),
          Operation.queue(intent(uncertain!.id, `op_d${mark}`), NOW),
        ];
        one.fail({ code: 'REGISTRY_REJECTED', message: 'the credit is used up' }, NOW);
        other.begin('worker-1', NOW, NOW);
        other.markOutcomeUnknown({ code: 'REGISTRY_UNAVAILABLE', message: 'no answer' }, 0, addDays(NOW, -1));
        other.begin('worker-1', NOW, NOW);
        other.markOutcomeUnknown({ code: 'REGISTRY_UNAVAILABLE', message: 'no answer' }, 0, addDays(NOW, 1)); // in the future, so that the worker leaves it alone
        const earlier = [failed!, renewed!, lost!].map(({ id }, index) =>
          Operation.queue(intent(id, `op_e${index}${mark}`), addDays(NOW, -1)),
        );
        for (const each of earlier) each.fail({ code: 'REGISTRY_REJECTED', message: 'an earlier attempt' }, NOW);
        const again = Operation.queue(intent(renewed!.id, `op_r${mark}`), NOW);
        again.begin('worker-1', NOW, NOW);
        again.succeed(NOW);
        for (const operation of [one, other, ...earlier, again]) await operations.add(operation);
      });

    const { text } = await dashboard.get('/').expect(200);

    expect(text).toMatch(
      new RegExp(
        `The renewal of <a [^>]+>failed-${mark}\\.com</a> failed on <time [^>]+>[^:]+</time>: the credit is used up`,
      ),
    );
    expect(text).not.toContain('an earlier attempt');
    expect(text).toMatch(
      new RegExp(
        `<a [^>]+>uncertain-${mark}\\.com</a>: The outcome of this operation has been unknown since <time [^>]+>[^<]+</time>\\. Contact the registry\\.`,
      ),
    );
  });

  it('shows the activity of the account, filtered by domain and by actor', async () => {
    const accountId = await service().account();
    const dashboard = await signIn(service(), accountId);
    const client = api(service(), await service().key(accountId));
    const name = `listed-${accountId.slice(-8)}.com`;
    const domainId = await registered(client, name);
    await service()
      .container.get(ChangeAutoRenewal)
      .execute({ accountId, actor: OPERATOR, domainId, autoRenew: false });
    await client.put(`/api/domains/${domainId}/transfer-lock`, { transfer_locked: true }).expect(200);

    const all = (await dashboard.get('/activity').expect(200)).text;
    const one = (await dashboard.get(`/activity?domain=${name}`).expect(200)).text;
    const operator = (await dashboard.get('/activity?actor=operator').expect(200)).text;

    expect(all).toMatch(/The operator<\/strong> turned auto-renewal off for <a [^>]+>listed-/);
    expect(all).toMatch(/left the transfer lock of <a [^>]+>listed-[^<]+<\/a> as it was/);
    expect(all).toContain('API key “Test key”</strong> registered');
    expect(all).toContain('Entries are deleted after 36500 days.');
    expect(one).not.toContain('created the API key');
    expect(operator).not.toContain('</strong> registered');
    expect((await dashboard.get('/activity?domain=unknown.example')).text).toContain('No activity found');
    expect((await dashboard.get(`/activity?domain=${name.slice(2, -5)}`)).text).toContain(`>${name}</a>`);
    expect((await dashboard.get('/activity?to=2020-01-01')).text).toContain('No activity found');
    expect((await dashboard.get('/activity?from=soon')).text).toContain('ignores “from”');
    expect((await dashboard.get('/activity?from=2027-02-30')).text).toContain('ignores “from”');
    const [heading, ...lines] = (await dashboard.get(`/activity.csv?domain=${name}`).expect(200)).text
      .trim()
      .split('\r\n');
    expect(heading).toBe('at,action,domain,subject,by,actor,client_address,before,after,id');
    expect(lines.at(-1)).toMatch(
      new RegExp(`^[^,]+Z,domain\\.requested,${name},,API key “Test key”,key:[^,]+,[^,]*127\\.0\\.0\\.1,`),
    );
    await dashboard.get('/activity.csv?from=soon').expect(400);
  });

  it('filters the activity by action and by record type, and tells what changed', async () => {
    const accountId = await service().account();
    const dashboard = await signIn(service(), accountId);
    const client = api(service(), await service().key(accountId));
    const id = await registered(client, `recorded-${accountId.slice(-8)}.com`);
    const records = `/api/domains/${id}/dns/records`;
    const mx = { type: 'MX', name: '@', content: 'mx1.example.net', priority: 10 };
    await client.post(records, mx).expect(201);
    await client.post(records, { type: 'A', name: 'www', content: '192.0.2.1' }).expect(201);
    const rows = async (query: string) =>
      [
        ...(await dashboard.get(`/activity?${query}`).expect(200)).text.matchAll(
          /<li><p><strong>.*?<\/strong> (.*?) <a/g,
        ),
      ].map(([, sentence]) => sentence);

    expect(await rows('type=mx')).toEqual(['added MX @ 10 mx1.example.net to']);
    expect(await rows('action=records&type=A')).toEqual(['added A www 192.0.2.1 to']);
    expect(await rows('action=records.removed')).toEqual([]);
    expect(await rows('action=domain.registered')).toEqual(['registered']);
    const { text } = await dashboard.get('/activity?action=records.added&type=MX').expect(200);
    expect(text).toContain('<option value="records.added" selected>');
    expect(text).toContain('href="/activity.csv?action=records.added&amp;type=MX"');
    expect((await dashboard.get('/activity?action=nonsense')).text).toContain('ignores “action”');
    expect((await dashboard.get('/activity?type=ANY')).text).toContain('ignores “type”');
    expect((await dashboard.get('/activity.csv?type=MX').expect(200)).text.trim().split('\r\n')).toHaveLength(2);
  });

  it('filters the activity by a domain name in Unicode', async () => {
    const accountId = await service().account();
    const dashboard = await signIn(service(), accountId);
    const name = `bücher-${accountId.slice(-8)}.com`;
    await registered(api(service(), await service().key(accountId)), name);

    const activity = (
      await dashboard.get(`/activity?domain=${encodeURIComponent(`${name.toUpperCase()}.`)}`).expect(200)
    ).text;

    expect(activity).toContain('</strong> registered');
  });
});
