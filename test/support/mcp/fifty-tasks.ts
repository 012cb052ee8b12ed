import type { McpClient, ToolResult } from './mcp-client';

/** Who works on the tasks: with a person who confirms, with a person who declines, and with a key that may only propose. */
export interface Agents {
  readonly confirmed: McpClient;
  readonly declined: McpClient;
  readonly proposer: McpClient;
}

export interface Task {
  readonly title: string;
  /** The lines of the transcript. */
  readonly lines: readonly string[];
  /** The status of the last call: `read`, that of a write, or the code of a refusal. */
  readonly outcome: string;
}

type Given = Readonly<Record<string, unknown>>;
type Work = (agent: Agent) => Promise<ToolResult>;

const NAME = 'shop-of-agent.com';
/** Of a line of the transcript. */
const MAX_LINE = 180;
const ACCEPT = { action: 'accept', content: { confirm: true } };
const DECLINE = { action: 'decline' };

/** An agent that writes down what it calls. */
class Agent {
  readonly lines: string[] = [];

  constructor(
    private readonly client: McpClient,
    private readonly answer: object,
  ) {}

  async call(tool: string, given: Given = {}): Promise<ToolResult> {
    this.lines.push(`${tool} ${shortened(given)}`);
    const result = await this.client.call(tool, given);
    if (result.requestState === undefined) return result;
    this.lines.push(
      `? ${result.inputRequests?.['confirm']?.params.message}`,
      `! ${this.answer === ACCEPT ? 'yes' : 'no'}`,
    );
    const { requestState } = result;
    return this.client.call(tool, given, { requestState, inputResponses: { confirm: this.answer } });
  }

  async change(change: Given, name = NAME): Promise<ToolResult> {
    const planned = await this.call('plan_change', { name, change });
    if (planned.isError) return planned;
    return this.call('apply_change', { name, change, plan_id: planned.structuredContent?.['plan_id'] });
  }

  async order(order: Given): Promise<ToolResult> {
    const quoted = await this.call('order', order);
    if (quoted.structuredContent?.['status'] !== 'planned') return quoted;
    return this.call('order', { ...order, plan_id: quoted.structuredContent['plan_id'] });
  }

  async recordId(name: string): Promise<string> {
    const { structuredContent } = await this.call('read_records', { name: NAME, host: name });
    const records = (structuredContent?.['records'] ?? []) as readonly { readonly id: string }[];
    return String(records[0]?.id);
  }
}

/** Ids and times differ in each run. */
function shortened(given: Given): string {
  return JSON.stringify(given)
    .replaceAll(/"v1\.[^"]+"/g, '"…"')
    .replaceAll(/"(rec|op|prop|evt)_[^"]+"/g, '"$1_…"');
}

const record = (name: string, type: string, content: string, more: Given = {}) => ({
  records: { create: [{ name, type, content, ...more }] },
});
const TYPES: readonly (readonly [string, string, string, Given?])[] = [
  ['www', 'A', '192.0.2.1'],
  ['www', 'AAAA', '2001:db8::1'],
  ['@', 'MX', 'mail.example.net', { priority: 10 }],
  ['@', 'TXT', '"v=spf1 mx -all"'],
  ['_dmarc', 'TXT', '"v=DMARC1; p=reject"'],
  ['blog', 'CNAME', 'www.shop-of-agent.com'],
  ['@', 'CAA', '0 issue "ca.example.net"'],
  ['api', 'A', '192.0.2.7'],
];

