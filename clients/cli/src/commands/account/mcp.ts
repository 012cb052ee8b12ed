import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { command } from '../../program/command.ts';
import type { Session } from '../../program/session.ts';

interface Message {
  readonly id?: string | number;
  readonly method?: string;
  readonly params?: {
    readonly name?: string;
    readonly taskId?: string;
    readonly requestId?: string | number;
    readonly _meta?: Readonly<Record<string, unknown>>;
  };
  readonly result?: { readonly protocolVersion?: string };
  readonly error?: unknown;
}

/** JSON-RPC: of a server, without a more exact meaning. */
const SERVER_ERROR = -32_000;
const VERSION = 'io.modelcontextprotocol/protocolVersion';

export const mcp = command({
  name: 'mcp',
  summary: 'serve an agent on standard input and output, by the MCP server of the service',
  details: [
    'For agents that start their MCP servers as programs. Each message is a line; it is sent to /mcp of the service with the key of the profile.',
  ],
  examples: [`echo '{"jsonrpc":"2.0","id":1,"method":"tools/list"}' | namewright mcp`],
  run: async (session) => new Bridge(session).run(),
});

/** Sends lines to the server by HTTP, and prints what it sends back. */
class Bridge {
  private readonly running = new Map<string | number, AbortController>();
  /** Since the client has initialized a connection of an older revision. */
  private version: string | undefined;

  constructor(private readonly session: Session) {}

  async run(): Promise<void> {
    const { url, key } = this.session.access;
    const sent: Promise<void>[] = [];
    for await (const line of createInterface({ input: this.session.terminal.streams.input })) {
      if (line.trim() !== '') sent.push(this.forward(`${url}/mcp`, key, line));
    }
    await Promise.all(sent);
  }

  private async forward(url: string, key: string, line: string): Promise<void> {
    const message = parsed(line);
    const { id, method, params } = message;
    const cancelled = method === 'notifications/cancelled' ? params?.requestId : undefined;
    if (cancelled !== undefined) this.running.get(cancelled)?.abort();
    const control = new AbortController();
    if (id !== undefined) this.running.set(id, control);
    try {
      const headers = { ...this.headersOf(message), Authorization: `Bearer ${key}` };
      const response = await fetch(url, { method: 'POST', headers, body: line, signal: control.signal });
      await this.print(response, message);
    } catch (error) {
      if (!control.signal.aborted) this.fail(message, error instanceof Error ? error.message : String(error));
    } finally {
      if (id !== undefined) this.running.delete(id);
    }
  }

  private headersOf({ method, params }: Message): Record<string, string> {
    const { _meta: meta, taskId, name = taskId } = params ?? {};
    const revision = meta?.[VERSION];
    const version = typeof revision === 'string' ? revision : this.version;
    return {
      'Content-Type': 'application/json',
      Accept: 'application/json, text/event-stream',
      ...(version !== undefined && { 'MCP-Protocol-Version': version }),
      ...(typeof revision === 'string' && method !== undefined && { 'Mcp-Method': method }),
      ...(typeof revision === 'string' && name !== undefined && { 'Mcp-Name': name }),
    };
  }

  /** An error that has no id is that of the request: it was refused before it was read. Notifications get none. */
  private async print(response: Response, message: Message): Promise<void> {
    if (response.headers.get('content-type')?.startsWith('text/event-stream')) {
      const lines = createInterface({ input: Readable.fromWeb(response.body as never) });
      for await (const text of lines) if (text.startsWith('data:')) this.printLine(text.slice(5).trim(), message);
      return;
    }
    const text = (await response.text()).trim();
    if (text !== '') this.printLine(text, message);
    else if (message.id !== undefined) this.fail(message, `the service responded ${response.status} without a message`);
  }

  private printLine(text: string, { id, method }: Message): void {
    if (text === '') return;
    const response = parsed(text);
    if (method === 'initialize') this.version = response.result?.protocolVersion;
    if (response.error === undefined || typeof response.id === 'number' || typeof response.id === 'string')
      this.session.terminal.print(text);
    else if (id !== undefined || method === undefined)
      this.session.terminal.print(JSON.stringify({ ...response, id: id ?? null }));
  }

  private fail({ id }: Message, message: string): void {
    if (id === undefined) this.session.terminal.note(message);
    else this.session.terminal.print(JSON.stringify({ jsonrpc: '2.0', id, error: { code: SERVER_ERROR, message } }));
  }
}

/** What is no JSON is left to the service, which responds with a parse error. */
function parsed(text: string): Message {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : {};
  } catch {
    return {};
  }
}
