import { StorageUnavailable } from './storage-unavailable';

/** The database responds, but so slowly that the request would wait too long. The cause says for what. */
export class StorageSlow extends StorageUnavailable {
  constructor(waitedFor: string) {
    super({ cause: new Error(waitedFor) });
  }
}
