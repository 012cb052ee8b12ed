import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const HAPROXY = ['/usr/sbin/haproxy', '/usr/local/sbin/haproxy'].find((path) => existsSync(path));

const ALL_UP = '/all-backends-up';

/** Why campaigns that need HAProxy cannot run; undefined if they can. */
export const HAPROXY_MISSING = HAPROXY === undefined ? 'no haproxy is installed' : undefined;

/** Starts HAProxy in front of instances of the service, with the settings of docs/operations/reverse-proxy.md. `backends`: their ports. */
export async function startHaproxy(folder: string, port: number, backends: readonly number[]): Promise<ChildProcess> {
  const file = join(folder, 'haproxy.cfg');
  writeFileSync(
    file,
    `defaults
  mode http
  timeout connect 2s
  timeout client 60s
  timeout server 60s
frontend clients
  bind 127.0.0.1:${port}
  monitor-uri ${ALL_UP}
  monitor fail if { nbsrv(namewright) lt ${backends.length} }
  default_backend namewright
backend namewright
  option httpchk GET /readyz
  timeout check 1500ms
  default-server check inter 500ms fall 2 rise 1
${backends.map((backend, index) => `  server replica${index} 127.0.0.1:${backend}`).join('\n')}
`,
  );
  const proxy = spawn(HAPROXY!, ['-db', '-f', file], { stdio: 'ignore' });
  await untilOk(`http://127.0.0.1:${port}/readyz`, [proxy]);
  return proxy;
}

/** Waits until the health checks of HAProxy have found all backends. @throws Error if one of the processes has ended */
export function allBackendsUp(port: number, processes: readonly ChildProcess[]): Promise<void> {
  return untilOk(`http://127.0.0.1:${port}${ALL_UP}`, processes);
}

async function untilOk(url: string, processes: readonly ChildProcess[]): Promise<void> {
  while (!(await fetch(url).catch(() => undefined))?.ok) {
    const ended = processes.find(({ exitCode, signalCode }) => exitCode !== null || signalCode !== null);
    if (ended) throw new Error(`${ended.spawnargs.join(' ')} has ended`);
    await sleep(50);
  }
}
