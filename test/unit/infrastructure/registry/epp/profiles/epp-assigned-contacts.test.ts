import { RegistryNotContacted } from '../../../../../../src/application/ports/registry/registry-errors';
import type { StoredValues } from '../../../../../../src/infrastructure/registry/registry-adapter';
import { contactIdOf } from '../../../../../../src/infrastructure/registry/epp/mapping/commands/contact-commands';
import type { RegistryProfile } from '../../../../../../src/infrastructure/registry/epp/profiles/profile';
import { rfc } from '../../../../../../src/infrastructure/registry/epp/profiles/rfc';
import { UnreadableResponse } from '../../../../../../src/infrastructure/registry/epp/session/connection-errors';
import { REGISTRANT } from '../../../../../../src/testing/registry-fixtures';
import { registerLife } from '../../../../../support/epp/recorded-life';
import { NO_FEES, recordedRegistry, type Answer } from '../../../../../support/epp/recorded-registry';
import { resultOf } from '../../../../../support/epp/scripted-epp-server';

const OK = resultOf(1000);

/** A response to `<contact:info>`. */
const contactInfo = (id: string, name = 'Ada Lovelace', extension = '') =>
  resultOf(
    1000,
    undefined,
    `<resData><contact:infData xmlns:contact="urn:ietf:params:xml:ns:contact-1.0"><contact:id>${id}</contact:id><contact:postalInfo type="loc"><contact:name>${name}</contact:name><contact:addr><contact:street>12 St James</contact:street><contact:city>London</contact:city><contact:cc>GB</contact:cc></contact:addr></contact:postalInfo><contact:voice>+44.2079460000</contact:voice><contact:email>ada@example.com</contact:email></contact:infData></resData>${extension}`,
  );

const HOSTS_EXIST = resultOf(
  1000,
  undefined,
  '<resData><host:chkData xmlns:host="urn:ietf:params:xml:ns:host-1.0"><host:cd><host:name avail="0">ns1.ex187315.net</host:name></host:cd></host:chkData></resData>',
);

const ids = (id: string) =>
  resultOf(
    1000,
    undefined,
    `<resData><contact:creData xmlns:contact="urn:ietf:params:xml:ns:contact-1.0"><contact:id>${id}</contact:id><contact:crDate>2026-11-20T15:00:00Z</contact:crDate></contact:creData></resData>`,
  );

