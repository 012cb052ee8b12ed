import { execFile, execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, cpSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createConnection } from 'mysql2/promise';
import { freePort } from '../free-port';
import type { NodeNetwork, NodeNetworks } from './node-networks';
import { newDataFolder, NO_SYNC, PRIVATE_MYSQL_MISSING, SERVER } from './mariadb';

const PROVIDER = ['/usr/lib/galera/libgalera_smm.so', '/usr/lib/libgalera_smm.so'].find((path) => existsSync(path));
/** A node runs rsync, which gives up the rights of root. */
const USER = process.getuid?.() === 0 ? 'mysql' : undefined;
const LOOPBACK = '127.0.0.1';
const SYNC_TIMEOUT_MS = 120_000;
const CLUSTER = 'namewright-test';
/** As in docs/operations/clusters.md: a cluster excludes a node that does not respond after two seconds. */
const EVICTION =
  'evs.keepalive_period=PT0.5S;evs.suspect_timeout=PT2S;evs.install_timeout=PT2S;evs.join_retrans_period=PT0.5S;evs.max_install_timeouts=10;gmcast.time_wait=PT2S';

/** Why tests that need a Galera cluster are skipped; undefined if they can run. */
export const GALERA_MISSING: string | undefined =
  PRIVATE_MYSQL_MISSING ?? (PROVIDER ? undefined : 'no libgalera_smm.so is installed');

interface GaleraNode {
  /** URL of a database at this node. */
  url(database: string): string;
  kill(): Promise<void>;
  /** Starts the node after `kill`; it gets what it missed from another node. */
  restart(): Promise<void>;
  /** Suspends the node, as if it were cut off. */
  freeze(): void;
  thaw(): void;
  /** The end of the error log. */
  log(): string;
  /** Only in a cluster whose nodes have networks of their own. */
  readonly network?: NodeNetwork | undefined;
}

interface StartedNode extends GaleraNode {
  start(isFirst: boolean): Promise<void>;
  hasEnded(): boolean;
}

export interface GaleraCluster {
  readonly nodes: readonly GaleraNode[];
  /** Creates an empty database on all nodes and returns its name. */
  createDatabase(): Promise<string>;
  /**
   * Waits until every node is synced in a cluster of all nodes. After two minutes, restarts those that are not, as an operator
   * would, and returns the ends of the logs.
   */
  waitUntilWhole(): Promise<string | undefined>;
  stop(): Promise<void>;
}

/** Starts a cluster in a temporary folder: on free loopback ports, or with a network for each node. */
export async function startGalera(size = 3, networks?: NodeNetworks): Promise<GaleraCluster> {
  if (!SERVER || !PROVIDER) throw new Error(GALERA_MISSING);
  const folder = mkdtempSync(join(tmpdir(), 'namewright-galera-'));
  chmodSync(folder, 0o755);
  const ports = await Promise.all(Array.from({ length: size * 4 }, () => freePort()));
  const groupPorts = ports.slice(0, size);
  const networkOf = (index: number) => networks?.networks[index];
  const address = `gcomm://${groupPorts.map((port, index) => `${networkOf(index)?.groupAddress ?? LOOPBACK}:${port}`).join(',')}`;
  const nodes: StartedNode[] = [];
  for (const [index, groupPort] of groupPorts.entries()) {
    const [port = 0, stateTransferPort = 0, snapshotPort = 0] = ports.slice(size + index * 3);
    nodes.push(
      createNode(
        join(folder, `node${index + 1}`),
        address,
        { port, groupPort, stateTransferPort, snapshotPort },
        networkOf(index),
      ),
    );
  }
  const stop = async (): Promise<void> => {
    await Promise.all(nodes.map((node) => node.kill()));
    networks?.remove();
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    for (const [index, node] of nodes.entries()) await node.start(index === 0);
  } catch (error) {
    await stop();
    throw error;
  }
  let databases = 0;
  return {
    nodes,
    createDatabase: async () => {
      databases += 1;
      const name = `cluster_${databases}`;
      const connection = await createConnection(nodes[0]?.url('mysql') ?? '');
      await connection.query(`CREATE DATABASE ${name}`);
      await connection.end();
      await Promise.all(nodes.map((node) => waitForDatabase(node, name)));
      return name;
    },
    waitUntilWhole: async () => {
      const allSynced = () => Promise.all(nodes.map((node) => waitUntilSynced(node, size)));
      const isWhole = await allSynced().then(
        () => true,
        () => false,
      );
      if (isWhole) return undefined;
      const logs = nodes.map((node) => node.log());
      for (const node of nodes) if (!(await isSynced(node))) await node.kill().then(() => node.restart());
      await allSynced();
      return logs.join('\n');
    },
    stop,
  };
}

interface NodePorts {
  readonly port: number;
  readonly groupPort: number;
  readonly stateTransferPort: number;
  readonly snapshotPort: number;
}

