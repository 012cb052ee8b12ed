import type { RegistryContext, RunningRegistry } from '../../../src/infrastructure/registry/registry-adapter';
import { SettingsRejected } from '../../../src/infrastructure/registry/settings-rejected';
import { MovableClock } from '../fakes/movable-clock';
import { ScriptedRegistry } from '../fakes/scripted-registry';
import { SOME_TLDS } from '../data/some-tlds';

/**
 * An adapter as a stranger's module: what it is told to be silent to, `questions` or `registrations`, it takes and does
 * not answer until it is closed.
 */
// oxlint-disable-next-line import/no-default-export -- a module that is named as an adapter exports its factory by default
export default async function silentRegistry({ settings, tlds }: RegistryContext): Promise<RunningRegistry> {
  const { silent_to: silentTo } = settings;
  if (silentTo !== 'questions' && silentTo !== 'registrations')
    throw new SettingsRejected([{ path: 'silent_to', message: 'must be questions or registrations' }]);
  const port = new ScriptedRegistry(
    new MovableClock(),
    SOME_TLDS.filter(({ suffix }) => tlds.some((rules) => rules.suffix === suffix)),
  );
  const waiting: (() => void)[] = [];
  const never = () => new Promise<never>((_, reject) => waiting.push(() => reject(new Error('closed'))));
  if (silentTo === 'questions') Object.assign(port, { check: never, price: never });
  else Object.assign(port, { register: never });
  return { port, close: async () => waiting.forEach((end) => end()) };
}
