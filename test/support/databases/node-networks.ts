import { execFileSync } from 'node:child_process';

/** The network of a node of a cluster: the other nodes and the clients reach it by different links. */
export interface NodeNetwork {
  /** For other nodes. */
  readonly groupAddress: string;
  /** For clients. */
  readonly clientAddress: string;
  /** Runs a command in the node's network. */
  readonly command: readonly string[];
  /** Cuts the node off from the other nodes; clients still reach it. */
  cutOff(): void;
  reconnect(): void;
}

export interface NodeNetworks {
  readonly networks: readonly NodeNetwork[];
  remove(): void;
}

const ID = process.pid % 100_000;
// The networks for benchmarks of RFC 2544, appendix C: no machine's own network is one of them.
const FIRST_SUBNET = (process.pid % 32) * 8;
const subnet = (number: number): string => `198.18.${FIRST_SUBNET + number}`;

/** Up to seven network namespaces on one bridge, with a further link each for clients. Needs root, and `ip` of iproute2. */
export function createNodeNetworks(size: number): NodeNetworks {
  const bridge = `nw${ID}br`;
  const numbers = Array.from({ length: size }, (_each, index) => index + 1);
  const remove = (): void => {
    for (const number of numbers) tryIp(`netns del nw${ID}-${number}`);
    tryIp(`link del ${bridge}`);
  };
  try {
    ip(`link add ${bridge} type bridge`, `link set ${bridge} up`);
    return { networks: numbers.map((number) => createNetwork(number, bridge)), remove };
  } catch (error) {
    remove();
    throw error;
  }
}

/** Why nodes cannot have networks of their own; undefined if they can. */
export function nodeNetworksMissing(): string | undefined {
  try {
    createNodeNetworks(1).remove();
    return undefined;
  } catch (error) {
    return `network namespaces cannot be created: ${String(error)}`;
  }
}

function createNetwork(number: number, bridge: string): NodeNetwork {
  const namespace = `nw${ID}-${number}`;
  const [group, client] = [`nw${ID}g${number}`, `nw${ID}c${number}`];
  const groupAddress = `${subnet(0)}.${number}`;
  const clientAddress = `${subnet(number)}.2`;
  ip(
    `netns add ${namespace}`,
    `link add ${group} type veth peer name peers netns ${namespace}`,
    `link set ${group} master ${bridge} up`,
    `-n ${namespace} addr add ${groupAddress}/24 dev peers`,
    `-n ${namespace} link set peers up`,
    `link add ${client} type veth peer name client netns ${namespace}`,
    `addr add ${subnet(number)}.1/24 dev ${client}`,
    `link set ${client} up`,
    `-n ${namespace} addr add ${clientAddress}/24 dev client`,
    `-n ${namespace} link set client up`,
    `-n ${namespace} link set lo up`,
  );
  const route = execFileSync('ip', ['route', 'get', clientAddress], { encoding: 'utf8' });
  if (!route.includes(`dev ${client} `)) throw new Error(`${clientAddress} is reached by another link: ${route}`);
  return {
    groupAddress,
    clientAddress,
    command: ['ip', 'netns', 'exec', namespace],
    cutOff: () => ip(`link set ${group} down`),
    reconnect: () => ip(`link set ${group} up`),
  };
}

function ip(...commands: readonly string[]): void {
  for (const command of commands) execFileSync('ip', command.split(' '), { stdio: 'pipe' });
}

function tryIp(command: string): void {
  try {
    ip(command);
  } catch {
    // It was not created.
  }
}