describe('contacts whose ids the registry assigns', () => {
  const assigned = { ...rfc, contacts: { ...rfc.contacts, ids: 'registry' } } as const;
  const created = ids('REG-77');

  it.each([
    ['shows', assigned, [created, resultOf(2303), contactInfo('REG-77'), resultOf(2104), OK], 'REG-77'],
    ['knows', rfc, [OK, resultOf(2303), resultOf(2302), resultOf(2303), OK], 'NW'],
  ] as const)(
    'are deleted after a create that is rejected again, although the registry %s them meanwhile',
    async (_what, profile, answers, id) => {
      const { registry, sent, documents } = recordedRegistry(answers, NO_FEES, { profile });

      await expect(registerLife(registry)).rejects.toMatchObject({ code: 'REGISTRY_REJECTED' });

      expect(sent.at(-1)).toMatch(/^contact:delete/);
      expect(documents.at(-1)).toContain(id);
    },
  );

  it('are used again after a 2303 about something else, although the registry shows no phone number of theirs', async () => {
    const shown = contactInfo('REG-77').replace(/<contact:voice>.*<\/contact:voice>/, '');
    const { registry, sent } = recordedRegistry(
      [created, resultOf(2303), shown, HOSTS_EXIST, '211-create', OK],
      NO_FEES,
      { profile: assigned },
    );

    await registerLife(registry);

    expect(sent.filter((each) => each.startsWith('contact:create'))).toHaveLength(1);
  });

  it('are created again after the registry has deleted them', async () => {
    const answers = [created, '211-create', OK, resultOf(2303), resultOf(2303), ids('REG-78'), HOSTS_EXIST];
    const { registry, documents } = recordedRegistry([...answers, '211-create', OK], NO_FEES, {
      profile: assigned,
    });

    await registerLife(registry);
    await registerLife(registry);

    expect(documents.at(-2)).toContain('<domain:registrant>REG-78</domain:registrant>');
  });

  it('are created once for simultaneous calls with one registrant', async () => {
    const answers = [created, resultOf(2104), resultOf(2104), OK, OK];
    const { registry, sent } = recordedRegistry(answers, NO_FEES, { profile: assigned }, aStore());

    await Promise.allSettled([registerLife(registry), registerLife(registry)]);

    expect(sent.filter((each) => each.startsWith('contact:create'))).toHaveLength(1);
    expect(sent.filter((each) => each.startsWith('domain:create'))).toHaveLength(2);
  });

  it('are used again if the registry does not say whether it deleted them', async () => {
    const lost = new UnreadableResponse(Buffer.from(''), {});
    const { registry, documents, sent } = recordedRegistry([created, resultOf(2104), lost, '211-create', OK], NO_FEES, {
      profile: assigned,
    });

    await expect(registerLife(registry)).rejects.toMatchObject({ reason: 'credit' });
    await registerLife(registry);

    expect(sent.filter((each) => each.startsWith('contact:create'))).toHaveLength(1);
    expect(documents[3]).toContain('<domain:registrant>REG-77</domain:registrant>');
  });

  it.each([
    ['the same server and profile', {}, 1],
    ['another server', { server: 'ote.registry.example:700' }, 2],
    ['other options', { profile: { ...assigned, options: { organization: 'BV' } } }, 2],
    ['other data to disclose', { profile: withContacts({ disclose: { flag: false, elements: ['email'] } }) }, 2],
    ['another postal form', { profile: withContacts({ postalInfo: 'loc' }) }, 2],
  ] as const)('are used again after a restart with %s', async (_what, settings, contacts) => {
    const stored = aStore();
    const answers = [created, '211-create', OK];
    const before = recordedRegistry(answers, NO_FEES, { profile: assigned }, stored);
    await registerLife(before.registry);
    const after = recordedRegistry(
      contacts === 1 ? answers.slice(1) : answers,
      NO_FEES,
      { profile: assigned, ...settings },
      stored,
    );

    await registerLife(after.registry);

    expect([...before.sent, ...after.sent].filter((each) => each.startsWith('contact:create'))).toHaveLength(contacts);
  });

  describe('of a process that died', () => {
    const died = new UnreadableResponse(Buffer.from(''), {});
    it.each([
      ['assigns', assigned, [created, died], [resultOf(2104), OK], 'REG-77'],
      ['takes', rfc, [OK, died], [resultOf(2302), resultOf(2104), OK], contactIdOf(REGISTRANT, 'leonet')],
    ] as const)(
      'are deleted after the create is rejected in the next run, at a registry that %s ids',
      async (_what, profile, first, answers, id) => {
        const { stored } = await leftBy(profile, ...first);
        const { registry, documents, left } = recordedRegistry(answers, NO_FEES, { profile }, stored);

        await expect(registerLife(registry)).rejects.toMatchObject({ reason: 'credit' });

        expect(documents.at(-1)).toContain(
          `<contact:delete xmlns:contact="urn:ietf:params:xml:ns:contact-1.0"><contact:id>${id}<`,
        );
        expect(left).toEqual([]);
        expect(await stored.list('', 10)).toEqual([]);
      },
    );

    it.each([
      ['deletes one that no domain uses', contactInfo('REG-77'), [OK], 0],
      [
        'keeps one that a domain uses',
        contactInfo('REG-77').replace('<contact:postal', '<contact:status s="linked"/><contact:postal'),
        [],
        1,
      ],
      ['keeps one that the registry keeps', contactInfo('REG-77'), [resultOf(2305)], 1],
      ['forgets one that is gone', resultOf(2303), [resultOf(2303)], 0],
    ])('the sweep of a month later %s', async (_what, shown, answers, ids) => {
      const { stored, age } = await leftBy(assigned, created, died);
      const { registry, sent } = recordedRegistry([shown, ...answers], NO_FEES, { profile: assigned }, stored);
      await registry.deleteLeftContacts();
      expect(sent).toEqual([]);

      age();
      await registry.deleteLeftContacts();
      await registry.deleteLeftContacts();

      expect(sent.map((each) => each.split(' ')[0])).toEqual(['contact:info', ...answers.map(() => 'contact:delete')]);
      expect(await stored.list('unused:', 10)).toEqual([]);
      expect(await stored.list('contact:', 10)).toHaveLength(ids);
    });

    it('leave no record of a create that was not sent', async () => {
      const { stored } = await leftBy(assigned, new RegistryNotContacted('All sessions with the registry are busy'));

      expect(await stored.list('', 10)).toEqual([]);
    });

    it('keep their place if the registry does not respond to the sweep', async () => {
      const { stored, age } = await leftBy(assigned, created, died);
      age();
      const { registry } = recordedRegistry([contactInfo('REG-77'), died], NO_FEES, { profile: assigned }, stored);

      await registry.deleteLeftContacts();

      expect(await stored.list('unused:', 10)).toHaveLength(1);
    });

    it('are named in the log if their id did not arrive, with the transaction id of their create', async () => {
      const { stored, age } = await leftBy(assigned, died);
      age();
      const { registry, sent, log } = recordedRegistry([], NO_FEES, { profile: assigned }, stored);

      await registry.deleteLeftContacts();
      await registry.deleteLeftContacts();

      expect(sent).toEqual([]);
      expect(log.entries).toEqual([expect.objectContaining({ level: 'warn' })]);
      expect(JSON.stringify(log.entries)).toMatch(/"transactionId":"[^"]+-2"/);
    });
  });

  function withContacts(change: object) {
    return { ...assigned, contacts: { ...assigned.contacts, ...change } };
  }
});

/** The values of a process that died while it sent the create of the domain, or after the response to that of the contact. */
async function leftBy(profile: RegistryProfile, ...answers: readonly Answer[]) {
  const stored = aStore();
  const before = recordedRegistry(answers, NO_FEES, { profile }, stored);
  await expect(registerLife(before.registry)).rejects.toMatchObject({ code: 'REGISTRY_UNAVAILABLE' });
  return { stored, age: () => stored.replace(/"at":\d+/, '"at":0') };
}

function aStore() {
  const values = new Map<string, string>();
  return {
    get: async (key: string) => values.get(key),
    put: async (key: string, value: string) => void values.set(key, value),
    remove: async (key: string) => void values.delete(key),
    list: async (prefix: string, _limit: number) =>
      [...values].filter(([key]) => key.startsWith(prefix)).map(([, value]) => value),
    /** Changes every value. */
    replace: (pattern: RegExp, replacement: string) => {
      for (const [key, value] of values) values.set(key, value.replace(pattern, replacement));
    },
  } satisfies StoredValues & { replace: unknown };
}
