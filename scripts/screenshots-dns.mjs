// A resolver and nameservers for the health checks of the sample domains, at port 53 of a loopback address.
import { execFileSync } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { AUTHORITATIVE_ANSWER, decode, encode, RECURSION_AVAILABLE } from 'dns-packet';

const ADDRESS = '127.77.0.2';
const SERVFAIL = 2;
const NAME_ERROR = 3;
const GONE = 'analytical-engines.old-shop.example';
const TIMERS = { refresh: 3_600, retry: 600, expire: 1_209_600, minimum: 300 };

/** Returns its settings for the service. Without permission for port 53, the checks that need a resolver stay unknown. */
export async function startDns() {
  const serials = new Map();
  const socket = createSocket('udp4');
  socket.on('message', (bytes, from) => socket.send(respond(decode(bytes), serials), from.port, from.address));
  const isListening = await new Promise((resolve) => {
    socket.once('error', () => resolve(false));
    socket.bind(53, ADDRESS, () => resolve(true));
  });
  return {
    serials,
    settings: isListening ? { HEALTH_RESOLVER: ADDRESS, HEALTH_NETWORKS: '127.0.0.0/8' } : { HEALTH_RESOLVER: 'off' },
    /** The secondaries of the service. */
    addSecondaries: (environment) => {
      const admin = (...args) =>
        execFileSync(process.execPath, ['dist/cli.js', 'dns', ...args], { env: environment, encoding: 'utf8' });
      admin('tsig', 'create', 'secondaries');
      for (const name of ['ns1', 'ns2']) admin('secondary', 'add', name, `${ADDRESS}:53`, '--key', 'secondaries');
    },
    stop: () => socket.close(),
  };
}

function respond({ id, questions }, serials) {
  const [{ name, type }] = questions;
  const found = name === GONE ? undefined : dataOf(name, type, serials);
  const rcode = found === undefined ? NAME_ERROR : name === 'countess.me' && type === 'SOA' ? SERVFAIL : 0;
  const flags = RECURSION_AVAILABLE | AUTHORITATIVE_ANSWER | rcode;
  const answers = rcode === 0 ? found.map((data) => ({ name, type, ttl: 300, data })) : [];
  return encode({ type: 'response', id, flags, questions, answers });
}

function dataOf(name, type, serials) {
  const serial = serials.get(name);
  if (type === 'SOA')
    return serial === undefined ? [] : [{ mname: 'ns1.example.net', rname: 'admin.example.net', serial, ...TIMERS }];
  if (type === 'NS') return ['ns1.namewright.example', 'ns2.namewright.example'];
  return type === 'A' ? [ADDRESS] : [];
}
