// Run: npm install standardwebhooks; WEBHOOK_SECRET=whsec_… node --experimental-strip-types receiver.ts
import { createServer, type IncomingMessage } from 'node:http';
import { Webhook } from 'standardwebhooks';

const webhook = new Webhook(process.env['WEBHOOK_SECRET'] ?? '');

async function answer(request: IncomingMessage): Promise<number> {
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(piece as Buffer);
  const headers = request.headers as Record<string, string>;
  const event = webhook.verify(Buffer.concat(pieces), headers) as { id: string; type: string };
  process.stdout.write(`${event.id} ${event.type}\n`); // store it, unless it is known by its id
  return 204;
}

createServer((request, response) => {
  const status = answer(request).catch(() => 401);
  void status.then((code) => response.writeHead(code).end());
}).listen(Number(process.env['PORT'] ?? 8080));
