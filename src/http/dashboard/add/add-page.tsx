import { usePage } from '../layout/page-context';
import { PageHeading } from '../layout/components';
import { MayDo } from '../layout/may-do';

/** One question, whose answers lead to the pages that add a name. */
export function AddPage() {
  const { userSession } = usePage();
  return (
    <>
      <PageHeading title="Add a name" lead="What do you want to do?" />
      <section class="card narrow" aria-label="Ways to add a name">
        <Choice href="/register" title="Register a new name" text="Search for a name that is free, and buy it." />
        <MayDo action="transfer">
          <Choice
            href="/transfers/new"
            title="Transfer a name from another registrar"
            text="The name moves here with its registration. You need its auth code."
          />
          <Choice
            href="/transfers/several"
            title="Transfer many names"
            text="Paste names with their auth codes, or a CSV file of the present registrar."
          />
        </MayDo>
        {userSession?.user.role === 'owner' && (
          <Choice
            href="/imports"
            title="Import names from a registrar account"
            text="The names are in the account that this service uses at the registrar."
          />
        )}
        <MayDo action="register" everyDomain>
          <Choice
            href="/add/dns"
            title="Host DNS only"
            text="The registration stays where it is, or there is none: sub-zones, reverse zones, internal names."
          />
        </MayDo>
        <MayDo action="write">
          <Choice
            href="/zone-files"
            title="Import zone files"
            text="The records of many names that are here already: several files, or one archive."
          />
        </MayDo>
      </section>
    </>
  );
}

function Choice({ href, title, text }: { readonly href: string; readonly title: string; readonly text: string }) {
  return (
    <a class="choice" href={href}>
      <span>
        <strong>{title}</strong>
        <small>{text}</small>
      </span>
    </a>
  );
}
