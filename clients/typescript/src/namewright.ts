export type * from './api.ts';
export { connect, type ConnectOptions, type Namewright } from './client.ts';
export { hasCode, NamewrightError, ServiceUnreachable, WriteProposed } from './errors.ts';
export { followEvents, type FollowOptions } from './follow-events.ts';
