# Dynamic updates (RFC 2136) with a TSIG key.
terraform {
  required_providers {
    dns = {
      source  = "hashicorp/dns"
      version = "~> 3.4"
    }
  }
}

variable "tsig_name" {
  type = string
}

variable "tsig_secret" {
  type      = string
  sensitive = true
}

provider "dns" {
  update {
    server        = "192.0.2.53"
    transport     = "tcp"
    timeout       = "15s" # a response can wait for the secondaries
    key_name      = "${var.tsig_name}."
    key_algorithm = "hmac-sha256"
    key_secret    = var.tsig_secret
  }
}

resource "dns_a_record_set" "www" {
  zone      = "my-first-name.com."
  name      = "www"
  addresses = ["192.0.2.1", "192.0.2.2"]
  ttl       = 300
}
