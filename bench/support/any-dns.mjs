// A worker thread that answers every DNS query over UDP at port 53 of an address, as a resolver and as a nameserver of every zone.
import { createSocket } from 'node:dgram';
import { parentPort, workerData } from 'node:worker_threads';
import { AUTHORITATIVE_ANSWER, decode, encode, RECURSION_AVAILABLE } from 'dns-packet';

const { address, nameservers } = workerData;
const SOA = { mname: nameservers[0], rname: 'admin.example.net', serial: 4_000_000_000 };

const socket = createSocket('udp4');
socket.on('message', (bytes, from) => {
  const { id, questions = [] } = decode(bytes);
  const [{ name, type }] = questions;
  const flags = RECURSION_AVAILABLE | AUTHORITATIVE_ANSWER;
  const answers = dataOf(name, type).map((data) => ({ name, type, ttl: 300, data }));
  socket.send(encode({ type: 'response', id, flags, questions, answers }), from.port, from.address);
});
socket.on('error', (/** @type {NodeJS.ErrnoException} */ error) => parentPort?.postMessage(error.code));
socket.bind(53, address, () => parentPort?.postMessage('listening'));

function dataOf(name, type) {
  if (type === 'SOA') return [{ ...SOA, refresh: 1, retry: 1, expire: 1, minimum: 1 }];
  if (type === 'NS') return nameservers;
  if (type === 'MX') return [{ preference: 10, exchange: 'mail.example.net' }];
  if (type === 'TXT') return [name.startsWith('_dmarc.') ? 'v=DMARC1; p=reject' : 'v=spf1 mx ip4:192.0.2.0/24 -all'];
  return type === 'A' ? [address] : [];
}
