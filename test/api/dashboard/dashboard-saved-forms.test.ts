import { sandboxOf } from '../../support/registries/sandbox';
import { aUser, PASSWORD, DashboardClient } from '../../support/dashboard/dashboard-client';
import { api, REGISTRANT, registered, startService, type Api, type TestService } from '../../support/service/service';

const FORM = { type: 'TXT', name: 'saved', content: 'text <saved> in the form' };
const readSavedForm = (html: string) => /name="saved_form" value="([^"]+)"/.exec(html)?.[1] ?? '';
const readNext = (html: string) => /name="next" value="([^"]+)"/.exec(html)?.[1];
const readHiddenFields = (html: string) =>
  Object.fromEntries(
    [...html.matchAll(/<input type="hidden" name="([^"]+)" value(?:="([^"]*)")?/g)].map(([, name = '', value = '']) => [
      name,
      value.replaceAll('&lt;', '<').replaceAll('&gt;', '>'),
    ]),
  );

describe('a form that is refused for lack of a session or during an outage', () => {
  let service: TestService;
  let accountId: string;
  let client: Api;
  let email: string;
  let dashboard: DashboardClient;
  let domainId: string;
  let serial = 0;

  beforeAll(async () => {
    service = await startService({ SIGN_IN_ATTEMPTS: '0' });
    accountId = await service.account();
    client = api(service, await service.key(accountId));
    domainId = await registered(client, 'saved.com');
    email = await aUser(service, accountId);
  });
  beforeEach(async () => {
    dashboard = await new DashboardClient(service).signIn(email);
    await dashboard.get(`/domains/${domainId}/records?type=TXT`).expect(200);
  });
  afterEach(() => sandboxOf(service).clearFaults());
  afterAll(() => service.stop());

  const path = () => `/domains/${domainId}/records`;
  const records = async () => (await client.get(`/api${path().replace('/records', '/dns/records')}`).expect(200)).body;
  const signInWith = (savedForm: string, who = email, next = '/') =>
    dashboard.post('/sign-in', { email: who, password: PASSWORD, saved_form: savedForm, next });

  it('is saved for its user if the session has ended, with its page and the reason', async () => {
    dashboard.loseCookies();

    const { text } = await dashboard.post(path(), FORM).expect(401);
    expect(text).toMatch(
      /Nothing was changed: your session had ended before the form arrived\. Your entries are saved/,
    );
    expect(text).not.toContain('in the form');
    expect(readNext(text)).toBe(`${path()}?type=TXT`);
    await signInWith('wrong').expect(303);
    dashboard.loseCookies();
    await dashboard.get('/sign-in').expect(200);
    const { text: again } = await signInWith(readSavedForm(text)).expect(200);
    expect(again).toContain('text &lt;saved> in the form');
    expect(again).toContain(`<a class="button" href="${path()}?type=TXT">`);
    expect(await records()).toEqual([]);

    await dashboard.post(path(), readHiddenFields(again)).expect(303);
    expect(await records()).toEqual([expect.objectContaining(FORM)]);
  });

  it('is still saved after a wrong password at sign-in', async () => {
    dashboard.loseCookies();
    const saved = readSavedForm((await dashboard.post(path(), FORM).expect(401)).text);
    await dashboard.get('/sign-in').expect(200);

    const { text } = await dashboard
      .post('/sign-in', { email, password: 'wrong', saved_form: saved, next: '/' })
      .expect(401);

    expect(readSavedForm(text)).toBe(saved);
  });

  it('is discarded if another user signs in', async () => {
    const other = await aUser(service, accountId);
    dashboard.loseCookies();
    const saved = readSavedForm((await dashboard.post(path(), { ...FORM, content: 'never sent' }).expect(401)).text);
    await dashboard.get('/sign-in').expect(200);

    await signInWith(saved, other).expect(303).expect('Location', '/');

    const { text } = await dashboard.get('/').expect(200);
    expect(text).toContain('The form that you sent before signing in was discarded');
    expect(text).not.toContain('never sent');
  });

  it('is discarded if its owner was forged or the saved form was altered', async () => {
    dashboard.loseCookies();
    const forged = readSavedForm((await dashboard.post(path(), { ...FORM, _owner: 'x'.repeat(43) }).expect(401)).text);
    await dashboard.get('/sign-in').expect(200);

    for (const saved of [forged, `${forged.slice(0, -2)}AA`, 'nonsense']) {
      await signInWith(saved).expect(303).expect('Location', '/');
      dashboard.loseCookies();
      await dashboard.get('/sign-in').expect(200);
    }
  });

  it.each([
    ['has a password', { current_password: 'nine violet tractors', new_password: 'ten green tractors' }, true],
    ['has an auth code', { auth_code: 'ten green tractors' }, true],
    ['is too long', { content: 'x'.repeat(10_000) }, true],
    ['exceeds the size limit without a session', { content: 'x'.repeat(100_000) }, false],
  ])('is not saved if it %s, and the page says so and keeps the place', async (_what, fields, isRead) => {
    dashboard.loseCookies();

    const { text } = await dashboard.post(path(), fields).expect(401);

    expect(text).toContain('Your entries could not be saved');
    expect(readSavedForm(text)).toBe('');
    expect(text).not.toMatch(/tractors|xxxx/);
    expect(readNext(text)).toBe(isRead ? `${path()}?type=TXT` : path().replace('/records', ''));
  });

  it('is not saved if it is an upload, and the page says so', async () => {
    dashboard.loseCookies();

    const { text } = await dashboard
      .upload(`/domains/${domainId}/zone-file/plan`, { text: '@ 300 IN A 192.0.2.1\n' })
      .expect(401);

    expect(text).toContain('Your entries could not be saved');
    expect(readNext(text)).toBe(`/domains/${domainId}`);
  });

  it('is offered again to its user after a new sign-in in another tab', async () => {
    const form = { ...FORM, name: 'other-tab', _token: 'stale' };

    const { text } = await dashboard.post(path(), form).expect(403);
    expect(text).toContain('because you have signed in again since you opened it');
    await dashboard.post(path(), readHiddenFields(text)).expect(303);
    expect(await records()).toContainEqual(expect.objectContaining({ name: 'other-tab' }));

    await dashboard.get(path()).expect(200);
    const foreign = await dashboard.post(path(), { ...form, _owner: 'x'.repeat(43) }).expect(403);
    expect(foreign.text).toContain('This form has expired');
    expect(foreign.text).not.toContain('in the form');
  });

  it('is sent on after a sign-in in another tab, also from the sign-in page that it led to', async () => {
    dashboard.loseCookies();
    const { text } = await dashboard.post(path(), { ...FORM, name: 'second-tab' }).expect(401);
    const stale = readHiddenFields(text)['_token'] ?? '';
    await dashboard.signIn(email);

    const { text: again } = await dashboard
      .post('/sign-in', { _token: stale, email, password: 'wrong', saved_form: readSavedForm(text), next: '/' })
      .expect(200);
    expect(again).toContain('because your session had ended before this form arrived');
    expect(again.match(/role="(alert|status)"/g)).toHaveLength(1);
    await dashboard.post(path(), readHiddenFields(again)).expect(303);
    await dashboard
      .post('/sign-in', { _token: 'stale', email, next: '/api-keys' })
      .expect(303)
      .expect('Location', '/api-keys');
    const { text: keys } = await dashboard.get('/api-keys').expect(200);

    expect(await records()).toContainEqual(expect.objectContaining({ name: 'second-tab' }));
    expect(keys).toContain(`You had signed in as ${email} in another tab`);
  });

  it('keeps the names of an order of several that an outage prevented, and the registrant', async () => {
    const [ordered, waiting] = [`order-${(serial += 1)}.com`, `order-${(serial += 1)}.com`];
    const { address, ...registrant } = REGISTRANT;
    const details = {
      names: `${ordered}\n${waiting}`,
      auto_renew: 'on',
      nameservers: '',
      ...registrant,
      ...Object.fromEntries(Object.entries(address).map(([part, value]) => [`address.${part}`, value])),
    };
    const { text: review } = await dashboard.post('/register/order/review', details).expect(200);
    const agreed = [...review.matchAll(/name="agreed" value="([^"]+)"/g)].map(([, value = '']) => value);
    await sandboxOf(service).injectFault({ kind: 'outage', target: waiting });

    const { text } = await dashboard
      .postMany('/register/order', {
        ...Object.fromEntries(Object.entries(details).map(([key, value]) => [key, [value]])),
        agreed,
      })
      .expect(503);

    expect(text).toContain(`1 of 2 domains ordered: ${ordered}. ${waiting}: `);
    expect(text).toContain(`>${waiting}</textarea>`);
    expect(text).toContain(`value="${REGISTRANT.email}"`);
  });

  it('keeps the order of a registration during an outage, and registers once afterwards', async () => {
    const name = `order-${(serial += 1)}.com`;
    const { address, ...registrant } = REGISTRANT;
    const details = {
      name,
      years: '1',
      auto_renew: 'on',
      nameservers: '',
      ...registrant,
      ...Object.fromEntries(Object.entries(address).map(([part, value]) => [`address.${part}`, value])),
    };
    await dashboard.get(`/register/details?name=${name}`).expect(200);
    await sandboxOf(service).injectFault({ kind: 'outage', target: name });

    const { text: noReview } = await dashboard.post('/register/review', details).expect(503);
    expect(noReview).toContain('Your entries are kept and nothing was ordered twice. Try again in a moment');
    expect(readHiddenFields(noReview)).toMatchObject(details);
    await sandboxOf(service).clearFaults();
    const { text: review } = await dashboard.post('/register/review', readHiddenFields(noReview)).expect(200);
    const order = { ...details, price: /name="price" value="(\d+)"/.exec(review)?.[1] ?? '', currency: 'USD' };
    await sandboxOf(service).injectFault({ kind: 'outage', target: name });
    const { text } = await dashboard.post('/register', order).expect(503).expect('Retry-After', /\d+/);
    expect(text).toMatch(/Try again: register for \$\d+\.\d\d/);
    expect(readHiddenFields(text)).toMatchObject(order);
    await dashboard
      .post('/register/details', order)
      .expect(503)
      .expect(/Try again/);
    await sandboxOf(service).clearFaults();

    await dashboard
      .post('/register', readHiddenFields(text))
      .expect(303)
      .expect('Location', /^\/register\/progress\/op_/);
  });
});
