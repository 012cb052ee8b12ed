import { sandboxOf } from '../support/registries/sandbox';
import { aPerson, PASSWORD, Visitor } from '../support/dashboard/visitor';
import { api, REGISTRANT, registered, startService, type Api, type TestService } from '../support/service/service';

const FORM = { type: 'TXT', name: 'kept', content: 'text <kept> in the form' };
const keptIn = (html: string) => /name="kept" value="([^"]+)"/.exec(html)?.[1] ?? '';
const nextIn = (html: string) => /name="next" value="([^"]+)"/.exec(html)?.[1];
const fieldsIn = (html: string) =>
  Object.fromEntries(
    [...html.matchAll(/<input type="hidden" name="([^"]+)" value(?:="([^"]*)")?/g)].map(([, name = '', value = '']) => [
      name,
      value.replaceAll('&lt;', '<').replaceAll('&gt;', '>'),
    ]),
  );

describe('a form that could not be accepted', () => {
  let service: TestService;
  let accountId: string;
  let client: Api;
  let email: string;
  let visitor: Visitor;
  let domainId: string;
  let serial = 0;

  beforeAll(async () => {
    service = await startService({ SIGN_IN_ATTEMPTS: '0' });
    accountId = await service.account();
    client = api(service, await service.key(accountId));
    domainId = await registered(client, 'kept.com');
    email = await aPerson(service, accountId);
  });
  beforeEach(async () => {
    visitor = await new Visitor(service).signIn(email);
    await visitor.get(`/domains/${domainId}/records?type=TXT`).expect(200);
  });
  afterEach(() => sandboxOf(service).clearFaults());
  afterAll(() => service.stop());

  const path = () => `/domains/${domainId}/records`;
  const records = async () => (await client.get(`/api${path().replace('/records', '/dns/records')}`).expect(200)).body;
  const signInWith = (kept: string, who = email, next = '/') =>
    visitor.post('/sign-in', { email: who, password: PASSWORD, kept, next });

  it('is kept for its sender where the session was lost, with the place and the reason', async () => {
    visitor.loseCookies();

    const { text } = await visitor.post(path(), FORM).expect(401);
    expect(text).toMatch(
      /You were signed out before your form arrived, so nothing was changed\. What you filled in is kept/,
    );
    expect(text).not.toContain('in the form');
    expect(nextIn(text)).toBe(`${path()}?type=TXT`);
    await signInWith('wrong').expect(303);
    visitor.loseCookies();
    await visitor.get('/sign-in').expect(200);
    const { text: again } = await signInWith(keptIn(text)).expect(200);
    expect(again).toContain('text &lt;kept> in the form');
    expect(again).toContain(`<a class="button" href="${path()}?type=TXT">`);
    expect(await records()).toEqual([]);

    await visitor.post(path(), fieldsIn(again)).expect(303);
    expect(await records()).toEqual([expect.objectContaining(FORM)]);
  });

  it('survives a wrong password at sign-in', async () => {
    visitor.loseCookies();
    const kept = keptIn((await visitor.post(path(), FORM).expect(401)).text);
    await visitor.get('/sign-in').expect(200);

    const { text } = await visitor.post('/sign-in', { email, password: 'wrong', kept, next: '/' }).expect(401);

    expect(keptIn(text)).toBe(kept);
  });

  it('is discarded if another person signs in', async () => {
    const other = await aPerson(service, accountId);
    visitor.loseCookies();
    const kept = keptIn((await visitor.post(path(), FORM).expect(401)).text);
    await visitor.get('/sign-in').expect(200);

    await signInWith(kept, other).expect(303).expect('Location', '/');

    const { text } = await visitor.get('/').expect(200);
    expect(text).toContain('The form from before you signed in was discarded');
    expect(text).not.toContain('in the form');
  });

  it('is discarded if its owner was forged or what was kept was altered', async () => {
    visitor.loseCookies();
    const forged = keptIn((await visitor.post(path(), { ...FORM, _owner: 'x'.repeat(43) }).expect(401)).text);
    await visitor.get('/sign-in').expect(200);

    for (const kept of [forged, `${forged.slice(0, -2)}AA`, 'nonsense']) {
      await signInWith(kept).expect(303).expect('Location', '/');
      visitor.loseCookies();
      await visitor.get('/sign-in').expect(200);
    }
  });

  it.each([
    ['has a password', { current_password: 'nine violet tractors', new_password: 'ten green tractors' }],
    ['is too long', { content: 'x'.repeat(10_000) }],
    ['is longer than what is read from strangers', { content: 'x'.repeat(100_000) }],
  ])('is not kept if it %s, and says so', async (_what, fields) => {
    visitor.loseCookies();

    const { text } = await visitor.post(path(), fields).expect(401);

    expect(text).toContain('What you filled in could not be kept');
    expect(keptIn(text)).toBe('');
    expect(text).not.toMatch(/tractors|xxxx/);
  });

  it('is not kept if it is an upload, and says so', async () => {
    visitor.loseCookies();

    const { text } = await visitor
      .upload(`/domains/${domainId}/zone-file/plan`, { text: '@ 300 IN A 192.0.2.1\n' })
      .expect(401);

    expect(text).toContain('What you filled in could not be kept');
    expect(nextIn(text)).toBe(`/domains/${domainId}`);
  });

  it('is offered again to its owner after a new sign-in in another tab', async () => {
    const form = { ...FORM, name: 'other-tab', _token: 'stale' };

    const { text } = await visitor.post(path(), form).expect(403);
    expect(text).toContain('You signed in again after this form was opened');
    await visitor.post(path(), fieldsIn(text)).expect(303);
    expect(await records()).toContainEqual(expect.objectContaining({ name: 'other-tab' }));

    await visitor.get(path()).expect(200);
    const foreign = await visitor.post(path(), { ...form, _owner: 'x'.repeat(43) }).expect(403);
    expect(foreign.text).toContain('This form has expired');
    expect(foreign.text).not.toContain('in the form');
  });

  it('keeps the order of a registration while the registry does not answer, and registers once it does', async () => {
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
    await visitor.get(`/register/details?name=${name}`).expect(200);
    await sandboxOf(service).injectFault({ kind: 'outage', target: name });

    const { text: noReview } = await visitor.post('/register/review', details).expect(503);
    expect(noReview).toContain('What you filled in is kept: try again in a moment');
    expect(fieldsIn(noReview)).toMatchObject(details);
    await sandboxOf(service).clearFaults();
    const { text: review } = await visitor.post('/register/review', fieldsIn(noReview)).expect(200);
    const order = { ...details, price: /name="price" value="(\d+)"/.exec(review)?.[1] ?? '', currency: 'USD' };
    await sandboxOf(service).injectFault({ kind: 'outage', target: name });
    const { text } = await visitor.post('/register', order).expect(503).expect('Retry-After', /\d+/);
    expect(text).toMatch(/Try again: register for \$\d+\.\d\d/);
    expect(fieldsIn(text)).toMatchObject(order);
    await visitor
      .post('/register/details', order)
      .expect(503)
      .expect(/Try again/);
    await sandboxOf(service).clearFaults();

    await visitor
      .post('/register', fieldsIn(text))
      .expect(303)
      .expect('Location', /^\/register\/progress\/op_/);
  });
});
