import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { startSandboxRegistry, type SandboxRegistry } from '../../../support/epp/sandbox-registry';
import { signIn, type DashboardClient } from '../../../support/dashboard/dashboard-client';
import { api, REGISTRANT as API_REGISTRANT, startService, type TestService } from '../../../support/service/service';

const REGISTRANT = {
  first_name: 'Ada',
  last_name: 'Lovelace',
  email: 'ada@example.com',
  phone: '+44.2071234567',
  'address.street': '12 St James Square',
  'address.city': 'London',
  'address.postal_code': 'SW1Y 4JH',
  'address.country': 'GB',
};

const order = (name: string, language: string) => ({
  name,
  years: '1',
  auto_renew: 'on',
  nameservers: '',
  idn_language: language,
  ...REGISTRANT,
});

const bulkOrder = (idn_language: string) => ({
  action: 'registration',
  contacts: { registrant: API_REGISTRANT },
  registrations: [{ name: 'plain-in-bulk.com' }, { name: 'zürich.com', idn_language }],
});

describe('an order of an internationalized name at a registry that asks for its language', () => {
  const folder = mkdtempSync(join(tmpdir(), 'namewright-idn-order-'));
  let registry: SandboxRegistry;
  let service: TestService;
  let dashboard: DashboardClient;
  const received: string[] = [];

  beforeAll(async () => {
    registry = await startSandboxRegistry({
      personality: 'verisign',
      watch: (_direction, document) => void received.push(document),
    });
    const { host, port, certificate, registrars } = registry;
    const REGISTRIES_FILE = join(folder, 'registries.yaml');
    writeFileSync(join(folder, 'password'), registrars.first.password);
    writeFileSync(join(folder, 'ca.pem'), certificate.certificate);
    const settings = {
      host,
      port,
      client_id: registrars.first.id,
      password: { file: 'password' },
      ca: { file: 'ca.pem' },
      profile: 'verisign',
      options: { idn_languages: { Latin: ['GER', 'FRE'] } },
    };
    const prices = { com: { registration: '10.44', renewal: '10.44', restore: '80.00' } };
    writeFileSync(
      REGISTRIES_FILE,
      stringify({ registries: { verisign: { adapter: 'epp', tlds: ['com'], prices, settings } } }),
    );
    service = await startService({ REGISTRIES_FILE });
    dashboard = await signIn(service, await service.account());
  });
  afterAll(async () => {
    await service.stop();
    await registry.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  const created = (name: string) =>
    received.find((document) => document.includes('<domain:create') && document.includes(name));

  it('offers the languages of its script, shows the chosen one before the payment, and registers with it', async () => {
    const name = 'xn--mnchen-3ya.com';

    const form = await dashboard.get(`/register/details?name=${name}`).expect(200);
    const review = await dashboard.post('/register/review', order(name, 'FRE')).expect(200);
    await dashboard.post('/register', { ...order(name, 'FRE'), price: '1044', currency: 'USD' }).expect(303);

    expect(form.text).toMatch(/<select[^>]*name="idn_language"[\s\S]*GER[\s\S]*FRE[\s\S]*<\/select>/);
    expect(review.text).toMatch(/<dt>Language<\/dt>\s*<dd>FRE<\/dd>/);
    expect(await eventually(() => created(name))).toContain('>FRE</');
  });

  it('has a field for the language if none is configured for its script, and shows why an invalid one is refused', async () => {
    const name = 'xn--e1afmkfd.com';

    const form = await dashboard.get(`/register/details?name=${name}`).expect(200);
    const refused = await dashboard.post('/register/review', order(name, '?'));
    const review = await dashboard.post('/register/review', order(name, 'RUS')).expect(200);

    expect(form.text).toMatch(/<input[^>]*name="idn_language"/);
    expect(refused.text).toContain('Must be a language tag (BCP 47) or a table of the registry');
    expect(review.text).toMatch(/<dt>Language<\/dt>\s*<dd>RUS<\/dd>/);
  });

  it('can be one of several in a bulk order, each with its own language', async () => {
    const client = api(service, await service.key(await service.account()));
    const { body } = await client.post('/api/bulk', bulkOrder('RUS')).expect(400);
    expect(body.error.details).toBe(
      'registrations[1].idn_language must be one of GER, FRE for the script of this name',
    );
    await client.post('/api/bulk', bulkOrder('FRE')).expect(202);

    expect(await eventually(() => created('xn--zrich-kva.com'))).toContain('>FRE</');
    expect(await eventually(() => created('plain-in-bulk.com'))).not.toContain('>FRE</');
  });

  it("keeps ß in the domain of the registrant's e-mail address, which browsers turn into ss", async () => {
    const name = 'xn--strae-oqa.com';

    const form = await dashboard.get(`/register/details?name=${name}`).expect(200);
    const review = await dashboard.post('/register/review', { ...order(name, 'GER'), email: 'ada@Faß.de' }).expect(200);

    expect(form.text).toMatch(/<input[^>]*name="email"[^>]*type="text"/);
    expect(review.text).toContain('ada@xn--fa-hia.de');
  });

  it('has no field for the language for an ASCII name', async () => {
    const form = await dashboard.get('/register/details?name=plain-name.com').expect(200);

    expect(form.text).not.toContain('idn_language');
  });
});

async function eventually<T>(find: () => T | undefined): Promise<T> {
  for (;;) {
    const found = find();
    if (found !== undefined) return found;
    await new Promise((later) => setTimeout(later, 20));
  }
}
