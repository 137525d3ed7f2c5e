import { readers as affiliates } from '#features/partners/affiliates/server/readers.ts'
import { readers as bank } from '#features/money/bank/server/readers.ts'
import { readers as capture } from '#features/purchases/capture/server/readers.ts'
import { readers as exports } from '#kit/server/described/exports/readers.ts'
import { readers as files } from '#features/base/files/server/readers.ts'
import { readers as imports } from '#features/registers/imports/server/readers.ts'
import { readers as ledger } from '#features/base/ledger/server/readers.ts'
import { readers as masav } from '#features/money/masav/server/readers.ts'
import { readers as signing } from '#features/sales/signing/server/readers.ts'
import { readers as settlements } from '#features/money/settlements/server/readers.ts'
import { readers as standingOrders } from '#features/money/standingOrders/server/readers.ts'
import { readers as payPages } from '#features/money/payPages/server/readers.ts'
import { readers as rates } from '#features/registers/rates/server/readers.ts'
import { readers as suppliers } from '#features/registers/suppliers/server/readers.ts'
import { readers as support } from '#features/office/support/server/readers.ts'
import { readers as timetable } from '#features/calendar/timetable/server/readers.ts'
import { readers as uniform } from '#features/tax/uniform/server/readers.ts'

export { useEnteredLaw } from '#domain/law/dated.ts'

/**
 * What reads files of strangers and writes long ones of ours, in separate threads: an entry beside the
 * server's, without its database.
 */
export const readers = {
  ...affiliates,
  ...bank,
  ...capture,
  ...exports,
  ...files,
  ...imports,
  ...ledger,
  ...masav,
  ...payPages,
  ...rates,
  ...signing,
  ...settlements,
  ...standingOrders,
  ...suppliers,
  ...support,
  ...timetable,
  ...uniform,
}
