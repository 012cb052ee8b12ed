import { epp, query, transform } from '../../../src/infrastructure/registry/epp/mapping/commands/command';
import { NAMESPACES } from '../../../src/infrastructure/registry/epp/codec/namespaces';
import { elementFactory } from '../../../src/infrastructure/registry/epp/codec/xml-element';
import { createContact } from '../../../src/infrastructure/registry/epp/mapping/commands/contact-commands';
import { deleteDomain } from '../../../src/infrastructure/registry/epp/mapping/commands/domain-commands';
import {
  checkHosts,
  createHost,
  deleteHost,
  infoHost,
  updateHost,
} from '../../../src/infrastructure/registry/epp/mapping/commands/host-commands';
import { hostAddresses, missingHosts } from '../../../src/infrastructure/registry/epp/mapping/host-data';
import { freshName, REGISTRANT } from '../../../src/testing/registry-fixtures';
import { AUTH_CODE, delegation, EppScenario } from '../../support/epp/epp-scenario';

const contact = elementFactory(NAMESPACES.contact);
const about = (verb: 'info' | 'delete', id: string) =>
  query(`contact:${verb}`, epp(verb, contact(verb, contact('id', id))));

let scene: EppScenario;
beforeAll(async () => {
  scene = await EppScenario.open();
});
afterAll(() => scene.close());

describe('hosts at the sandbox EPP server', () => {
  it('belong to the sponsor of their domain and have addresses', async () => {
    const name = await scene.registered();

    expect(await scene.code(createHost(`ns1.${name}`, []))).toBe(2003);
    expect(await scene.code(createHost(`ns1.${name}`, ['192.0.2.1']), scene.second)).toBe(2201);
    expect(await scene.code(createHost(`ns1.${name}`, ['192.0.2.1', '2001:DB8:0::1']))).toBe(1000);
    expect(await scene.code(createHost(`ns1.${name}`, ['192.0.2.1']))).toBe(2302);
    expect(await scene.code(createHost('ns1.not-registered-here.com', ['192.0.2.1']))).toBe(2303);
    expect(await scene.code(updateHost(`ns1.${name}`, ['192.0.2.2'], ['192.0.2.1']))).toBe(1000);

    expect(hostAddresses(await scene.second.send(infoHost(`ns1.${name}`)))).toEqual(['2001:db8::1', '192.0.2.2']);
    expect((await scene.info(name)).subordinateHosts).toEqual([`ns1.${name}`]);
    expect(missingHosts(await scene.first.send(checkHosts([`ns1.${name}`, `ns2.${name}`])))).toEqual([`ns2.${name}`]);
  });

  it('cannot be deleted while a domain is delegated to them, and are deleted with their superordinate domain', async () => {
    const [name, other] = [await scene.registered(), freshName().value];
    await scene.first.send(createHost(`ns1.${name}`, ['192.0.2.1']));
    await scene.registered({ name: other, hosts: delegation(`ns1.${name}`, 'ns1.outside.example') });

    expect(await scene.code(deleteHost(`ns1.${name}`))).toBe(2305);
    expect(await scene.code(deleteDomain(name))).toBe(2305);
    expect(await scene.code(deleteDomain(other))).toBe(1000);
    expect(await scene.code(deleteDomain(name))).toBe(1000);

    expect(await scene.code(infoHost(`ns1.${name}`))).toBe(2303);
  });
});

describe('contacts at the sandbox EPP server', () => {
  it('are visible to their sponsor only, and cannot be deleted while a domain refers to them', async () => {
    expect(await scene.code(createContact('HOLDER-1', REGISTRANT, AUTH_CODE))).toBe(2302);
    expect(await scene.code(about('info', 'HOLDER-1'))).toBe(1000);
    expect(await scene.code(about('info', 'HOLDER-1'), scene.second)).toBe(2201);
    await scene.registered();
    expect(await scene.code(about('delete', 'HOLDER-1'))).toBe(2305);
    await scene.first.send(createContact('NOT-NAMED', REGISTRANT, AUTH_CODE));
    expect(await scene.code(about('delete', 'NOT-NAMED'))).toBe(1000);
    expect(await scene.code(about('info', 'NOT-NAMED'))).toBe(2303);
  });

  it('accept any script in loc, and only ASCII in int', async () => {
    expect(
      await scene.code(createContact('LOCAL-1', { ...REGISTRANT, firstName: 'José', lastName: 'Ørsted' }, AUTH_CODE)),
    ).toBe(1000);
    const wrong = contact(
      'postalInfo',
      [contact('name', 'José'), contact('addr', [contact('city', 'Lugo'), contact('cc', 'ES')])],
      { type: 'int' },
    );
    const body = contact('create', [
      contact('id', 'INT-1'),
      wrong,
      contact('email', 'jose@example.com'),
      contact('authInfo', contact('pw', AUTH_CODE)),
    ]);

    expect(await scene.code(transform('contact:create', epp('create', body)))).toBe(2005);
  });
});
