import { DomainName } from '../../../../../src/domain/shared/domain-name';
import { RegistrationTerm } from '../../../../../src/domain/registration/registration-term';
import { releaseDomain } from '../../../../../src/infrastructure/registry/epp/mapping/transfers';
import type { RegistryProfile } from '../../../../../src/infrastructure/registry/epp/profiles/profile';
import { rfc } from '../../../../../src/infrastructure/registry/epp/profiles/rfc';
import { sessionProfileOf } from '../../../../../src/infrastructure/registry/epp/session/session-profile';
import { startEpp } from '../../../../../src/infrastructure/registry/epp/start-epp';
import { createRegistryContext } from '../../../../../src/testing/create-registry-context';
import { REGISTRANT } from '../../../../../src/testing/registry-fixtures';
import { EppSchemas } from '../../../../support/epp/epp-schemas';
import { profileNamed } from '../../../../support/epp/recorded-life';
import { ALL_SERVICES, NO_FEES, recordedRegistry, type Answer } from '../../../../support/epp/recorded-registry';
import { resultOf } from '../../../../support/epp/scripted-epp-server';

const NAME = DomainName.fromState('life187069.test');
const EUR_5 = { minor: 500, currency: 'EUR' };
const rejected = (reason: string) => ({ code: 'REGISTRY_REJECTED', reason });

const request = (answers: readonly Answer[], price = EUR_5, profile: RegistryProfile = rfc) => {
  const recorded = recordedRegistry(answers, NO_FEES, { clientId: 'nordregistrar', profile });
  const term = RegistrationTerm.ofYears(1);
  const wanted = { name: NAME, term, registrant: REGISTRANT, authCode: 'secret', price, transactionId: 'op-1' };
  return { ...recorded, outcome: recorded.registry.requestTransfer(wanted) };
};

