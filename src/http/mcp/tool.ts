import type { Shape } from '../api/shape';
import type { ToolCall } from './tool-call';

/** What a client may ask a person before it calls a tool. */
interface ToolHints {
  readonly readOnlyHint: boolean;
  readonly destructiveHint: boolean;
  /** Whether a repeated call has no other effect. */
  readonly idempotentHint: boolean;
  /** Whether it asks systems other than this service. */
  readonly openWorldHint: boolean;
}

/** A tool of the MCP server. Its texts are constant: what others wrote is in results only. */
export interface McpTool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly hints: ToolHints;
  readonly input: Shape<object>;
  readonly output: Shape<object>;
  /** @param given arguments that conform to `input` @throws ToolRefusal, ServiceError, ConfirmationNeeded */
  run(given: never, call: ToolCall): Promise<object>;
}

/** Checks that the tool runs with what its arguments are described as. */
export function tool<T extends object>(
  typed: Omit<McpTool, 'input' | 'run'> & {
    readonly input: Shape<T>;
    readonly run: (given: T, call: ToolCall) => Promise<object>;
  },
): McpTool {
  return typed;
}

export const READS: ToolHints = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
};
