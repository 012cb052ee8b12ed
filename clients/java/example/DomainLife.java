import java.util.List;
import namewright.ApiException;
import namewright.Client;
import namewright.Feed;
import namewright.Namewright;

/**
 * A domain's life: search, quote, register, records, wait until they are published, renew, events.
 * NAMEWRIGHT_URL=… NAMEWRIGHT_API_KEY=… java -cp target/classes example/DomainLife.java my-name com
 */
public final class DomainLife {
    public static void main(String[] arguments) throws InterruptedException {
        String label = arguments.length > 0 ? arguments[0] : "my-name";
        String tld = arguments.length > 1 ? arguments[1] : "com";
        Client client = Namewright.connect(System.getenv("NAMEWRIGHT_URL"), System.getenv("NAMEWRIGHT_API_KEY"));

        var found = client.searchDomains(new Client.Search().query(label).tlds(List.of(tld))).results().get(0);
        if (!found.available()) {
            throw new IllegalStateException(found.name() + " is taken");
        }
        System.out.println("free: " + found.name());

        var name = new Client.QuoteDomain().name(found.name()).years(1L);
        var total = client.quoteDomains(new Client.Quote().domains(List.of(name))).total();
        System.out.println("price: " + total.amount() + " " + total.currency());

        var address = new Client.Address().street("12 St James Square").city("London").country("GB");
        var registrant = new Client.Registrant()
            .firstName("Ada")
            .lastName("Lovelace")
            .email("ada@example.com")
            .phone("+44.2079460000")
            .address(address);
        var contacts = new Client.Contacts().registrant(registrant);
        var registered = client.registerDomain(new Client.RegisterDomain().name(found.name()).years(1L).contacts(contacts));
        var domain = client.readDomain(registered.id());
        while (domain.status().equals(Client.DomainStatus.PENDING.wire())) {
            Thread.sleep(200);
            domain = client.readDomain(domain.id());
        }
        System.out.println("registered: " + domain.name());

        // One change, or none: both records get the same version.
        var records = List.of(record("A", "192.0.2.1"), record("MX", "mail.example.net").priority(10L));
        var waiting = new Client.EditRecordsParams().wait("published");
        client.editRecords(domain.id(), new Client.EditRecords().create(records), waiting);
        System.out.println("published: " + client.readPublication(domain.id()).published());

        try {
            client.addRecord(domain.id(), record("CNAME", "example.net"), null);
        } catch (ApiException exception) {
            if (!exception.is(Client.ErrorCode.CNAME_AT_ROOT)) {
                throw exception;
            }
            System.out.println("refused: " + exception.code);
        }

        // With the expiry that it is to extend, a repetition in another program cannot renew it twice.
        var term = new Client.RenewDomainRequest().years(1L).currentExpiry(domain.expiresAt());
        var renewed = client.renewDomain(domain.id(), term);
        System.out.println("renewed: " + renewed.renewal().years() + " year");

        Feed feed = new Feed(client, new Client.ListEventsParams().domain(domain.name()));
        Client.Event event;
        do {
            event = feed.next();
            System.out.println("event: " + event.type());
        } while (!event.type().equals(Client.EventType.DOMAIN_RENEWED.wire()));
    }

    private static Client.AddRecord record(String type, String content) {
        return new Client.AddRecord().type(type).name("@").content(content);
    }
}
