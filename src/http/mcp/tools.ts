import { token } from '../../application/ports/inject';
import type { McpTool } from './tool';
import { CHECK_HEALTH, LIST_KEYS, LIST_OPERATIONS, READ_EVENTS } from './tools/account';
import { APPLY_CHANGE, PLAN_CHANGE } from './tools/changes';
import { FIND_NAMES, GET_NAME, LIST_NAMES } from './tools/names';
import { ORDER } from './tools/orders';
import { READ_HISTORY, READ_RECORDS } from './tools/records';

export const McpTools = token<readonly McpTool[]>('McpTools');

/** What agents can do, in the order in which they are listed. */
export const TOOLS: readonly McpTool[] = [
  FIND_NAMES,
  LIST_NAMES,
  GET_NAME,
  READ_RECORDS,
  PLAN_CHANGE,
  APPLY_CHANGE,
  ORDER,
  LIST_OPERATIONS,
  CHECK_HEALTH,
  READ_HISTORY,
  READ_EVENTS,
  LIST_KEYS,
];
