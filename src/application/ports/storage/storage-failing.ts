import { StorageUnavailable } from './storage-unavailable';

/** The database cannot write: its disk is full or broken. Nothing was committed, and nothing will be before a person has made room. */
export class StorageFailing extends StorageUnavailable {}
