// Sends as many requests as its parent says, over eight connections, and reports when all have a response, or the first failure.
import { Agent, get } from 'node:http';

const [, , url, key] = process.argv;
const agent = new Agent({ keepAlive: true, maxSockets: 8 });

function send() {
  return new Promise((resolve, reject) => {
    get(url, { agent, headers: { authorization: `Bearer ${key}` } }, (response) => {
      if (response.statusCode !== 200) reject(new Error(`status ${response.statusCode}`));
      response.resume().once('end', resolve);
    }).once('error', reject);
  });
}

async function sendAll(count) {
  try {
    await Promise.all(Array.from({ length: count }, send));
    process.send?.('done');
  } catch (error) {
    process.send?.(String(error));
  }
}

process.on('message', (count) => void sendAll(count));
