import type * as Sdk from '@modelcontextprotocol/server';
import type { CallToolResult, McpServer, ServerContext } from '@modelcontextprotocol/server';
import { result, shown } from './schema';
import { ToolRefusal, type Json, type ToolCall } from './tool-call';
import { toTextContent } from './tool-results';
import { OUTCOME } from './tools/planned-write';

/** The extension of revision 2026-07-28 by which a call returns a task, and the client asks for its end. */
export const TASKS_EXTENSION = 'io.modelcontextprotocol/tasks';

const POLL_MS = 5_000;
const OUTCOMES = result(OUTCOME);
const OPERATION_ID = /^op_[0-9a-z]{1,36}$/;
const TASK_ID = { type: 'object', properties: { taskId: { type: 'string' } }, required: ['taskId'] } as const;

/**
 * The result of a call whose operation has not ended: a task with the id of the operation, which every replica knows and a restart
 * keeps. What is no such result stays as it is, and so does one whose operation cannot be read: what was ordered must not look refused.
 */
export async function asTask(called: CallToolResult, call: ToolCall): Promise<CallToolResult> {
  const { status, operation_id: id } = (called.structuredContent ?? {}) as Json;
  if (!call.takesTasks || status !== 'pending' || typeof id !== 'string') return called;
  try {
    return { ...called, ...stateOf(await call.get(`/api/operations/${id}`)), resultType: 'task' };
  } catch (error) {
    if (error instanceof ToolRefusal) return called;
    throw error;
  }
}

/** Serves the requests of clients that poll tasks, with what their key may see. */
export function serveTasks({ server }: McpServer, sdk: typeof Sdk, callOf: (context: ServerContext) => ToolCall): void {
  const params = sdk.fromJsonSchema<{ readonly taskId: string }>(TASK_ID);
  const find = async (taskId: string, context: ServerContext): Promise<Json> => {
    const call = callOf(context);
    if (!call.takesTasks)
      throw new sdk.MissingRequiredClientCapabilityError({
        requiredCapabilities: { extensions: { [TASKS_EXTENSION]: {} } },
      });
    const operation = OPERATION_ID.test(taskId) ? await call.find(`/api/operations/${taskId}`) : undefined;
    if (!operation) throw new sdk.ProtocolError(sdk.ProtocolErrorCode.InvalidParams, 'Task not found');
    return operation;
  };
  server.setRequestHandler('tasks/get', { params }, async ({ taskId }, context) => {
    const operation = await find(taskId, context);
    return { ...stateOf(operation), ...resultOf(operation) };
  });
  // What a registry was asked cannot be taken back, and no operation asks anything: both are acknowledged.
  for (const method of ['tasks/cancel', 'tasks/update'])
    server.setRequestHandler(method, { params }, async ({ taskId }, context) => {
      await find(taskId, context);
      return {};
    });
}

function stateOf(operation: Json): Json {
  const { id, kind, state, created_at: createdAt, updated_at: lastUpdatedAt, finished_at: finishedAt } = operation;
  const isWorking = finishedAt === null;
  return {
    taskId: id,
    status: isWorking ? 'working' : 'completed',
    statusMessage: `${String(kind)}: ${String(state)}`,
    createdAt,
    lastUpdatedAt,
    ttlMs: null,
    ...(isWorking && { pollIntervalMs: POLL_MS }),
  };
}

/** That of the tool, once the operation has ended. */
function resultOf({ id, error, ...operation }: Json): object {
  if (operation['finished_at'] === null) return {};
  if (error) return { result: { content: [toTextContent({ error, operation_id: id })], isError: true } };
  const response = { id, ...operation };
  const structuredContent = shown(OUTCOMES, { status: 'done', operation_id: id, response }) as object;
  return { result: { content: [toTextContent(structuredContent)], structuredContent } };
}
