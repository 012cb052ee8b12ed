# The PowerDNS API with an API key.
terraform {
  required_providers {
    powerdns = {
      source  = "pan-net/powerdns"
      version = "~> 1.5"
    }
  }
}

variable "namewright_key" {
  type      = string
  sensitive = true
}

provider "powerdns" {
  server_url = "https://pdns.names.example.com"
  api_key    = var.namewright_key
}

resource "powerdns_record" "www" {
  zone    = "my-first-name.com."
  name    = "www.my-first-name.com."
  type    = "A"
  ttl     = 300
  records = ["192.0.2.1", "192.0.2.2"]
}
