import type { AddressInfo } from 'node:net';
import type { Server } from 'node:http';

export interface ToolResult {
  readonly resultType?: string;
  readonly structuredContent?: Record<string, unknown>;
  readonly content?: readonly { readonly text: string }[];
  readonly isError?: boolean;
  readonly requestState?: string;
  readonly inputRequests?: Readonly<Record<string, { readonly params: { readonly message: string } }>>;
}

export type Revision = '2026-07-28' | '2025-11-25';
type Message = Readonly<Record<string, unknown>>;

interface McpClientOptions {
  readonly revision?: Revision;
  /** Of a client that can ask a person. */
  readonly asksPeople?: boolean;
  /** Of a client that polls tasks. */
  readonly takesTasks?: boolean;
}

/** A client of `/mcp` that sends what the specification says, message by message. */
export class McpClient {
  private id = 0;
  readonly url: string;

  constructor(
    server: Server | string,
    private readonly key: string,
    private readonly options: McpClientOptions = {},
  ) {
    this.url = typeof server === 'string' ? server : `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
  }

  /** The messages of the response, in order: notifications, then the response itself. */
  async exchange(method: string, params: Message = {}, headers: Record<string, string> = {}): Promise<Message[]> {
    const response = await this.post(this.message(method, params), { ...this.headers(method, params), ...headers });
    const text = await response.text();
    if (!response.headers.get('content-type')?.startsWith('text/event-stream')) return [JSON.parse(text) as Message];
    return [...text.matchAll(/^data: (.+)$/gm)].map(([, data = '']) => JSON.parse(data) as Message);
  }

  async request(method: string, params: Message = {}): Promise<Message> {
    const response = (await this.exchange(method, params)).at(-1) ?? {};
    if (response['error']) throw new Error(JSON.stringify(response['error']));
    return response['result'] as Message;
  }

  async call(name: string, given: object = {}, more: Message = {}): Promise<ToolResult> {
    return this.request('tools/call', { name, arguments: given, ...more });
  }

  /** What the tool returns; fails if that is an error. */
  async use(name: string, given: object = {}): Promise<Record<string, unknown>> {
    const result = await this.call(name, given);
    if (result.isError || !result.structuredContent) throw new Error(JSON.stringify(result));
    return result.structuredContent;
  }

  /** The code of the error that the tool returns. */
  async refusalOf(name: string, given: object = {}): Promise<string> {
    const { isError, content } = await this.call(name, given);
    const text = content?.[0]?.text ?? '';
    if (!isError) throw new Error(`${name} did not fail: ${text}`);
    return text.startsWith('{') ? (JSON.parse(text) as { error: { code: string } }).error.code : text;
  }

  /** Calls a tool, and answers its question as a person would. */
  async confirm(name: string, given: object, answer: object): Promise<ToolResult> {
    const asked = await this.call(name, given);
    if (asked.requestState === undefined) throw new Error(`${name} asked nothing: ${JSON.stringify(asked)}`);
    return this.call(name, given, { requestState: asked.requestState, inputResponses: { confirm: answer } });
  }

  async post(body: object | string, headers: Record<string, string>): Promise<Response> {
    return fetch(this.url, {
      method: 'POST',
      headers: {
        Authorization: `Bearer ${this.key}`,
        'Content-Type': 'application/json',
        Accept: 'application/json, text/event-stream',
        ...headers,
      },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });
  }

  message(method: string, params: Message = {}): object {
    const { revision = '2026-07-28', asksPeople = false, takesTasks = false } = this.options;
    this.id += 1;
    const meta = {
      ...(params['_meta'] as object | undefined),
      'io.modelcontextprotocol/protocolVersion': revision,
      'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
      'io.modelcontextprotocol/clientCapabilities': {
        ...(asksPeople && { elicitation: { form: {} } }),
        ...(takesTasks && { extensions: { 'io.modelcontextprotocol/tasks': {} } }),
      },
    };
    const all = revision === '2026-07-28' ? { ...params, _meta: meta } : params;
    return { jsonrpc: '2.0', id: this.id, method, params: all };
  }

  headers(method: string, params: Message): Record<string, string> {
    const { revision = '2026-07-28' } = this.options;
    const name = params['name'] ?? params['taskId'];
    return {
      'MCP-Protocol-Version': revision,
      ...(revision === '2026-07-28' && {
        'Mcp-Method': method,
        ...(typeof name === 'string' && { 'Mcp-Name': name }),
      }),
    };
  }
}
