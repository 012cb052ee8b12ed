// An adapter for REGISTRIES_FILE: the simulated registry, with `settings.milliseconds` of latency per registration.
import { setTimeout as sleep } from 'node:timers/promises';
import { startSimulated } from '#dist/infrastructure/registry/sandbox/simulated/start-simulated.js';

/** @param {any} context */
// oxlint-disable-next-line import/no-default-export -- an adapter module must export its factory by default
export default async function startSlow({ settings: { milliseconds, ...settings }, ...context }) {
  const running = await startSimulated({ ...context, settings });
  const port = new Proxy(running.port, {
    get: (target, name) => {
      const method = target[name].bind(target);
      if (name !== 'register') return method;
      return async (request) => {
        await sleep(milliseconds);
        return method(request);
      };
    },
  });
  return { ...running, port };
}
