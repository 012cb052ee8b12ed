import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { transformSync } from '@swc/core';
import { newWebhookSecret, signedHeaders } from '../../src/domain/access/webhooks/webhook-signature';
import { describeOrSkip } from '../support/describe-or-skip';
import { freePort } from '../support/free-port';

const DOCUMENTATION = readFileSync('docs/api/webhooks.md', 'utf8');
const BODY = '{"id":"evt_1","type":"domain.renewed","note":"Ünïcode 🦆"}';

const signed = (secondsAgo: number, ...secrets: readonly string[]) =>
  signedHeaders({ id: 'evt_1', timestamp: Math.floor(Date.now() / 1_000) - secondsAgo, body: BODY }, secrets);

/** A receiver of the documentation in a process. */
function suite(file: string, command: (folder: string) => readonly [string, ...string[]]): void {
  const secret = newWebhookSecret();
  const folder = mkdtempSync(join(tmpdir(), 'webhook-receiver-'));
  let receiver: ChildProcess;
  let output = '';
  let url: string;
  beforeAll(async () => {
    const port = await freePort();
    url = `http://127.0.0.1:${port}/`;
    const [program, ...given] = command(folder);
    receiver = spawn(program, given, { env: { ...process.env, WEBHOOK_SECRET: secret, PORT: String(port) } });
    receiver.stdout?.on('data', (text: Buffer) => (output += text.toString()));
    while (!(await fetch(url).catch(() => undefined))) await sleep(20);
  });
  afterAll(async () => {
    receiver.kill();
    await once(receiver, 'exit');
    rmSync(folder, { recursive: true });
  });
  const post = async (body: string, headers: Readonly<Record<string, string>>) =>
    (await fetch(url, { method: 'POST', body, headers })).status;

  it('is the one in the documentation, in 20 lines', () => {
    expect(readFileSync(file, 'utf8').trimEnd().split('\n').length).toBeLessThanOrEqual(20);
    expect(DOCUMENTATION).toContain(`\n${readFileSync(file, 'utf8')}\`\`\`\n`);
  });

  it('accepts signed messages, also by two secrets, and stores them', async () => {
    expect(await post(BODY, signed(0, secret))).toBe(204);
    expect(await post(BODY, signed(60, newWebhookSecret(), secret))).toBe(204);

    while (output.split('\n').length < 3) await sleep(20);
    expect(output).toBe('evt_1 domain.renewed\nevt_1 domain.renewed\n');
  });

  it('refuses messages that are changed, signed with another secret, or old', async () => {
    const before = output;

    expect(await post(BODY.replace('renewed', 'deleted'), signed(0, secret))).toBe(401);
    expect(await post(BODY, signed(0, newWebhookSecret()))).toBe(401);
    expect(await post(BODY, { ...signed(0, secret), 'webhook-id': 'evt_2' })).toBe(401);
    expect(await post(BODY, signed(600, secret))).toBe(401);
    expect(await post(BODY, {})).toBe(401);
    expect(output).toBe(before);
  });
}

const TYPESCRIPT = 'examples/webhooks/receiver.ts';
const PYTHON = 'examples/webhooks/receiver.py';
const PYTHON_MISSING = spawnSync('python3', ['--version']).status === 0 ? undefined : 'python3 is missing';

describe('the receiver in TypeScript', () => {
  suite(TYPESCRIPT, (folder) => {
    const { code } = transformSync(readFileSync(TYPESCRIPT, 'utf8'), { jsc: { parser: { syntax: 'typescript' } } });
    writeFileSync(join(folder, 'receiver.mjs'), code);
    symlinkSync(resolve('node_modules'), join(folder, 'node_modules'));
    return [process.execPath, join(folder, 'receiver.mjs')];
  });
});

describeOrSkip(PYTHON_MISSING)('the receiver in Python', () => {
  suite(PYTHON, () => ['python3', PYTHON]);
});