/** What each person asks for, and who asks: 50 tasks. */
const TASKS: readonly (readonly [title: string, who: keyof Agents, work: Work])[] = [
  [
    'Which names around "shop-of-agent" are free?',
    'confirmed',
    (a) => a.call('find_names', { query: 'shop-of-agent', tlds: ['com', 'net'] }),
  ],
  ['What does shop-of-agent.com cost?', 'confirmed', (a) => a.call('find_names', { names: [NAME] })],
  [
    'Register it, but I say no',
    'declined',
    (a) => a.order({ action: 'register', name: NAME, registrant_of: 'owner.com' }),
  ],
  ['Register it', 'confirmed', (a) => a.order({ action: 'register', name: NAME, registrant_of: 'owner.com' })],
  ['Is it there?', 'confirmed', (a) => a.call('get_name', { name: NAME })],
  ['What expires first?', 'confirmed', (a) => a.call('list_names', { limit: 5 })],
  ['Which names have DNS here?', 'confirmed', (a) => a.call('list_names', { kind: 'all' })],
  ['What was ordered?', 'confirmed', (a) => a.call('list_operations')],
  ...TYPES.map(
    ([name, type, content, more]) =>
      [`Add ${type} for ${name}`, 'confirmed', (a: Agent) => a.change(record(name, type, content, more))] as const,
  ),
  ['Add a record that is there already', 'confirmed', (a) => a.change(record('www', 'A', '192.0.2.1'))],
  ['Add a record that is not valid', 'confirmed', (a) => a.change(record('www', 'A', 'not an address'))],
  ['Which records are there?', 'confirmed', (a) => a.call('read_records', { name: NAME })],
  ['Only those for mail', 'confirmed', (a) => a.call('read_records', { name: NAME, type: 'MX' })],
  ['Where is api?', 'confirmed', (a) => a.call('read_records', { name: NAME, host: 'api' })],
  [
    'Move api to another address, but I say no',
    'declined',
    async (a) => a.change({ records: { update: [{ id: await a.recordId('api'), content: '192.0.2.8' }] } }),
  ],
  [
    'Move api to another address',
    'confirmed',
    async (a) => a.change({ records: { update: [{ id: await a.recordId('api'), content: '192.0.2.8' }] } }),
  ],
  [
    'Remove the record of blog',
    'confirmed',
    async (a) => a.change({ records: { delete: [await a.recordId('blog')] } }),
  ],
  ['What changed lately?', 'confirmed', (a) => a.call('read_history', { name: NAME })],
  ['What did version 3 change?', 'confirmed', (a) => a.call('read_history', { name: NAME, version: 3 })],
  ['Go back to version 3, but I say no', 'declined', (a) => a.change({ roll_back_to: 3 })],
  ['Tag it', 'confirmed', (a) => a.change({ tags: ['shop'] })],
  ['Which names have the tag?', 'confirmed', (a) => a.call('list_names', { tag: 'shop' })],
  ['Do not renew it, but I say no', 'declined', (a) => a.change({ auto_renew: false })],
  ['Do not renew it', 'confirmed', (a) => a.change({ auto_renew: false })],
  ['Renew it after all', 'confirmed', (a) => a.change({ auto_renew: true })],
  ['Renew it now, but I say no', 'declined', (a) => a.order({ action: 'renew', name: NAME })],
  ['Renew it now', 'confirmed', (a) => a.order({ action: 'renew', name: NAME })],
  ['Open the transfer lock, but I say no', 'declined', (a) => a.change({ transfer_locked: false })],
  ['Close the transfer lock', 'confirmed', (a) => a.change({ transfer_locked: true })],
  ['Switch DNSSEC on, but I say no', 'declined', (a) => a.change({ dnssec: true })],
  [
    'Other nameservers, but I say no',
    'declined',
    (a) => a.change({ nameservers: ['ns1.example.net', 'ns2.example.net'] }),
  ],
  ['Is it healthy?', 'confirmed', (a) => a.call('check_health', { name: NAME })],
  ['Host the DNS of a name elsewhere', 'confirmed', (a) => a.change({ host_dns: true }, 'elsewhere-of-agent.com')],
  ['Delete it, but I say no', 'declined', (a) => a.change({ delete: true })],
  [
    'Transfer a name that no registry knows',
    'confirmed',
    (a) => a.order({ action: 'transfer', name: 'unknown-of-agent.com', auth_code: 'x', registrant_of: 'owner.com' }),
  ],
  ['Restore what is not deleted', 'confirmed', (a) => a.order({ action: 'restore', name: NAME })],
  ['Show a name of someone else', 'confirmed', (a) => a.call('get_name', { name: 'not-ours.com' })],
  ['What may this key do?', 'confirmed', (a) => a.call('list_keys')],
  ['What happened since?', 'confirmed', (a) => a.call('read_events', { types: 'domain.*' })],
  ['Only propose: another address for www', 'proposer', (a) => a.change(record('www2', 'A', '192.0.2.9'))],
  ['Only propose: delete the name', 'proposer', (a) => a.change({ delete: true })],
  ['Only propose: renew it', 'proposer', (a) => a.order({ action: 'renew', name: NAME })],
  ['Which proposals wait?', 'proposer', (a) => a.call('list_operations')],
];

export async function fiftyTasks(agents: Agents): Promise<readonly Task[]> {
  const done: Task[] = [];
  for (const [title, who, work] of TASKS) {
    const agent = new Agent(agents[who], who === 'declined' ? DECLINE : ACCEPT);
    const result = await work(agent);
    done.push({ title, lines: agent.lines, outcome: outcomeOf(result) });
  }
  return done;
}

function outcomeOf({ isError, structuredContent, content }: ToolResult): string {
  if (isError) return (JSON.parse(content?.[0]?.text ?? '{}') as { error: { code: string } }).error.code;
  return typeof structuredContent?.['status'] === 'string' ? structuredContent['status'] : 'read';
}

/** The page of the transcript. */
export function transcriptOf(tasks: readonly Task[]): string {
  const sections = tasks.map(
    ({ title, lines, outcome }, index) =>
      `${index + 1}. ${title}\n\n${lines.map((line) => `       ${line.slice(0, MAX_LINE)}`).join('\n')}\n       = ${outcome}\n`,
  );
  return `# Transcript of 50 tasks\n\nWritten by \`WRITE_TRANSCRIPT=1 npm test -- mcp-tasks\`; CI compares it. The agent is a script against the sandbox, with the sandbox's
prices. A line is a call of a tool; \`?\` is a question to the person, \`!\` the answer, \`=\` the outcome. [Give an agent a key](agents.md)
explains the tools.\n\n${sections.join('\n')}`;
}
