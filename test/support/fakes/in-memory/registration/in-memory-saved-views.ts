import type {
  SavedView,
  SavedViewReader,
  SavedViewRepository,
} from '../../../../../src/application/ports/portfolio/portfolio-repositories';
import { compareTexts } from '../in-order';
import type { Tables } from '../tables';

export class InMemorySavedViews implements SavedViewReader, SavedViewRepository {
  constructor(private readonly tables: () => Tables) {}

  async put(accountId: string, view: SavedView): Promise<void> {
    this.tables().savedViews.set(`${accountId} ${view.name}`, { accountId, ...view });
  }

  async remove(accountId: string, name: string): Promise<void> {
    this.tables().savedViews.delete(`${accountId} ${name}`);
  }

  async count(accountId: string): Promise<number> {
    return (await this.ofAccount(accountId)).length;
  }

  async ofAccount(accountId: string): Promise<readonly SavedView[]> {
    return [...this.tables().savedViews.values()]
      .filter((view) => view.accountId === accountId)
      .toSorted((one, other) => compareTexts(one.name, other.name));
  }
}
