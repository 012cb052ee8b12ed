import { setTimeout as sleep } from 'node:timers/promises';
import { args, result, TEXT } from '../../../src/http/mcp/schema';
import { READS, type McpTool } from '../../../src/http/mcp/tool';
import type { ToolCall } from '../../../src/http/mcp/tool-call';
import { RouteNotFound } from '../../../src/http/shared/errors';

function tool(name: string, run: (call: ToolCall) => Promise<object>): McpTool {
  return {
    name,
    title: name,
    description: 'Named as the suite expects it.',
    hints: READS,
    input: args({}),
    output: result({ text: TEXT }),
    run: async (_given: object, call: ToolCall) => run(call),
  };
}

/** Asks as `apply_change` does. */
async function ask(call: ToolCall): Promise<object> {
  const asked = { name: 'example.com' };
  const target = { method: 'PUT', path: '/api/domains/dom_1/tags' };
  const plan = { plan: {}, confirm: true, quoteId: undefined, target };
  const planId = call.askedPlanId ?? (await call.issuePlanId(asked, plan)).id;
  await call.openPlan(asked, planId);
  call.isConfirmed(planId, 'Do it?');
  return { text: 'state-ok' };
}

/** Tools of the conformance suite, made of what the service's own tools are made of. */
export const CONFORMANCE_TOOLS: readonly McpTool[] = [
  tool('test_simple_text', async () => ({ text: 'This is a simple text response for testing.' })),
  tool('test_logging_tool', async () => ({ text: 'It logs nothing to the client.' })),
  tool('test_error_handling', async () => {
    throw new RouteNotFound();
  }),
  tool('test_tool_with_progress', async (call) => {
    for (const step of [0, 50, 100]) {
      await call.report(step, 'Working');
      await sleep(1);
    }
    return { text: 'Done' };
  }),
  tool('test_streaming_elicitation', ask),
  tool('test_input_required_result_elicitation', ask),
  tool('test_input_required_result_request_state', ask),
  tool('test_input_required_result_tampered_state', ask),
];
