import Database from 'better-sqlite3';

const DAY_MS = 86_400_000;
const REGISTRANT = {
  first_name: 'Ada',
  last_name: 'Lovelace',
  email: 'ada@lovelace.example',
  phone: '+44.2079460000',
  organization: 'Analytical Engines Ltd',
  address: { street: '12 St James’s Square', city: 'London', postal_code: 'SW1Y 4JH', country: 'GB' },
};
const OTHER_REGISTRANT = {
  ...REGISTRANT,
  first_name: 'Charles',
  last_name: 'Babbage',
  email: 'charles@babbage.example',
  organization: 'Difference Engines',
};
/** Name, days until expiry, auto-renewal. */
const DOMAINS = [
  ['analytical-engines.com', 104, true],
  ['analytical-engines.net', 104, true],
  ['bernoulli.dev', 12, false],
  ['punchcard.io', 33, true],
  ['difference-engine.org', 47, true],
  ['lovelace.dev', 51, true],
  ['menabrea.info', 52, false],
  ['jacquard.app', 75, true],
  ['xn--bcherwurm-q9a.com', 78, true],
  ['countess.me', 80, true],
  ['babbage.co', 201, true],
  ['ockham-park.com', 240, true],
  ['sketch-of-the-engine.com', 280, true],
  ['somerville.org', 300, true],
  ['st-james-square.info', 330, true],
  ['weaving-algebra.com', 364, true],
];
const RECORDS = [
  { type: 'A', name: '@', content: '192.0.2.10' },
  { type: 'AAAA', name: '@', content: '2001:db8::10' },
  { type: 'CNAME', name: 'www', content: 'analytical-engines.com' },
  { type: 'MX', name: '@', content: 'mail.analytical-engines.com', priority: 10 },
  { type: 'MX', name: '@', content: 'backup.mail.example.net', priority: 20 },
  { type: 'A', name: 'mail', content: '192.0.2.25' },
  { type: 'TXT', name: '@', content: 'v=spf1 mx -all' },
  { type: 'TXT', name: '_dmarc', content: 'v=DMARC1; p=reject; rua=mailto:dmarc@analytical-engines.com', ttl: 86_400 },
  { type: 'NS', name: 'lab', content: 'ns1.lab.example.net' },
  { type: 'SRV', name: '_sip._tcp', content: 'sip.analytical-engines.com', priority: 10, weight: 60, port: 5060 },
  { type: 'CAA', name: '@', content: '0 issue "letsencrypt.org"' },
];

