module namewright

go 1.18