describe('transfers with the EPP adapter', () => {
  it('reads a recorded transfer away from us as pending until its action date', async () => {
    const { registry, sent } = recordedRegistry(['113-transfer-query']);

    expect(await registry.transferStatus(NAME)).toEqual({
      name: NAME,
      direction: 'out',
      status: 'pending',
      requestedAt: new Date('2026-11-20T15:04:30.156Z'),
      endsAt: new Date('2026-11-25T15:04:30.156Z'),
    });
    expect(sent).toEqual(['domain:transfer:query']);
  });

  it('reads the same transfer as one to us if we are the requesting registrar', async () => {
    const { registry } = recordedRegistry(['113-transfer-query'], NO_FEES, { clientId: 'nordregistrar' });

    expect(await registry.transferStatus(NAME)).toMatchObject({ direction: 'in', status: 'pending' });
  });

  it('shows no transfer of two other registrars, and none if the registry knows none', async () => {
    for (const answer of ['113-transfer-query', resultOf(2301), resultOf(2303), resultOf(2201), resultOf(2202)]) {
      const { registry } = recordedRegistry([answer], NO_FEES, { clientId: 'a-third-one' });

      expect(await registry.transferStatus(NAME)).toBeUndefined();
    }
  });

  it('cannot tell the status if the registry fails to respond to the query', async () => {
    const { registry } = recordedRegistry([resultOf(2400), resultOf(2400)]);

    await expect(registry.transferStatus(NAME)).rejects.toMatchObject({ code: 'REGISTRY_UNAVAILABLE' });
  });

  describe('the expiry of a domain of another registrar', () => {
    const [HIDDEN, SHOWN] = ['122-info-losing', '106-info'] as const;
    const WITHOUT_DATES = resultOf(
      1000,
      undefined,
      '<resData><domain:infData xmlns:domain="urn:ietf:params:xml:ns:domain-1.0"><domain:name>life187069.test</domain:name><domain:roid>D1</domain:roid><domain:status s="ok"/><domain:clID>leonet</domain:clID></domain:infData></resData>',
    );
    const schemas = new EppSchemas();
    afterAll(() => schemas.close());

    it.each([
      ['hides the domain', HIDDEN],
      ['shows it without dates', WITHOUT_DATES],
    ])('is read with the auth code if the registry %s', async (_rule, first) => {
      const { registry, documents } = recordedRegistry([first, SHOWN], NO_FEES, { clientId: 'nordregistrar' });

      expect(await registry.info(NAME, 'a<secret>')).toMatchObject({
        sponsoredByUs: false,
        expiresAt: new Date('2028-11-20T15:04:30.140Z'),
      });
      expect(documents.map((sent) => sent.includes('<domain:pw>a&lt;secret&gt;</domain:pw>'))).toEqual([false, true]);
      for (const sent of documents) expect(await schemas.faultsOf(sent)).toEqual([]);
    });

    it.each([
      ['the code is wrong', resultOf(2202)],
      ['the registry does not allow such queries', resultOf(2201)],
      ['the registry knows no auth code in them', resultOf(2102)],
    ])('stays unknown if %s', async (_rule, second) => {
      const { registry } = recordedRegistry([HIDDEN, second], NO_FEES, { clientId: 'nordregistrar' });

      expect(await registry.info(NAME, 'secret')).toMatchObject({ sponsoredByUs: false, expiresAt: new Date(0) });
    });

    it('is not read with a code if the name is ours, or if the registry asks for none', async () => {
      const profile = { ...rfc, transfers: { ...rfc.transfers, authCode: 'omitted' as const } };
      const [ours, omitted] = [
        recordedRegistry([SHOWN], NO_FEES, { clientId: 'leonet' }),
        recordedRegistry([HIDDEN], NO_FEES, { clientId: 'nordregistrar', profile }),
      ];

      expect(await ours.registry.info(NAME, 'secret')).toMatchObject({ sponsoredByUs: true });
      expect(await omitted.registry.info(NAME, 'secret')).toMatchObject({ expiresAt: new Date(0) });
    });
  });

  it('approves with the transaction id as clTRID, and reads the completed transfer', async () => {
    const { registry, sent } = recordedRegistry(['119-transfer-approve']);

    expect(await registry.approveTransfer(NAME, 'op-1')).toMatchObject({ direction: 'out', status: 'completed' });
    expect(sent).toEqual(['domain:transfer:approve op-1']);
  });

  it.each([
    ['107-transfer-badpw', 'auth_code'],
    ['109-transfer-locked', 'status'],
    ['112-transfer-again', 'status'],
    ['26-transfer-60d', 'policy'],
    [resultOf(2201), 'policy'],
    [resultOf(2106), 'policy'],
    [resultOf(2300), 'status'],
    [resultOf(2303), 'not_held'],
    [resultOf(2104), 'credit'],
  ])('rejects a request that the registry refuses with %s as %s', async (answer, reason) => {
    await expect(request([answer]).outcome).rejects.toMatchObject(rejected(reason));
  });

  it('creates the contact again if the registry has deleted it before the request', async () => {
    const profile = { ...rfc, transfers: { ...rfc.transfers, contacts: true } };
    const answers = [resultOf(1000), resultOf(2303), resultOf(1000), '113-transfer-query'];
    const { outcome, sent } = request(answers, EUR_5, profile);

    await expect(outcome).resolves.toMatchObject({ status: 'pending' });
    expect(sent.map((each) => each.split(' ')[0])).toEqual([
      'contact:create',
      'domain:transfer:request',
      'contact:create',
      'domain:transfer:request',
    ]);
  });

  it('tells what to check if the registry does not allow a transfer', async () => {
    const { outcome } = request(['26-transfer-60d']);

    await expect(outcome).rejects.toMatchObject({
      details: expect.stringMatching(/\(2201\)\. Check the auth code, and whether the name was registered/),
    });
  });

  it('rejects a request at another price than the list before it is sent, without the fee extension', async () => {
    const { outcome, sent } = request([], { minor: 499, currency: 'EUR' });

    await expect(outcome).rejects.toMatchObject(rejected('price_changed'));
    expect(sent).toEqual([]);
  });

  it('sends the auth code, the term and the agreed fee in one command', async () => {
    const { registry, documents } = recordedRegistry(['113-transfer-query'], ALL_SERVICES, {
      clientId: 'nordregistrar',
    });

    await registry.requestTransfer({
      name: NAME,
      term: RegistrationTerm.ofYears(2),
      registrant: REGISTRANT,
      authCode: 'a<secret>',
      price: EUR_5,
      transactionId: 'op-2',
    });

    expect(documents).toHaveLength(1);
    for (const part of ['op="request"', '>2</', 'a&lt;secret&gt;', '>5.00</']) expect(documents[0]).toContain(part);
  });

  it('sends no auth code to a registry that asks for none, and says so in its policies', async () => {
    const profile = { ...rfc, transfers: { ...rfc.transfers, authCode: 'omitted' as const } };
    const { registry, documents } = recordedRegistry([resultOf(2304)], NO_FEES, { profile });
    const wanted = { name: NAME, term: RegistrationTerm.ofYears(1), registrant: REGISTRANT, price: EUR_5 };
    const settings = { host: 'epp.registry.example', client_id: 'namewright', password: 'secret-enough' };
    const open = async (transfers: object) =>
      startEpp({ ...createRegistryContext({ settings: { ...settings, transfers } }), tlds: [{ suffix: 'test' }] });

    await expect(
      registry.requestTransfer({ ...wanted, authCode: 'unused', transactionId: 'op-2' }),
    ).rejects.toMatchObject({
      code: 'REGISTRY_REJECTED',
    });
    const [omitted, sent] = [await open({ auth_code: 'omitted' }), await open({ charged: false })];

    expect(documents[0]).not.toMatch(/authInfo|unused/);
    expect(omitted.port.policies()[0]?.transfersWithoutCode).toBe(true);
    expect(sent.port.policies()[0]?.transfersWithoutCode).toBeUndefined();
    await Promise.all([omitted.close(), sent.close()]);
  });

  it('rejects what the settings declare as unsupported without a command', async () => {
    const { registry, sent } = recordedRegistry([], NO_FEES, {
      unsupported: ['transfer_in', 'cancel_transfer', 'decide_transfer'],
    });

    for (const call of [
      registry.transferPrice(NAME),
      registry.cancelTransfer(NAME, 'op-1'),
      registry.approveTransfer(NAME, 'op-2'),
      registry.rejectTransfer(NAME, 'op-3'),
    ])
      await expect(call).rejects.toMatchObject(rejected('unsupported'));
    expect(sent).toEqual([]);
  });
});

