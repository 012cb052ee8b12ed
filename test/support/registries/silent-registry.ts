import type { RegistryContext, RunningRegistry } from '../../../src/infrastructure/registry/registry-adapter';
import { SettingsRejected } from '../../../src/infrastructure/registry/settings-rejected';
import { MovableClock } from '../fakes/movable-clock';
import { ScriptedRegistry } from '../fakes/scripted-registry';
import { SOME_TLDS } from '../data/some-tlds';

/** An adapter module that does not respond to `questions` or `registrations`, as its setting `silent_to` says, until it is closed. */
// oxlint-disable-next-line import/no-default-export -- adapter modules export their factory by default
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
