the year the rate changed, 2025 (company)
01-02  taxInvoice     1  Green Axle    10,000.00 + VAT
02-28  creditInvoice  1  of 1
03-01  taxInvoice     2  Green Axle     9,999.99 with VAT
03-01  taxInvoice     3  Blue Fig           0.01 + VAT

trial balance   Blue Fig 0.01 D   Green Axle 9,999.99 D   Output VAT 1,525.42 C   Income from services 8,474.58 C
VAT return      sales 8,475   exempt 0   output VAT 1,525   to pay 1,525
