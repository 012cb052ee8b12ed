#!/usr/bin/perl
# A registrar that executes commands with Net::EPP::Simple: an EPP client that has nothing to do with us.
# Arguments: host, port, certificate of the server, client id, password. Commands come on standard input, one a line, with
# tabs between the words. Responses: "ok", values; "no", the result code; "lost" without a conclusive response.
use strict;
use warnings;
use Net::EPP::Simple;
use Net::EPP::Frame;

my ($host, $port, $ca, $user, $pass) = @ARGV;
my ($contact, @hosts) = ('C-OTHER', 'ns1.other.example', 'ns2.other.example');
my $epp;
$| = 1;
$SIG{PIPE} = 'IGNORE';
# Net::EPP::Simple reads values that it was not given.
$SIG{__WARN__} = sub { print STDERR @_ unless $_[0] =~ /uninitialized value .*Net.EPP.Simple/ };

# One attempt to connect: the caller repeats.
sub connected {
    $epp //= Net::EPP::Simple->new(host => $host, port => $port, user => $user, pass => $pass, timeout => 10, verify => 1, ca_file => $ca, reconnect => 0, load_config => 0);
    return $epp;
}

# The next command opens another connection: a response that comes late must not be taken for the next one's.
sub lost {
    undef $epp;
    return 'lost';
}

sub result {
    my ($values) = @_;
    my $code = $Net::EPP::Simple::Code;
    return lost() if !defined $code || $code == 2400 || $code >= 2500;
    return ('no', $code) if $code > 1999;
    return ('ok', @$values);
}

my %commands = (
    setup => sub {
        $epp->create_contact({
            id => $contact, authInfo => 'a-contact-secret', voice => '+44.2079460000', email => 'ada@example.com',
            postalInfo => { int => { name => 'Ada Lovelace', addr => { street => ['12 St James Square'], city => 'London', sp => 'London', pc => 'SW1Y 4JH', cc => 'GB' } } },
        });
        $epp->create_host({ name => $_, addrs => [] }) for @hosts;
        return result([]);
    },
    create => sub {
        my ($name, $code) = @_;
        $epp->create_domain({
            name => $name, period => 1, registrant => $contact, contacts => { tech => $contact, admin => $contact, billing => $contact }, ns => [@hosts], authInfo => $code,
        });
        return result([]);
    },
    info => sub {
        my $found = $epp->domain_info($_[0]);
        return result([$found ? $found->{clID} : '']);
    },
    request => sub { $epp->domain_transfer_request($_[0], $_[1], 1); return result([]) },
    status => sub {
        my $found = $epp->domain_transfer_query($_[0]);
        return result([$found ? ($found->{trStatus}, $found->{reID}) : ()]);
    },
    (map { my $op = $_; my $method = "domain_transfer_$op"; ($op => sub { $epp->$method($_[0]); return result([]) }) } qw(approve reject cancel)),
    poll => sub {
        my $response = $epp->request(Net::EPP::Frame::Command::Poll::Req->new) or return lost();
        $Net::EPP::Simple::Code = $response->code;
        my ($queue) = $response->getElementsByLocalName('msgQ');
        return result([]) if $response->code != 1301 || !$queue;
        my ($text) = $queue->getElementsByLocalName('msg');
        return result([$queue->getAttribute('id'), $text ? $text->textContent : '']);
    },
    ack => sub {
        my $frame = Net::EPP::Frame::Command::Poll::Ack->new;
        $frame->setMsgID($_[0]);
        my $response = $epp->request($frame) or return lost();
        $Net::EPP::Simple::Code = $response->code;
        return result([]);
    },
);

while (my $line = <STDIN>) {
    chomp $line;
    my ($command, @words) = split /\t/, $line;
    my @response = eval { connected() ? $commands{$command}->(@words) : lost() };
    @response = lost() if $@ || !@response;
    print join("\t", @response), "\n";
}
