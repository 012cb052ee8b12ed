import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import type { LifecyclePeriods } from '../../src/domain/registration/names/tld-policy';
import { PRICE_LIST } from '../../src/infrastructure/registry/sandbox/simulated/offers/price-list';
import { startService, type TestService } from '../support/service/service';

const GUIDE = readFileSync('docs/sandbox.md', 'utf8');
const END_OF_STEP = '\u0004';
/** Below the limit of every test, so that a hanging shell ends with it. */
const SHELL_TIMEOUT_MS = 280_000;

interface Step {
  readonly command: string;
  /** A part of the response. `…` stands for any text. */
  readonly answer: unknown;
}

function stepsOf(guide: string): readonly Step[] {
  return [...guide.matchAll(/^```sh\n([\s\S]*?)^```$(?:\n```json\n([\s\S]*?)^```$)?/gm)].map(
    ([, command = '', answer]) => ({
      command,
      answer: answer === undefined ? undefined : (JSON.parse(answer) as unknown),
    }),
  );
}

function expectationOf(answer: unknown): unknown {
  if (answer === '…') return expect.any(String);
  if (Array.isArray(answer)) return answer.map(expectationOf);
  if (typeof answer === 'object' && answer !== null)
    return expect.objectContaining(
      Object.fromEntries(Object.entries(answer).map(([name, value]) => [name, expectationOf(value)])),
    );
  return answer;
}

describe('docs/sandbox.md', () => {
  let service: TestService;

  beforeAll(async () => {
    service = await startService();
  });
  afterAll(() => service.stop());

  it('shows the responses that its commands get', async () => {
    const steps = stepsOf(GUIDE);
    const script = steps.map(({ command }) => `${command}\nprintf '${END_OF_STEP}'`).join('\n');
    const { port } = service.server.address() as AddressInfo;
    const env = {
      PATH: process.env['PATH'],
      URL: `http://127.0.0.1:${port}`,
      KEY: await service.key(await service.account()),
    };

    const { stdout } = await promisify(execFile)('bash', ['-euo', 'pipefail', '-c', script], {
      env,
      timeout: SHELL_TIMEOUT_MS,
    });

    const answers = stdout.split(END_OF_STEP);
    expect(steps.length).toBeGreaterThan(20);
    for (const [index, { command, answer }] of steps.entries()) {
      if (answer !== undefined)
        expect({ command, answer: JSON.parse(answers[index] ?? '') as unknown }).toEqual({
          command,
          answer: expectationOf(answer),
        });
    }
  });

  it('lists the periods of every TLD', () => {
    const columns: readonly (keyof LifecyclePeriods)[] = [
      'addGrace',
      'autoRenewGrace',
      'renewalGrace',
      'redemption',
      'pendingDelete',
      'transfer',
      'authCode',
    ];
    const rows = [...GUIDE.matchAll(/^\| (.+?) \|((?: \d+ \|)+)$/gm)].map(([, suffixes = '', numbers = '']) => ({
      suffixes: suffixes.split(' '),
      days: [...numbers.matchAll(/\d+/g)].map(Number),
    }));
    const listed = PRICE_LIST.map(({ suffix }) => [
      suffix,
      (rows.find(({ suffixes }) => suffixes.includes(`\`${suffix}\``)) ?? rows[0])?.days,
    ]);

    expect(listed).toEqual(PRICE_LIST.map(({ suffix, periods }) => [suffix, columns.map((column) => periods[column])]));
  });
});
