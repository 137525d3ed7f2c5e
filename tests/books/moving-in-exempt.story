moving in as an exempt dealer, 2026 (exemptDealer)
# No earlier year counted the debt: it is income on the day it is paid.
05-01  openItem  2087  Cohen  1,180.00
05-20  receipt   of 2087  590.00

trial balance   Cohen 590.00 D   Bank 590.00 D   Opening balances 590.00 C   Income from services 590.00 C
income          books 590.00   advances 590.00   tax year 590.00
