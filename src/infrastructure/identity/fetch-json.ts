import { request as requestHttp, type IncomingMessage } from 'node:http';
import { request as requestHttps } from 'node:https';
import { fixedLookup, type ReceiverAddresses } from '../webhooks/receiver-addresses';

interface FetchLimits {
  readonly maxBytes: number;
  readonly timeoutMs: number;
}

/**
 * Gets a JSON document of at most `maxBytes` from a host that an account names, with the checked addresses of webhooks' receivers and
 * without following redirects. Throws if there is none in time.
 */
export async function fetchJson(
  url: URL,
  addresses: ReceiverAddresses,
  { maxBytes, timeoutMs }: FetchLimits,
): Promise<unknown> {
  const signal = AbortSignal.timeout(timeoutMs);
  const lookup = fixedLookup(await addresses.of(url));
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    const send = url.protocol === 'https:' ? requestHttps : requestHttp;
    const headers = { accept: 'application/json', connection: 'close', 'user-agent': 'Namewright' };
    const request = send(url, { agent: false, lookup, maxHeaderSize: 16_384, signal, headers });
    request.on('error', reject);
    request.on('response', resolve);
    request.on('close', () => reject(new Error('the connection was closed before a response')));
    request.end();
  });
  try {
    if (response.statusCode !== 200) throw new Error(`the status is ${response.statusCode}`);
    const chunks: Buffer[] = [];
    let bytes = 0;
    for await (const chunk of response) {
      const piece = chunk as Buffer;
      bytes += piece.length;
      if (bytes > maxBytes) throw new Error(`the document is larger than ${maxBytes} bytes`);
      chunks.push(piece);
    }
    return JSON.parse(Buffer.concat(chunks).toString('utf8'));
  } finally {
    response.destroy();
  }
}
