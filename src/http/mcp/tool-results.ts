import type { CallToolResult, InputRequiredResult } from '@modelcontextprotocol/server';
import type { Log } from '../../application/ports/system';
import { runCooperatively } from '../../application/shared/run-cooperatively';
import type { Issue } from '../../domain/shared/issue';
import { ValidationError } from '../../domain/shared/validation-error';
import { errorResult } from '../shared/error-handler';
import type { JsonResult } from '../shared/result';
import type { ApiCaller } from './api-calls';
import { shown } from './schema';
import type { McpTool } from './tool';
import { ConfirmationNeeded, ToolRefusal, type ToolCall } from './tool-call';

/** The field of the form by which a person confirms. */
export const CONFIRMATION = 'confirm';

/** Runs a tool. What it throws is a result as well: an error, or a question to a person. */
export async function callTool(
  tool: McpTool,
  given: unknown,
  call: ToolCall,
  log: Log,
): Promise<CallToolResult | InputRequiredResult> {
  try {
    await assertArguments(tool, given, call.caller);
    const structuredContent = shown(tool.output, await tool.run(given as never, call)) as Record<string, unknown>;
    return { content: [toTextContent(structuredContent)], structuredContent };
  } catch (error) {
    if (error instanceof ConfirmationNeeded) return questionTo(error);
    const response = error instanceof ToolRefusal ? error.response : errorResult(error, `/mcp ${tool.name}`, log);
    return { content: [toTextContent(refusal(response))], isError: true };
  }
}

/** More would not be read. */
const MAX_ISSUES = 20;

/** @throws ValidationError with the path of the first wrong arguments */
async function assertArguments({ input }: McpTool, given: unknown, { accountId }: ApiCaller): Promise<void> {
  const issues: Issue[] = [];
  await runCooperatively(input.check(given, '', issues), accountId);
  if (issues.length > 0) throw new ValidationError(issues.slice(0, MAX_ISSUES));
}

export function toTextContent(value: object): { readonly type: 'text'; readonly text: string } {
  return { type: 'text', text: JSON.stringify(value) };
}

function refusal({ body, headers }: JsonResult): object {
  const retryAfter = headers['Retry-After'];
  const operation = headers['Operation-Location']?.split('/').at(-1);
  return {
    ...(body as object),
    ...(retryAfter !== undefined && { retry_after: Number(retryAfter) }),
    ...(operation !== undefined && { operation_id: operation }),
  };
}

function questionTo({ question, state }: ConfirmationNeeded): InputRequiredResult {
  return {
    resultType: 'input_required',
    requestState: state,
    inputRequests: {
      [CONFIRMATION]: {
        method: 'elicitation/create',
        params: {
          mode: 'form',
          message: question,
          requestedSchema: {
            type: 'object',
            properties: { [CONFIRMATION]: { type: 'boolean', title: 'Confirm', description: question } },
            required: [CONFIRMATION],
          },
        },
      },
    },
  };
}
