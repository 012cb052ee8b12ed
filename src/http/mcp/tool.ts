import type { Schema } from './schema';
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
  readonly input: Schema;
  readonly output: Schema;
  /** @param given arguments that conform to `input` @throws ToolRefusal, ServiceError, ConfirmationNeeded */
  run(given: never, call: ToolCall): Promise<object>;
}

export const READS: ToolHints = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
};
