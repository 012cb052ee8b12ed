import { asTask } from '../../../../src/http/mcp/operation-tasks';
import { ToolRefusal, type ToolCall } from '../../../../src/http/mcp/tool-call';

const pending = { content: [], structuredContent: { status: 'pending', operation_id: 'op_1' } };
const callThat = (get: () => Promise<object>) => ({ takesTasks: true, get }) as unknown as ToolCall;

describe('the result of a call whose operation has not ended', () => {
  it('is a task with the id of the operation', async () => {
    const operation = {
      id: 'op_1',
      kind: 'renew',
      state: 'pending',
      created_at: 'c',
      updated_at: 'u',
      finished_at: null,
    };

    const task = await asTask(
      pending,
      callThat(async () => operation),
    );

    expect(task).toMatchObject({ ...pending, resultType: 'task', taskId: 'op_1', status: 'working' });
  });

  it('stays pending with its operation if that cannot be read, so that no one orders again', async () => {
    const refused = new ToolRefusal({ status: 429, headers: {}, body: { error: { code: 'RATE_LIMITED' } } });

    expect(
      await asTask(
        pending,
        callThat(() => Promise.reject(refused)),
      ),
    ).toBe(pending);
  });
});