/** Fills a new service with the data of a small agency. Returns the pages to capture; pages without a session come last. */
export async function seed(service, dns) {
  const { url, key } = service;
  const call = async (method, path, body) => {
    const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' };
    const response = await fetch(`${url}/api${path}`, { method, headers, ...(body && { body: JSON.stringify(body) }) });
    if (!response.ok) throw new Error(`${method} ${path}: ${await response.text()}`);
    return response.json();
  };
  const ids = {};
  for (const [name] of DOMAINS)
    ids[name] = (
      await call('POST', '/domains', {
        name,
        contacts: { registrant: name === 'babbage.co' ? OTHER_REGISTRANT : REGISTRANT },
      })
    ).id;
  while ((await call('GET', '/domains?status=pending')).length > 0)
    await new Promise((resolve) => setTimeout(resolve, 100));
  for (const [name, , autoRenew] of DOMAINS)
    if (!autoRenew) await call('PUT', `/domains/${ids[name]}/autorenew`, { auto_renew: false });
  const first = ids['analytical-engines.com'];
  for (const record of RECORDS) await call('POST', `/domains/${first}/dns/records`, record);
  await call('PUT', `/domains/${ids['babbage.co']}/nameservers`, {
    nameservers: ['ns1.example.net', 'ns2.example.net'],
  });
  await call('POST', '/webhooks', {
    url: 'https://tickets.lovelace.example/names',
    description: 'Ticket system',
    types: ['domain.*', 'transfer.*'],
  });
  const webhook = await call('POST', '/webhooks', {
    url: 'https://hooks.analytical-engines.example/names',
    description: 'Rebuilds the status page',
    types: ['records.changed', 'zone.*'],
    domains: ['menabrea.info', 'punchcard.io'],
  });
  await call('POST', `/webhooks/${webhook.id}/test`);
  await call('PUT', `/domains/${ids['punchcard.io']}/transfer-lock`, { transfer_locked: false });
  await call('POST', `/domains/${first}/renew`, { years: 1 });
  service.email = ageData(service.database, ids);
  await call('POST', `/domains/${ids['menabrea.info']}/dns/records`, {
    type: 'CNAME',
    name: 'shop',
    content: 'analytical-engines.old-shop.example',
  });
  for (const [name] of DOMAINS) {
    const { serial } = await call('GET', `/domains/${ids[name]}/dns/status`);
    dns.serials.set(name, serial);
  }
  for (const [name] of DOMAINS.slice(0, -2)) await call('POST', `/domains/${ids[name]}/health`);
  return [
    { name: 'overview', path: '/' },
    { name: 'domains', path: '/domains' },
    { name: 'domains-none', path: '/domains?q=zzz' },
    {
      name: 'bulk',
      path: `/bulk/new?action=nameservers&id=${ids['punchcard.io']}&id=${ids['jacquard.app']}&id=${ids['countess.me']}`,
    },
    {
      name: 'bulk-job',
      path: `/bulk/new?action=tags&id=${ids['punchcard.io']}&id=${ids['jacquard.app']}`,
      prepare: async (page) => {
        await page.fill('[name=add]', 'looms');
        await page.click('main button.primary');
        await page.waitForURL(/bulk\/(?!new)/);
        await page.waitForSelector('text=2 done');
      },
    },
    { name: 'domain', path: `/domains/${first}` },
    { name: 'health', path: `/domains/${first}/health` },
    { name: 'health-problem', path: `/domains/${ids['menabrea.info']}/health` },
    { name: 'domain-auth-code', path: `/domains/${first}/auth-code` },
    { name: 'records', path: `/domains/${first}/records` },
    {
      name: 'records-add',
      path: `/domains/${first}/records`,
      prepare: async (page) => {
        await page.click('summary:text("Add a record")');
        await page.selectOption('#new-type', 'SRV');
      },
    },
    {
      name: 'records-edit',
      path: `/domains/${first}/records`,
      prepare: async (page) => {
        await page.click('tr:has-text("letsencrypt") a:has-text("Edit")');
        await page.waitForSelector('.editing');
      },
    },
    { name: 'history', path: `/domains/${first}/history` },
    { name: 'version', path: `/domains/${first}/history/4` },
    { name: 'roll-back', path: `/domains/${first}/history/4/roll-back` },
    { name: 'zone-file', path: `/domains/${first}/zone-file` },
    {
      name: 'zone-file-read',
      path: `/domains/${first}/zone-file`,
      prepare: (page) => page.selectOption('[name=source]', 'transfer'),
    },
    {
      name: 'import-plan',
      path: `/domains/${first}/zone-file`,
      prepare: async (page) => {
        await page.fill(
          '[name=text]',
          '$ORIGIN analytical-engines.com.\n$TTL 3600\n@ IN A 192.0.2.77\nwww IN CNAME @\n@ IN HINFO a b\n',
        );
        await page.click('main button.primary');
      },
    },
    {
      name: 'dnssec',
      path: `/domains/${first}/dnssec`,
      prepare: async (page) => {
        // The pages of an earlier width or color scheme have switched it on.
        const toggle = page.locator('main button[role=switch]');
        if ((await toggle.getAttribute('aria-checked')) === 'false') await toggle.click();
        await page.waitForSelector('main dl.details');
      },
    },
    { name: 'nameservers', path: `/domains/${first}/nameservers` },
    { name: 'switch', path: `/domains/${ids['babbage.co']}/switch` },
    { name: 'registrant', path: `/domains/${first}/registrant` },
    { name: 'renew', path: `/domains/${first}/renew?years=2` },
    { name: 'operations', path: `/domains/${first}/operations` },
    { name: 'search', path: '/register?q=note-g' },
    { name: 'order', path: '/register/order?name=note-g.com&name=note-g.net' },
    { name: 'register', path: '/register/details?name=note-g.com' },
    {
      name: 'review',
      path: '/register/details?name=note-g.com',
      prepare: async (page) => {
        await page.selectOption('[name=years]', '2');
        await page.click('main button.primary');
      },
    },
    { name: 'transfers', path: '/transfers' },
    { name: 'transfer', path: '/transfers/new' },
    { name: 'imports', path: '/imports' },
    { name: 'api-keys', path: '/api-keys' },
    { name: 'new-key-form', path: '/api-keys/new' },
    {
      name: 'new-key',
      path: '/api-keys/new',
      prepare: async (page) => {
        await page.check('[value=account]');
        await page.fill('[name=name]', 'Certificate renewal');
        await page.click('main details.collapsible summary');
        await page.check('[value=WRITE]');
        await page.click('main button[type=submit]');
      },
    },
    {
      name: 'new-program-key',
      path: '/api-keys/new',
      prepare: async (page) => {
        await page.fill('[name=name]', 'certbot on www');
        await page.fill('[name=domain]', 'analytical-engines.com');
        await page.click('main button[type=submit]');
      },
    },
    { name: 'webhooks', path: '/webhooks' },
    { name: 'new-webhook-form', path: '/webhooks/new' },
    { name: 'webhook', path: `/webhooks/${webhook.id}` },
    { name: 'revoke', path: '/api-keys', prepare: (page) => page.click('details.confirm summary') },
    { name: 'notifications', path: '/notifications?since=0' },
    { name: 'costs', path: '/costs' },
    { name: 'proposals', path: '/proposals' },
    { name: 'activity', path: '/activity', prepare: (page) => page.click('details.disclosure summary') },
    { name: 'team', path: '/team' },
    { name: 'settings', path: '/settings' },
    { name: 'second-factor', path: '/settings/second-factor' },
    { name: 'sandbox', path: '/sandbox' },
    { name: 'delete', path: `/domains/${ids['weaving-algebra.com']}/delete` },
    { name: 'not-found', path: '/nowhere' },
    { name: 'sign-in', path: '/sign-in', signedOut: true },
  ];
}

