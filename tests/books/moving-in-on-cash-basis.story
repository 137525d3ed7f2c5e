moving in on cash basis, 2026 (licensedDealer, cash basis)
# Its income belongs to the year of the invoice, in the books before; the VAT falls due here as it is paid.
05-01  openItem  2087  Cohen  1,180.00  VAT 180.00
05-20  receipt   of 2087  590.00
05-21  taxInvoice  1  Levi  1,000.00 + VAT

trial balance   Cohen 590.00 D   Levi 1,180.00 D   Bank 590.00 D   Output VAT 360.00 C   Opening balances 1,000.00 C   Income from services 1,000.00 C
VAT return      sales 500   exempt 0   output VAT 90   to pay 90
income          books 1,000.00   advances 1,000.00   tax year 1,000.00
