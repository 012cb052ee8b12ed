import { inject, injectable } from '../ports/inject';
import { ValidationError } from '../../domain/shared/validation-error';
import { SavedViewReader, type SavedView } from '../ports/portfolio/portfolio-repositories';
import { UnitOfWork } from '../ports/storage/unit-of-work';

const MAX_VIEWS = 50;
const MAX_NAME = 40;
const MAX_QUERY = 2_000;

/** The views of the domain list that all users of an account share. */
@injectable()
export class SavedViews {
  constructor(
    @inject(SavedViewReader) private readonly views: SavedViewReader,
    @inject(UnitOfWork) private readonly unitOfWork: UnitOfWork<'accounts' | 'savedViews'>,
  ) {}

  list(accountId: string): Promise<readonly SavedView[]> {
    return this.views.ofAccount(accountId);
  }

  /** Replaces the view of that name. @throws ValidationError */
  async save(accountId: string, { name, query }: SavedView): Promise<void> {
    const view = { name: name.trim().normalize('NFC'), query };
    if (view.name === '' || view.name.length > MAX_NAME || /[\p{Cc}\p{Cs}]/u.test(view.name))
      throw ValidationError.of('name', `must be 1 to ${MAX_NAME} characters`);
    if (query.length > MAX_QUERY) throw ValidationError.of('query', `must be at most ${MAX_QUERY} characters`);
    await this.unitOfWork.run(async ({ accounts, savedViews }) => {
      await accounts.lock(accountId);
      if ((await savedViews.count(accountId)) >= MAX_VIEWS)
        throw ValidationError.of('name', `must be one of at most ${MAX_VIEWS} views. Delete one first`);
      await savedViews.put(accountId, view);
    }, accountId);
  }

  async remove(accountId: string, name: string): Promise<void> {
    await this.unitOfWork.run(({ savedViews }) => savedViews.remove(accountId, name), accountId);
  }
}