/** Writes data that would take months to arise, such as old keys. Returns the e-mail of the signed-in user. */
function ageData(file, ids) {
  const database = new Database(file);
  const now = Date.now();
  const run = (sql, ...values) => database.prepare(sql).run(...values);
  for (const [name, days] of DOMAINS)
    run('UPDATE domains SET expires_at = ? WHERE id = ?', now + days * DAY_MS, ids[name]);
  run('DELETE FROM domain_counts');
  run(
    `INSERT INTO domain_counts (account_id, status, expires_on, auto_renew, amount)
     SELECT account_id, status, expires_at / ${DAY_MS} * ${DAY_MS}, auto_renew, COUNT(*)
     FROM domains WHERE status <> 'gone' GROUP BY 1, 2, 3, 4`,
  );
  const { id: userId, account_id: accountId } = database.prepare('SELECT id, account_id FROM users').get();
  run("UPDATE accounts SET name = 'Analytical Engines Ltd'");
  run("UPDATE users SET email = 'ada@analytical-engines.com'");
  run(
    "INSERT INTO users (id, account_id, email, role, password_hash, created_at, updated_at) VALUES ('usr_charles', ?, 'charles@analytical-engines.com', 'member', NULL, ?, ?)",
    accountId,
    now,
    now,
  );
  run(
    "UPDATE api_keys SET name = 'Website deploys', created_at = ?, last_used_at = ?",
    now - 112 * DAY_MS,
    now - 240_000,
  );
  const key =
    'INSERT INTO api_keys (key_id, account_id, name, scope, secret_digest, created_at, revoked_at, expires_at, last_used_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)';
  run(
    key,
    'Kd3mXw_q81Lz',
    accountId,
    'Certificate renewal',
    'WRITE',
    '0',
    now - 31 * DAY_MS,
    null,
    now + 60 * DAY_MS,
    now - 9 * 3_600_000,
  );
  run(key, 'zP0a-nV7tYh2', accountId, 'Monitoring', 'READ', '0', now - 12 * DAY_MS, null, null, null);
  run(
    key,
    'b1Gm_C9dEx4s',
    accountId,
    'Old agency',
    'ADMIN',
    '0',
    now - 400 * DAY_MS,
    now - 90 * DAY_MS,
    null,
    now - 91 * DAY_MS,
  );
  const entries = database.prepare('SELECT id FROM audit_log ORDER BY happened_at DESC, id DESC').all();
  for (const [index, { id }] of entries.entries()) {
    run('UPDATE audit_log SET happened_at = ? WHERE id = ?', now - 300_000 - index ** 1.7 * 1_500_000, id);
    if (index % 3 === 0) run('UPDATE audit_log SET actor = ? WHERE id = ?', `user:${userId}`, id);
  }
  database.close();
  return 'ada@analytical-engines.com';
}
