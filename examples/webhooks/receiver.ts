// Run: WEBHOOK_SECRET=whsec_… node --experimental-strip-types receiver.ts
import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingHttpHeaders } from 'node:http';

const key = Buffer.from((process.env['WEBHOOK_SECRET'] ?? '').replace('whsec_', ''), 'base64');

function isGenuine(headers: IncomingHttpHeaders, body: Buffer): boolean {
  const { 'webhook-id': id, 'webhook-timestamp': time, 'webhook-signature': signatures } = headers;
  if (!(Math.abs(Date.now() / 1000 - Number(time)) < 300)) return false;
  const own = createHmac('sha256', key)
    .update(`${String(id)}.${String(time)}.`)
    .update(body)
    .digest();
  const given = String(signatures)
    .split(' ')
    .map((each) => Buffer.from(each.replace('v1,', ''), 'base64'));
  return given.some((each) => each.length === own.length && timingSafeEqual(each, own));
}

createServer((request, response) => {
  const pieces: Buffer[] = [];
  request.on('data', (piece: Buffer) => pieces.push(piece));
  request.on('end', () => {
    const body = Buffer.concat(pieces);
    if (!isGenuine(request.headers, body)) return response.writeHead(401).end();
    const event = JSON.parse(body.toString()) as { id: string; type: string };
    process.stdout.write(`${event.id} ${event.type}\n`); // store it, unless it is known by its id
    return response.writeHead(204).end();
  });
}).listen(Number(process.env['PORT'] ?? 8080));
