import { RegistryNotContacted } from '../../../../../src/application/ports/registry/registry-errors';
import { JsonClient } from '../../../../../src/infrastructure/registry/rest/json-client';
import { RegistryGuard } from '../../../../../src/infrastructure/registry/routing/registry-guard';
import { DEFAULT_LIMITS } from '../../../../../src/infrastructure/registry/routing/registry-limits';
import { recordedRegistry } from '../../../../support/epp/recorded-registry';
import { RecordingLog } from '../../../../support/fakes/recording-log';
import { name } from '../../../../support/registries/scripted-router';

afterEach(() => jest.restoreAllMocks());

describe('a command whose time limit ended', () => {
  const lock = name('life187315.test');
  const vendor = new JsonClient({ vendor: 'Acme', url: 'https://api.example', headers: {}, timeoutMs: 5_000 });
  const epp = recordedRegistry(['212-info', '212-info']);
  const requests = jest.fn(async () => Response.json({}));

  it.each<[string, () => Promise<unknown>, () => number]>([
    ['an EPP registry', () => epp.registry.setTransferLock(lock, true, 'id-1'), () => epp.sent.length],
    ['a REST vendor', () => vendor.send({ method: 'POST', path: '/' }), () => requests.mock.calls.length],
  ])('sends no further request to %s, while other commands send theirs', async (_where, send, countSent) => {
    jest.spyOn(globalThis, 'fetch').mockImplementation(requests);
    const guard = new RegistryGuard('registry', { ...DEFAULT_LIMITS, commandMs: 500 }, new RecordingLog());
    const release: (() => void)[] = [];
    const firstStep = new Promise<void>((resolve) => release.push(resolve));
    let work: Promise<unknown> = firstStep;

    const rejected = await guard.command(() => (work = firstStep.then(send))).catch((error: unknown) => error);
    await new RegistryGuard('other', DEFAULT_LIMITS, new RecordingLog()).command(() => send().catch(() => undefined));
    const sentInTime = countSent();
    for (const endFirstStep of release) endFirstStep();
    const late = await work.catch((error: unknown) => error);

    expect(rejected).not.toBeInstanceOf(RegistryNotContacted);
    expect(late).toBeInstanceOf(RegistryNotContacted);
    expect(sentInTime).toBeGreaterThan(0);
    expect(countSent()).toBe(sentInTime);
  });
});
