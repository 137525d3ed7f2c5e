a plumber's May, 2026 (licensedDealer)
05-03  taxInvoice     1001  Cohen       1,000.00 + VAT
05-10  taxInvoice     1002  Cohen         118.00 with VAT
05-10  taxInvoice     1003  Levi        2,345.67 + VAT  less 5%
05-20  creditInvoice   501  of 1001
05-31  taxInvoice     1004  Haddad        500.00 no VAT

trial balance   Cohen 118.00 D   Haddad 500.00 D   Levi 2,629.50 D   Output VAT 419.11 C   Income from services 2,828.39 C
VAT return      sales 2,328   exempt 500   output VAT 419   to pay 419