describe('EPP releases', () => {
  const nominet = profileNamed('nominet');
  const services = { ...NO_FEES, extensions: [...NO_FEES.extensions, ...nominet.extensions] };
  const schemas = new EppSchemas();
  afterAll(() => schemas.close());

  it.each([1000, 1001])('are the update of the profile, with the transaction id, and succeed with %d', async (code) => {
    const { registry, sent, documents } = recordedRegistry([resultOf(code)], services, { profile: nominet });

    await registry.release(NAME, 'OTHER-TAG', 'op-1');

    expect(sent).toEqual(['domain:release op-1']);
    expect(documents[0]).toContain(
      `<update><std-release:release xmlns:std-release="http://www.nominet.org.uk/epp/xml/std-release-1.0"><std-release:domainName>${NAME.value}</std-release:domainName><std-release:registrarTag>OTHER-TAG</std-release:registrarTag></std-release:release></update>`,
    );
    expect(await schemas.faultsOf(documents[0]!)).toEqual([]);
  });

  it('are rejected with the reason of the registry', async () => {
    const { registry } = recordedRegistry([resultOf(2306), resultOf(2201)], services, { profile: nominet });

    await expect(registry.release(NAME, 'OTHER-TAG', 'op-1')).rejects.toMatchObject(rejected('policy'));
    await expect(registry.release(NAME, 'OTHER-TAG', 'op-2')).rejects.toMatchObject(rejected('not_held'));
  });

  it('are refused before anything is sent: to ourselves, without the extension, and without a profile that has them', async () => {
    const { registry, sent } = recordedRegistry([], services, { profile: nominet, clientId: 'OUR-TAG' });
    const plain = recordedRegistry([], NO_FEES, { profile: rfc });

    await expect(registry.release(NAME, 'OUR-TAG', 'op-1')).rejects.toMatchObject(rejected('policy'));
    await expect(plain.registry.release(NAME, 'OTHER-TAG', 'op-1')).rejects.toMatchObject(rejected('unsupported'));
    expect(() =>
      sessionProfileOf(nominet).complete(releaseDomain(nominet.release!(NAME.value, 'OTHER-TAG')), NO_FEES),
    ).toThrow(expect.objectContaining({ reason: 'unsupported', details: expect.stringContaining('std-release-1.0') }));
    expect([...sent, ...plain.sent]).toEqual([]);
  });
});
