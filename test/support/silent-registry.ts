import type { RegistryContext, RunningRegistry } from '../../src/infrastructure/registry/registry-adapter';
import { SettingsRejected } from '../../src/infrastructure/registry/settings-rejected';
import { MovableClock } from './movable-clock';
import { ScriptedRegistry } from './scripted-registry';
import { SOME_TLDS } from './some-tlds';

/** An adapter as a stranger's module: it takes every question and answers none until it is closed. */
// oxlint-disable-next-line import/no-default-export -- a module that is named as an adapter exports its factory by default
export default async function silentRegistry({ settings, tlds }: RegistryContext): Promise<RunningRegistry> {
  if (settings['fault'] !== undefined) throw new SettingsRejected([{ setting: 'fault', problem: 'is not known' }]);
  const port = new ScriptedRegistry(new MovableClock(), SOME_TLDS.filter(({ suffix }) => tlds.some((rules) => rules.suffix === suffix)));
  const answers: (() => void)[] = [];
  const never = () => new Promise<never>((_, reject) => answers.push(() => reject(new Error('closed'))));
  port.check = never;
  port.price = never;
  return { port, close: async () => answers.forEach((answer) => answer()) };
}
