import { token } from '../inject';
import type { DomainName } from '../../../domain/shared/domain-name';

/** The names that our account holds at a registry. Errors as in `RegistryPort`. */
export interface NameListing {
  /**
   * Returns a page of the names that our account holds at the registry, in a stable order. Repeatable. A name that is
   * registered or lost between two pages may be missing or appear twice. Feature `list`.
   * @param cursor `next` of the page before; the first page if absent
   */
  list(cursor?: string): Promise<NamePage>;
}

export interface RegistryNameListing extends NameListing {
  /** The registry's name in the registries file. */
  readonly registry: string;
  /** Ids of the accounts that may import names, from the registries file. */
  readonly accounts: readonly string[];
}

/** One listing per registry, for import and reconciliation. */
export interface NameListings {
  listings(): readonly RegistryNameListing[];
}
export const NameListings = token<NameListings>('NameListings');

/** A name in a listing, with what the listing contains without a call for each name. */
export interface ListedName {
  readonly name: DomainName;
  readonly expiresAt: Date;
}

/** An entry of a list that cannot be used, such as a name without an expiry: reported, so that it does not hide the others. */
export interface SkippedName {
  /** The name, or where it is: `line 7`. */
  readonly name: string;
  readonly reason: string;
}

export interface NamePage {
  readonly names: readonly ListedName[];
  readonly skipped?: readonly SkippedName[];
  /** The cursor of the next page; absent on the last. */
  readonly next?: string;
}
