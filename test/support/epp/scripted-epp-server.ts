import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createServer, type SecureVersion, type TLSSocket } from 'node:tls';
import { generate } from 'selfsigned';
import { encodeFrame, FrameDecoder } from '../../../src/infrastructure/registry/epp/codec/frames';
import { NAMESPACES } from '../../../src/infrastructure/registry/epp/codec/namespaces';
import { parseXml } from '../../../src/infrastructure/registry/epp/codec/parse-xml';
import { childOf, tokenOf, type XmlElement } from '../../../src/infrastructure/registry/epp/codec/xml-element';

export interface Certificate {
  readonly cert: string;
  readonly key: string;
}

export async function aCertificate(commonName = 'localhost'): Promise<Certificate> {
  const names = [
    { type: 2 as const, value: commonName },
    ...(commonName === 'localhost' ? [{ type: 7 as const, ip: '127.0.0.1' }] : []),
  ];
  const { cert, private: key } = await generate([{ name: 'commonName', value: commonName }], {
    algorithm: 'sha256',
    keyType: 'ec',
    extensions: [
      { name: 'basicConstraints', cA: true },
      { name: 'subjectAltName', altNames: names },
    ],
  });
  return { cert, key };
}

export const SILENCE = Symbol('silence');
export const HANG_UP = Symbol('hang up');

/** How the server reacts to a frame: sends a document or bytes, does not respond, or closes the connection. */
export type Reaction = string | Buffer | typeof SILENCE | typeof HANG_UP;

export interface ScriptedServerOptions {
  readonly certificate: Certificate;
  readonly greeting?: Reaction;
  /** The reaction to a command, also to login and logout; `undefined` for success without data. */
  readonly answer?: (command: XmlElement, title: string, clTRID: string) => Reaction | undefined;
  /** Splits a response before it is sent. */
  readonly cut?: (frame: Buffer) => readonly Buffer[];
  /** The required issuer of client certificates. */
  readonly clientCa?: string;
  readonly maxVersion?: SecureVersion;
}

export interface ScriptedServer {
  readonly port: number;
  /** The titles of all commands received: `login`, `create`, `hello` … */
  readonly received: string[];
  /** Every received document. */
  readonly documents: string[];
  readonly sockets: ReadonlySet<TLSSocket>;
  close(): Promise<void>;
}

const ALL = [NAMESPACES.domain, NAMESPACES.host, NAMESPACES.contact];
const EXTENSIONS = [NAMESPACES.rgp, NAMESPACES.secDNS, NAMESPACES.fee];

export function greetingWith(objects: readonly string[] = ALL, extensions: readonly string[] = EXTENSIONS): string {
  const objUris = objects.map((uri) => `<objURI>${uri}</objURI>`).join('');
  const extUris =
    extensions.length > 0
      ? `<svcExtension>${extensions.map((uri) => `<extURI>${uri}</extURI>`).join('')}</svcExtension>`
      : '';
  return (
    `<epp xmlns="${NAMESPACES.epp}"><greeting><svID>Scripted</svID><svDate>2026-01-01T00:00:00Z</svDate><svcMenu><version>1.0</version><lang>en</lang>${objUris}${extUris}</svcMenu>` +
    '<dcp><access><all/></access><statement><purpose><prov/></purpose><recipient><ours/></recipient><retention><stated/></retention></statement></dcp></greeting></epp>'
  );
}

export function resultOf(code: number, clTRID?: string, inner = ''): string {
  const id = clTRID === undefined ? '' : `<clTRID>${clTRID}</clTRID>`;
  return `<epp xmlns="${NAMESPACES.epp}"><response><result code="${code}"><msg>Result ${code}</msg></result>${inner}<trID>${id}<svTRID>constructed-${code}</svTRID></trID></response></epp>`;
}

/** An EPP server with scripted reactions. */
export async function startScriptedServer({
  certificate,
  greeting = greetingWith(),
  answer = () => undefined,
  cut = (frame) => [frame],
  clientCa,
  maxVersion,
}: ScriptedServerOptions): Promise<ScriptedServer> {
  const received: string[] = [];
  const documents: string[] = [];
  const sockets = new Set<TLSSocket>();
  const server = createServer({
    ...certificate,
    ...(clientCa && { ca: clientCa, requestCert: true, rejectUnauthorized: true }),
    ...(maxVersion && { maxVersion, minVersion: maxVersion }),
  });
  server.on('tlsClientError', () => undefined);
  server.on('secureConnection', (socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
    const react = (reaction: Reaction): void => {
      if (reaction === SILENCE) return;
      if (reaction === HANG_UP) {
        socket.destroy();
        return;
      }
      for (const piece of cut(typeof reaction === 'string' ? encodeFrame(reaction) : reaction)) socket.write(piece);
    };
    const decoder = new FrameDecoder();
    socket.on('data', (chunk: Buffer) => {
      for (const bytes of decoder.push(chunk)) {
        documents.push(bytes.toString());
        const root = parseXml(bytes);
        const command = childOf(root, NAMESPACES.epp, 'command');
        const title = command ? (command.children[0]?.name ?? '') : 'hello';
        received.push(title);
        const clTRID = tokenOf(childOf(command, NAMESPACES.epp, 'clTRID')) ?? '';
        const reaction =
          answer(command ?? root, title, clTRID) ??
          (command ? resultOf(title === 'logout' ? 1500 : 1000, clTRID) : greetingWith());
        react(reaction);
        if (title === 'logout') socket.end();
      }
    });
    react(greeting);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    received,
    documents,
    sockets,
    close: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