function createNode(
  folder: string,
  address: string,
  { port, groupPort, stateTransferPort, snapshotPort }: NodePorts,
  network: NodeNetwork | undefined,
): StartedNode {
  const server = SERVER ?? '';
  const group = network?.groupAddress ?? LOOPBACK;
  const data = join(folder, 'data');
  cpSync(newDataFolder(server), data, { recursive: true });
  const log = join(folder, 'error.log');
  if (USER) execFileSync('chown', ['-R', USER, folder]);
  const env = { ...process.env, TMPDIR: folder };
  const common = ['--no-defaults', `--datadir=${data}`, ...(USER ? [`--user=${USER}`] : []), ...NO_SYNC];
  const options = [
    ...common,
    `--port=${port}`,
    `--bind-address=${network?.clientAddress ?? LOOPBACK}`,
    // The accounts of a new data folder are those of the loopback address.
    ...(network ? ['--skip-grant-tables'] : []),
    `--socket=${join(folder, 'sock')}`,
    '--innodb-buffer-pool-size=64M',
    `--log-error=${log}`,
    // The log is shown when the cluster does not become whole: without a line for each connection.
    '--skip-name-resolve',
    '--log-warnings=1',
    '--binlog-format=ROW',
    '--innodb-autoinc-lock-mode=2',
    '--wsrep-on=ON',
    `--wsrep-provider=${PROVIDER}`,
    `--wsrep-cluster-name=${CLUSTER}`,
    `--wsrep-cluster-address=${address}`,
    `--wsrep-node-address=${group}`,
    '--wsrep-sst-method=rsync',
    `--wsrep-sst-receive-address=${group}:${snapshotPort}`,
    `--wsrep-provider-options=gmcast.listen_addr=tcp://${group}:${groupPort};ist.recv_addr=${group}:${stateTransferPort};gcache.size=32M;${EVICTION}`,
  ];
  const url = (database: string): string => `mysql://root@${network?.clientAddress ?? LOOPBACK}:${port}/${database}`;
  const endOfLog = (): string => readFileSync(log, 'utf8').slice(-6_000);
  let running: ChildProcess | undefined;
  const hasEnded = () => !running || running.exitCode !== null || running.signalCode !== null;
  const start = async (...more: string[]): Promise<void> => {
    const [command = '', ...args] = [...(network?.command ?? []), server, ...options, ...more];
    running = spawn(command, args, { env, stdio: 'ignore' });
    await waitUntilSynced({ url, hasEnded }, 1).catch((cause: unknown) => {
      throw new Error(`${endOfLog()}\n${String(cause)}`, { cause });
    });
  };
  const signal = (name: NodeJS.Signals): void => void running?.kill(name);
  return {
    url,
    hasEnded,
    start: (isFirst) => start(...(isFirst ? ['--wsrep-new-cluster'] : [])),
    kill: async () => {
      if (!running || hasEnded()) return;
      signal('SIGKILL');
      await once(running, 'exit');
    },
    restart: async () => start(`--wsrep-start-position=${await recoveredPosition(server, common, env)}`),
    freeze: () => signal('SIGSTOP'),
    thaw: () => signal('SIGCONT'),
    log: endOfLog,
    network,
  };
}

/** The last transaction in InnoDB's log, as galera_recovery reads it. Campaigns measure responses in this process meanwhile. */
async function recoveredPosition(server: string, options: readonly string[], env: NodeJS.ProcessEnv): Promise<string> {
  const { stdout: output } = await promisify(execFile)(
    'sh',
    [
      '-c',
      '"$0" "$@" --wsrep-recover --wsrep-on=ON --log-error-verbosity=3 2>&1',
      server,
      ...options,
      `--wsrep-provider=${PROVIDER}`,
      '--wsrep-cluster-address=gcomm://',
      '--binlog-format=ROW',
      '--innodb-autoinc-lock-mode=2',
      '--skip-networking',
    ],
    { env },
  ).catch((error: { readonly stdout?: string; readonly message: string }) => ({
    stdout: error.stdout ?? error.message,
  }));
  const position = /Recovered position:\s*([0-9a-f-]+:-?\d+)/.exec(output)?.[1];
  if (!position) throw new Error(`no recovered position in: ${output.slice(-6_000)}`);
  return position;
}

/** Waits for a node in a cluster of at least `size` nodes. A joining node closes connections until it has the state of the cluster. */
async function waitUntilSynced(node: Pick<StartedNode, 'url' | 'hasEnded'>, size: number): Promise<void> {
  const url = node.url('mysql');
  const deadline = Date.now() + SYNC_TIMEOUT_MS;
  for (;;) {
    const status = await statusOf(url).catch(() => new Map<string, string>());
    if (status.get('wsrep_local_state_comment') === 'Synced' && Number(status.get('wsrep_cluster_size')) >= size)
      return;
    if (node.hasEnded()) throw new Error('mariadbd has ended');
    if (Date.now() > deadline) throw new Error(`the node at ${url} is not synced: ${JSON.stringify([...status])}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

async function isSynced(node: Pick<GaleraNode, 'url'>): Promise<boolean> {
  const status = await statusOf(node.url('mysql')).catch(() => new Map<string, string>());
  return status.get('wsrep_local_state_comment') === 'Synced';
}

async function statusOf(url: string): Promise<ReadonlyMap<string, string>> {
  const connection = await createConnection({ uri: url, connectTimeout: 1_000 });
  try {
    const [rows] = await connection.query({
      sql: "SHOW STATUS WHERE Variable_name IN ('wsrep_local_state_comment', 'wsrep_cluster_size')",
      timeout: 2_000,
    });
    return new Map((rows as { Variable_name: string; Value: string }[]).map((row) => [row.Variable_name, row.Value]));
  } finally {
    connection.destroy();
  }
}

async function waitForDatabase(node: StartedNode, database: string): Promise<void> {
  for (const deadline = Date.now() + SYNC_TIMEOUT_MS; ;) {
    try {
      await (await createConnection(node.url(database))).end();
      return;
    } catch (error) {
      if (node.hasEnded() || Date.now() > deadline) throw error;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }
}
