an electrician buys and sells, 2026 (licensedDealer)
03-01  taxInvoice     2001  Cohen     10,000.00 + VAT
03-02  expense        7701  Hadar     rent 2,000.00 + VAT  paid by bank
03-05  expense        7702  Paz       fuel 300.00 + VAT  paid by card
03-08  expense        7703  Galil     materials 1,234.56 + VAT, equipment 4,000.00 + VAT
03-12  expense        7704  Makolet   refreshments 100.00 + VAT, officeSupplies 50.00 + VAT  paid by cash
03-20  expense        7705  Galil     materials -200.00 + VAT
04-01  expense        7706  Migdalor  insurance 900.00 no VAT
04-02  expense        7707  Paz       fuel 111.11 + VAT
04-03  cancelExpense  7702
04-30  expense        7708  Amsalem   subcontractors 1,500.00 + VAT

trial balance   Cohen 11,800.00 D   Cash 177.00 C   Bank 2,360.00 C   Input VAT 838.55 D   Input VAT, equipment 720.00 D   Equipment and machinery 4,000.00 D   Amsalem 1,770.00 C   Galil 5,940.78 C   Migdalor 900.00 C   Paz 131.11 C   Output VAT 1,800.00 C   Income from services 10,000.00 C   Purchases 1,034.56 D   Subcontractors 1,500.00 D   Office expenses 50.00 D   Rent and upkeep 2,000.00 D   Fuel 117.78 D   Insurance 900.00 D   Hospitality and gifts 118.00 D
VAT return      sales 10,000   exempt 0   output VAT 1,800   equipment 720   other input VAT 839   to pay 241
