import type { Report } from '#kit/server/described/reports.ts'
import '../rules.ts'
import { skuCard } from './reports/skuCard.ts'
import { itemsCatalogue } from './reports/itemsCatalogue.ts'
import { itemsSales } from './reports/itemsSales.ts'
import { openOrdersByCustomer, openOrdersByProduct } from './reports/openOrders.ts'
import { ordersByState } from './reports/ordersByState.ts'
import { owe } from './reports/owe.ts'
import { oweSummary } from './reports/oweSummary.ts'
import { perCustomer } from './reports/perCustomer.ts'
import { productMovements } from './reports/productMovements.ts'
import { profitSales } from './reports/profitSales.ts'

export const reports: Report[] = [
  perCustomer,
  profitSales,
  ordersByState,
  openOrdersByProduct,
  openOrdersByCustomer,
  owe,
  oweSummary,
  itemsCatalogue,
  itemsSales,
  productMovements,
  skuCard,
]
