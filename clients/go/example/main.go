// A domain's life: search, quote, register, records, wait until they are published, renew, events.
// NAMEWRIGHT_URL=… NAMEWRIGHT_API_KEY=… go run ./example my-name com
package main

import (
	"context"
	"fmt"
	"log"
	"os"
	"strconv"
	"time"

	"namewright"
)

func main() {
	log.SetFlags(0)
	if err := live(context.Background(), argument(1, "my-name"), argument(2, "com")); err != nil {
		log.Fatal(err)
	}
}

func live(ctx context.Context, label, tld string) error {
	client := namewright.Connect(os.Getenv("NAMEWRIGHT_URL"), os.Getenv("NAMEWRIGHT_API_KEY"), namewright.Options{})

	search, err := client.SearchDomains(ctx, namewright.Search{Query: label, Tlds: []string{tld}})
	if err != nil {
		return err
	}
	found := search.Results[0]
	if !found.Available {
		return fmt.Errorf("%s is taken", found.Name)
	}
	fmt.Println("free:", found.Name)

	quote, err := client.QuoteDomains(ctx, namewright.Quote{Domains: []namewright.QuoteDomain{{Name: found.Name, Years: namewright.Ptr[int64](1)}}})
	if err != nil {
		return err
	}
	fmt.Println("price:", strconv.FormatFloat(quote.Total.Amount, 'f', -1, 64), quote.Total.Currency)

	registered, err := client.RegisterDomain(ctx, namewright.RegisterDomain{
		Name:  found.Name,
		Years: namewright.Ptr[int64](1),
		Contacts: namewright.Contacts{Registrant: namewright.Registrant{
			FirstName: namewright.Ptr("Ada"),
			LastName:  "Lovelace",
			Email:     "ada@example.com",
			Phone:     "+44.2079460000",
			Address:   namewright.Address{Street: "12 St James Square", City: "London", Country: "GB"},
		}},
	})
	if err != nil {
		return err
	}
	domain, err := client.ReadDomain(ctx, registered.Id)
	for err == nil && domain.Status == string(namewright.DomainStatusPending) {
		time.Sleep(200 * time.Millisecond)
		domain, err = client.ReadDomain(ctx, domain.Id)
	}
	if err != nil {
		return err
	}
	fmt.Println("registered:", domain.Name)

	// One change, or none: both records get the same version.
	_, err = client.EditRecords(ctx, domain.Id, namewright.EditRecords{Create: []namewright.AddRecord{
		{Type: "A", Name: "@", Content: "192.0.2.1"},
		{Type: "MX", Name: "@", Content: "mail.example.net", Priority: namewright.Ptr[int64](10)},
	}}, &namewright.EditRecordsParams{Wait: namewright.Ptr("published")})
	if err != nil {
		return err
	}
	publication, err := client.ReadPublication(ctx, domain.Id)
	if err != nil {
		return err
	}
	fmt.Println("published:", publication.Published)

	_, err = client.AddRecord(ctx, domain.Id, namewright.AddRecord{Type: "CNAME", Name: "@", Content: "example.net"}, nil)
	if !namewright.HasCode(err, namewright.ErrorCodeCnameAtRoot) {
		return fmt.Errorf("the CNAME was not refused: %w", err)
	}
	fmt.Println("refused:", namewright.ErrorCodeCnameAtRoot)

	// With the expiry that it is to extend, a repetition in another program cannot renew it twice.
	renewed, err := client.RenewDomain(ctx, domain.Id, namewright.RenewDomainRequest{Years: namewright.Ptr[int64](1), CurrentExpiry: &domain.ExpiresAt})
	if err != nil {
		return err
	}
	fmt.Println("renewed:", renewed.Renewal.Years, "year")

	feed := client.FollowEvents(namewright.ListEventsParams{Domain: &domain.Name})
	for {
		event, err := feed.Next(ctx)
		if err != nil {
			return err
		}
		fmt.Println("event:", event.Type)
		if event.Type == string(namewright.EventTypeDomainRenewed) {
			return nil
		}
	}
}

func argument(number int, otherwise string) string {
	if len(os.Args) > number {
		return os.Args[number]
	}
	return otherwise
}
