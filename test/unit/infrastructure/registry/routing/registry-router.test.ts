import {
  RegistryRejected,
  RegistryNotContacted,
  RegistryUnavailable,
  RegistryInconclusive,
} from '../../../../../src/application/ports/registry/registry-errors';
import { HOSTS } from '../../../../../src/testing/registry-fixtures';
import { A_REGISTRANT } from '../../../../support/data/a-domain';
import { RecordingLog } from '../../../../support/fakes/recording-log';
import { name, routerTo, scripted, years } from '../../../../support/registries/scripted-router';

describe('RegistryRouter with several registries', () => {
  it('serves the TLDs of all registries', () => {
    const router = routerTo({ one: scripted('com', 'net'), two: scripted('de') });

    expect(router.policies().map(({ suffix }) => suffix)).toEqual(['com', 'net', 'de']);
    expect(router.registryFor(name('a.net'))?.registry).toBe('one');
    expect(router.registryFor(name('a.nowhere'))).toBeUndefined();
  });

  it('checks each name at its own registry, and returns results in the requested order', async () => {
    const [one, two] = [scripted('com'), scripted('de')];
    two.hold('a.de');

    const results = await routerTo({ one, two }).check([name('a.de'), name('a.com'), name('a.nowhere'), name('b.de')]);

    expect(results.map(({ name: { value }, available }) => [value, available])).toEqual([
      ['a.de', false],
      ['a.com', true],
      ['a.nowhere', false],
      ['b.de', true],
    ]);
    expect([one.callsOf('check'), two.callsOf('check')].map(({ length }) => length)).toEqual([1, 1]);
  });

  it("sends a command to the name's registry, and passes its rejection on", async () => {
    const [one, two] = [scripted('com'), scripted('de')];

    await expect(routerTo({ one, two }).renew(name('a.de'), new Date(), years(1), 'id-1')).rejects.toMatchObject({
      reason: 'not_held',
    });

    expect([one.calls.length, two.calls.length]).toEqual([0, 1]);
  });

  it('returns REGISTRY_UNAVAILABLE, not an unregistered name, for a TLD that is no longer served', async () => {
    await expect(routerTo({ one: scripted('com') }).info(name('a.de'))).rejects.toBeInstanceOf(RegistryUnavailable);
    await expect(routerTo({ one: scripted('com') }).price(name('a.de'))).rejects.toMatchObject({
      reason: 'unavailable',
    });
  });

  it('returns one message queue per registry, each behind its own guard', async () => {
    const [silent, talking] = [scripted('com'), scripted('de')];
    silent.goDown();
    talking.send({ kind: 'changed', name: 'a.de' });

    const [first, second] = routerTo({ silent, talking }).queues();
    const message = await second?.poll();
    await second?.acknowledge(message?.id ?? '');

    expect([first?.registry, second?.registry]).toEqual(['silent', 'talking']);
    await expect(first?.poll()).rejects.toBeInstanceOf(RegistryUnavailable);
    expect(message?.name?.value).toBe('a.de');
    expect(await second?.poll()).toBeUndefined();
  });
});

describe('an adapter from another package', () => {
  it('has its rejections recognized by code, whatever class it throws', async () => {
    const registry = scripted('com');
    registry
      .next('register')
      .failsWith(Object.assign(new Error('no'), { code: 'REGISTRY_REJECTED', reason: 'credit', details: 'no credit' }));

    const attempt = routerTo({ registry }).register({
      name: name('a.com'),
      term: years(1),
      registrant: A_REGISTRANT,
      nameservers: HOSTS,
      price: { minor: 1, currency: 'USD' },
      transactionId: 'id-1',
    });

    const error = await attempt.catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(RegistryRejected);
    expect(error).toMatchObject({ reason: 'credit', details: 'no credit' });
  });

  it.each([RegistryNotContacted, RegistryInconclusive, RegistryUnavailable])(
    'has its errors recognized by class name, also from its own copy of namewright-adapter: %p',
    async (kind) => {
      const registry = scripted('com');
      registry.next('check').failsWith(
        Object.assign(new Error('no'), {
          code: 'REGISTRY_UNAVAILABLE',
          name: kind.name,
          details: 'why',
          retryAfterSeconds: 7,
        }),
      );

      const error: unknown = await routerTo({ registry })
        .check([name('a.com')])
        .catch((reason: unknown) => reason);

      expect((error as Error).constructor).toBe(kind);
      expect(error).toMatchObject({ details: 'why', retryAfterSeconds: 7 });
    },
  );

  it('leaves the outcome unknown with any other error, which is logged', async () => {
    const [registry, log] = [scripted('com'), new RecordingLog()];
    registry.next('check').failsWith(new TypeError('x is not a function'));

    await expect(routerTo({ registry }, {}, log).check([name('a.com')])).rejects.toBeInstanceOf(RegistryUnavailable);

    expect(log.entries.map(({ level, message }) => [level, message])).toEqual([
      ['error', 'adapter threw an error that its port does not define'],
    ]);
  });
});
