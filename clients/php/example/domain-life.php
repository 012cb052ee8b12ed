<?php

// A domain's life: search, quote, register, records, wait until they are published, renew, events.
// NAMEWRIGHT_URL=… NAMEWRIGHT_API_KEY=… php domain-life.php my-name com

declare(strict_types=1);

use Namewright\{AddRecord, Address, ApiError, Contacts, EditRecords, ErrorCode, Feed, Quote, QuoteDomain};
use Namewright\{RegisterDomain, Registrant, RenewDomainRequest, Search};

require is_file(__DIR__ . '/../vendor/autoload.php') ? __DIR__ . '/../vendor/autoload.php' : __DIR__ . '/../autoload.php';

[$label, $tld] = [$argv[1] ?? 'my-name', $argv[2] ?? 'com'];
$client = Namewright\connect(getenv('NAMEWRIGHT_URL') ?: 'http://127.0.0.1:3000', getenv('NAMEWRIGHT_API_KEY'));

$found = $client->searchDomains(new Search(query: $label, tlds: [$tld]))->results[0];
if (!$found->available) {
    exit("{$found->name} is taken\n");
}
echo "free: {$found->name}\n";

$total = $client->quoteDomains(new Quote(domains: [new QuoteDomain(name: $found->name, years: 1)]))->total;
echo "price: {$total->amount} {$total->currency}\n";

$registrant = new Registrant(
    firstName: 'Ada',
    lastName: 'Lovelace',
    email: 'ada@example.com',
    phone: '+44.2079460000',
    address: new Address(street: '12 St James Square', city: 'London', country: 'GB'),
);
$registered = $client->registerDomain(new RegisterDomain(name: $found->name, years: 1, contacts: new Contacts($registrant)));
do {
    usleep(200_000);
    $domain = $client->readDomain($registered->id);
} while ($domain->status === 'pending');
echo "registered: {$domain->name}\n";

// One change, or none: both records get the same version.
$records = [
    new AddRecord(type: 'A', name: '@', content: '192.0.2.1'),
    new AddRecord(type: 'MX', name: '@', content: 'mail.example.net', priority: 10),
];
$client->editRecords($domain->id, new EditRecords(create: $records), wait: 'published');
echo 'published: ', json_encode($client->readPublication($domain->id)->published), "\n";

try {
    $client->addRecord($domain->id, new AddRecord(type: 'CNAME', name: '@', content: 'example.net'));
} catch (ApiError $error) {
    if (!$error->is(ErrorCode::CnameAtRoot)) {
        throw $error;
    }
    echo "refused: {$error->errorCode}\n";
}

// With the expiry that it is to extend, a repetition in another program cannot renew it twice.
$renewed = $client->renewDomain($domain->id, new RenewDomainRequest(years: 1, currentExpiry: $domain->expiresAt));
echo "renewed: {$renewed->renewal->years} year\n";

foreach (new Feed($client, domain: $domain->name) as $event) {
    echo "event: {$event->type}\n";
    if ($event->type === 'domain.renewed') {
        break;
    }
}
