#!/usr/bin/perl
# A whole life at a registry, told by Net::EPP::Simple: an EPP client that has nothing to do with us.
# Arguments: host, port, certificate of the server, client id, password, a run's own label.
use strict;
use warnings;
use Net::EPP::Simple;

my ($host, $port, $ca, $user, $pass, $label) = @ARGV;
my ($domain, $contact, $outside) = ("$label.com", "C-$label", "ns1.$label.example");

my $epp = Net::EPP::Simple->new(host => $host, port => $port, user => $user, pass => $pass, timeout => 10, verify => 1, ca_file => $ca)
  or die "login: $Net::EPP::Simple::Error\n";

sub did {
    my ($what, $result) = @_;
    die sprintf("%s: %s %s\n", $what, $Net::EPP::Simple::Code, $Net::EPP::Simple::Error // '') unless defined $result && $result;
    print "$what\n";
    return $result;
}

sub is {
    my ($what, $found, $expected) = @_;
    die "$what: $found in place of $expected\n" unless defined $found && $found eq $expected;
    print "$what\n";
}

did('contact is free', $epp->check_contact($contact));
did('contact created', $epp->create_contact({
    id => $contact, authInfo => 'a-contact-secret', voice => '+44.2079460000', email => 'ada@example.com',
    postalInfo => { int => { name => 'Ada Lovelace', org => 'Analytical Engines', addr => { street => ['12 St James Square'], city => 'London', sp => 'London', pc => 'SW1Y 4JH', cc => 'GB' } } },
}));
is('contact is taken', $epp->check_contact($contact), 0);
is('contact is as it was created', $epp->contact_info($contact)->{postalInfo}->{int}->{name}, 'Ada Lovelace');

did('host is free', $epp->check_host($outside));
did('host created', $epp->create_host({ name => $_, addrs => [] })) for ($outside, "ns2.$label.example");
is('host is ours', $epp->host_info($outside)->{clID}, $user);

did('domain is free', $epp->check_domain($domain));
did('domain created', $epp->create_domain({
    name => $domain, period => 2, registrant => $contact, contacts => { tech => $contact, admin => $contact, billing => $contact },
    ns => [$outside, "ns2.$label.example"], status => undef, authInfo => 'a-domain-secret',
}));
is('domain is taken', $epp->check_domain($domain), 0);
my $info = $epp->domain_info($domain);
is('domain has its registrant', $info->{registrant}, $contact);
is('domain has its hosts', join(',', sort @{ $info->{ns} }), join(',', sort($outside, "ns2.$label.example")));
my ($expiry) = split(/T/, $info->{exDate});
did('domain renewed', $epp->renew_domain({ name => $domain, cur_exp_date => $expiry, period => 1 }));
is('expiry is a year later', substr($epp->domain_info($domain)->{exDate}, 0, 4), substr($expiry, 0, 4) + 1);

did('glue host created', $epp->create_host({ name => "ns.$domain", addrs => [{ ip => '192.0.2.1', version => 'v4' }, { ip => '2001:db8::1', version => 'v6' }] }));
did('domain updated', $epp->update_domain({
    name => $domain, add => { ns => ["ns.$domain"], status => { clientHold => undef } }, rem => { ns => [$outside] }, chg => { authInfo => 'another-domain-secret' },
}));
$info = $epp->domain_info($domain);
is('domain has its other hosts', join(',', sort @{ $info->{ns} }), join(',', sort("ns.$domain", "ns2.$label.example")));
is('domain is on hold', join(',', @{ $info->{status} }), 'clientHold');
did('host updated', $epp->update_host({ name => "ns.$domain", add => { addrs => [{ ip => '192.0.2.2', version => 'v4' }] }, rem => { addrs => [{ ip => '192.0.2.1', version => 'v4' }] } }));
did('contact updated', $epp->update_contact({ id => $contact, chg => { email => 'countess@example.com' } }));
is('contact has its other address', $epp->contact_info($contact)->{email}, 'countess@example.com');

is('contact in use cannot be deleted', $epp->delete_contact($contact) // $Net::EPP::Simple::Code, '2305');
did('domain deleted', $epp->delete_domain($domain));
did('domain is free again', $epp->check_domain($domain));
did('host deleted', $epp->delete_host($outside));
did('contact deleted', $epp->delete_contact($contact));
did('hello answered', $epp->ping);
did('logged out', $epp->logout);
