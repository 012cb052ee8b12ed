import { isIP } from 'node:net';
import { inject, injectable, token } from '../../application/ports/inject';
import { ServiceError } from '../../domain/shared/service-error';

export interface McpSettings {
  readonly publicUrl: string | undefined;
  /** Further names of this service. */
  readonly hosts: readonly string[];
}
export const McpSettings = token<McpSettings>('McpSettings');

class ForeignHost extends ServiceError {
  readonly code = 'INSUFFICIENT_SCOPE';

  constructor(field: 'Host' | 'Origin') {
    super(
      `The ${field} of the request is not that of this service`,
      field === 'Host' ? 'The operator can allow the name with PUBLIC_URL or MCP_HOSTS' : undefined,
    );
  }
}

const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]']);

/**
 * Refuses requests that a website sends from someone's browser by DNS rebinding: its own name, resolved to the address of this
 * service. An address in Host needs no name, and so cannot be such a request.
 */
@injectable()
export class AllowedHosts {
  private readonly names: ReadonlySet<string>;

  constructor(@inject(McpSettings) { publicUrl, hosts }: McpSettings) {
    this.names = new Set([...LOOPBACK, ...hosts, ...(publicUrl === undefined ? [] : [new URL(publicUrl).hostname])]);
  }

  /** @throws ForeignHost */
  assert(host: string | undefined, origin: string | undefined): void {
    const name = hostnameOf(`http://${host ?? ''}`);
    if (name === undefined || !(this.names.has(name) || isAddress(name))) throw new ForeignHost('Host');
    if (origin === undefined) return;
    const from = hostnameOf(origin);
    if (from === undefined || !(this.names.has(from) || from === name)) throw new ForeignHost('Origin');
  }
}

function hostnameOf(url: string): string | undefined {
  return URL.parse(url)?.hostname || undefined;
}

function isAddress(hostname: string): boolean {
  return isIP(hostname.replace(/^\[(.*)\]$/, '$1')) > 0;
}
