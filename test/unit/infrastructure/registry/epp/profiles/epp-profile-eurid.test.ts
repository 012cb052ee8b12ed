import {
  createDomain,
  updateDomain,
} from '../../../../../../src/infrastructure/registry/epp/mapping/commands/domain-commands';
import { writeXml } from '../../../../../../src/infrastructure/registry/epp/codec/write-xml';
import type { EppCommand } from '../../../../../../src/infrastructure/registry/epp/mapping/commands/command';
import { eurid } from '../../../../../../src/infrastructure/registry/epp/profiles/eurid';

const CONTACTS = [
  { type: 'billing', id: 'c1001' },
  { type: 'onsite', id: 'c1002' },
];

function completed(command: EppCommand, version = '2.6') {
  const services = [`http://www.eurid.eu/xml/epp/domain-ext-${version}`];
  const facts = {
    title: command.title,
    tld: 'eu',
    name: 'example.eu',
    registrant: undefined,
    contacts: undefined,
    idnLanguage: undefined,
    expiresAt: undefined,
  };
  const frame = eurid.complete?.(command, { ...facts, services, options: eurid.options }) ?? command;
  return { body: writeXml(frame.body), extensions: frame.extensions.map((each) => writeXml(each)).join('') };
}

describe('the profile eurid', () => {
  const create = createDomain({
    name: 'example.eu',
    years: 1,
    hosts: [],
    hostMode: 'attribute',
    registrant: 'c1000',
    contacts: CONTACTS,
    authCode: '',
  });

  it('sends the onsite contact of a new domain in domain-ext, in the version of the login', () => {
    const { body, extensions } = completed(create, '2.4');

    expect(body).toContain('type="billing">c1001<');
    expect(body).not.toContain('onsite');
    expect(extensions).toContain('domain-ext-2.4');
    expect(extensions).toContain('type="onsite">c1002<');
  });

  it('names a known version of domain-ext if the registry offers none of them, so that the command is rejected', () => {
    expect(completed(create, '9.9').extensions).toContain('domain-ext-2.6');
  });

  it('changes no onsite contact by an update, and leaves out what is then empty', () => {
    const change = { add: { contacts: CONTACTS }, remove: { contacts: [{ type: 'onsite', id: 'c1' }] } };
    const { body } = completed(updateDomain('example.eu', { ...change, registrant: 'c1003' }, 'attribute'));

    expect(body).toContain('type="billing">c1001<');
    expect(body).toContain('registrant>c1003<');
    expect(body).not.toMatch(/onsite|:rem>/);
  });
});
