import { addDays, addMonths } from '#domain/day.ts'
import { chargesVat, type BusinessKind } from '#domain/documents/kinds.ts'
import { cancelExpense, createExpense, expenseFacts } from '#features/purchases/expenses/endpoints.ts'
import { mergeCustomers } from '#features/registers/parties/endpoints.ts'
import { mergeSuppliers } from '#features/registers/suppliers/endpoints.ts'
import { keepRate } from '#features/registers/rates/endpoints.ts'
import { addEntry } from '#features/base/ledger/endpoints.ts'
import { postRevaluation, listRevaluations, undoRevaluation } from '#features/books/revaluation/endpoints.ts'
import * as suppliers from '#features/purchases/supplierPayments/endpoints.ts'
import * as vat from '#features/tax/vat/endpoints.ts'
import { newTaxId } from '../world.ts'
import { deedsOf, ordinary, pick, upTo, type Deed, type Life, type Step } from './random.ts'

/*
 * What a business does in years, beside its documents: bills of suppliers in every sign and currency, payments with tax
 * withheld, entries by hand, revaluations, merged records, and returns that are opened again and filed again.
 */

/** A bill of one to three lines, some negative, some without VAT, sometimes of a month that was reported. */
const bill: Step = async (life, supplierId) => {
  const { types } = (await life.business.call(expenseFacts, {})) as unknown as {
    types: { id: string; vatShare: string; isFixedAsset: boolean }[]
  }
  const day = life.random() < 0.3 ? addDays(life.today(), -upTo(life, 70)) : life.today()
  const charges = chargesVat(life.kind)
  const lines = Array.from({ length: upTo(life, 3) }, () => {
    const type = pick(
      life,
      types.filter(({ isFixedAsset }) => !isFixedAsset),
    )
    const netAgorot = upTo(life, 200_000) * (life.random() < 0.25 ? -1 : 1)
    const rate = day < '2025-01-01' ? 17 : 18
    const bears = charges && life.random() < 0.8
    return { typeId: type.id, netAgorot, vatAgorot: bears ? Math.round((netAgorot * rate) / 100) : 0 }
  })
  await life.business.call(createExpense, {
    supplierId,
    supplierNumber: String(upTo(life, 900_000)),
    date: day < '2024-12-01' ? life.today() : day,
    ...(life.random() < 0.1 ? { currency: 'USD', rate: (3 + life.random()).toFixed(4) } : {}),
    lines,
    means: pick(life, ['onCredit', 'onCredit', 'bank', 'owner'] as const),
  } as never)
  return undefined
}

const cancelBill: Step = async (life) => {
  const { rows } = await life.business.get<{ rows: { id: string }[] }>(
    '/api4/invoice/expenses?state=approved&size=50',
  )
  const one = pick(life, rows)
  if (one) await life.business.call(cancelExpense, { id: one.id, reason: 'טעות' })
  return undefined
}

const payWithheld: Step = async (life, supplierId) => {
  const { rows } = await life.business.call(suppliers.openBills, { supplierId })
  const one = rows.find(({ openAgorot }) => openAgorot > 100)
  if (!one) return undefined
  await life.business.call(suppliers.createSupplierPayment, {
    supplierId,
    date: life.today(),
    means: 'bank',
    bills: [{ id: one.id, amountAgorot: one.openAgorot }],
    withheldAgorot: upTo(life, Math.floor(one.openAgorot / 3)),
  })
  return undefined
}

/** Interest, a fee: an entry that is no document. */
const byHand: Step = async (life) => {
  const agorot = upTo(life, 50_000)
  const [one, other] = pick(life, [
    ['1010', '4900'],
    ['6000', '1010'],
    ['1000', '1010'],
  ] as const)
  await life.business.call(addEntry, {
    date: life.today(),
    lines: [
      { accountNumber: one, debitAgorot: agorot, creditAgorot: 0 },
      { accountNumber: other, debitAgorot: 0, creditAgorot: agorot },
    ],
  } as never)
  return undefined
}

const merge: Step = async (life, id) => {
  const isCustomer = life.customers.includes(id)
  const of = isCustomer ? life.customers : life.suppliers
  const other = pick(
    life,
    of.filter((one) => one !== id),
  )
  if (!other || of.length < 3) return undefined
  await life.business.call(isCustomer ? mergeCustomers : mergeSuppliers, { keepId: id, ids: [other] })
  of.splice(of.indexOf(other), 1)
  life.documents.set(id, [...(life.documents.get(id) ?? []), ...(life.documents.get(other) ?? [])])
  life.documents.delete(other)
  return undefined
}

/** Somebody new, so that records merge for years. */
const newParty: Step = async (life) => {
  if (life.random() < 0.5)
    life.customers.push((await life.business.customer(`לקוח ${life.customers.length + upTo(life, 1e6)}`)).id)
  else
    life.suppliers.push(
      (
        await life.business.send<{ id: string }>('POST', '/api4/invoice/suppliers', {
          name: `ספק ${upTo(life, 1e6)}`,
          taxId: newTaxId(),
        })
      ).id,
    )
  return undefined
}

const revalue: Step = async (life) => {
  for (const currency of ['USD', 'EUR'])
    await life.business.call(keepRate, { currency, day: life.today(), rate: (3 + life.random()).toFixed(4) })
  await life.business.call(postRevaluation, { day: life.today(), banks: [], without: [] })
  return undefined
}

const undoRevalued: Step = async (life) => {
  const { rows } = (await life.business.call(listRevaluations, {})) as { rows: { id: string }[] }
  if (rows[0]) await life.business.call(undoRevaluation, { id: rows[0].id })
  return undefined
}

/** Until the month before this one, so that years of returns are filed; in one of two ways, settled or not. */
const reportAll: Step = async (life) => {
  for (;;) {
    const period = addMonths(`${life.reported}-01`, 1).slice(0, 7)
    if (period >= life.today().slice(0, 7)) return undefined
    await life.business.call(vat.fileReturn, {
      period,
      kind: life.random() < 0.3 ? 'detailed' : 'return',
      settle: life.random() < 0.5,
    })
    life.reported = period
  }
}

/** The last return is opened, something of its days is entered, and it is filed again with the next ones. */
const reopen: Step = async (life, customerId) => {
  const { rows } = await life.business.call(vat.listFilings, {})
  const last = rows.find(({ reopenedAt }) => reopenedAt === null)
  if (!last || last.to.slice(0, 7) !== life.reported || life.reported < '2025-01') return undefined
  await life.business.call(vat.reopenFiling, { id: last.id, reason: 'מסמך ששכחנו' })
  life.reported = addMonths(`${life.reported}-01`, -1).slice(0, 7)
  await bill(life, pick(life, life.suppliers) ?? customerId)
  return undefined
}

const yearDeeds: readonly (Deed & { charges?: true })[] = [
  { weight: 12, name: 'bill', step: bill, whom: 'suppliers' },
  { weight: 3, name: 'cancelBill', step: cancelBill },
  { weight: 4, name: 'payWithheld', step: payWithheld, whom: 'suppliers' },
  { weight: 3, name: 'journal', step: byHand },
  { weight: 2, name: 'merge', step: merge, whom: 'anybody' },
  { weight: 3, name: 'newParty', step: newParty },
  { weight: 2, name: 'revalue', step: revalue },
  { weight: 1, name: 'undoRevalued', step: undoRevalued },
  { weight: 4, name: 'reportAll', step: reportAll, charges: true },
  { weight: 2, name: 'reopen', step: reopen, charges: true },
]

/** What a business of this kind does in years. */
export const yearDeedsOf = (kind: BusinessKind): readonly Deed[] => [
  ...deedsOf(kind).filter(({ name }) => name !== 'reportVat'),
  ...yearDeeds.filter(({ charges }) => !charges || chargesVat(kind)),
]

/** Refusals that are part of years, beside those of documents. */
export const yearRefusals: ReadonlySet<string> = new Set([
  ...ordinary,
  'ledger.periodClosed',
  'vat.negative',
  'vat.faulty',
  'expenses.alreadyCancelled',
  'expenses.notApproved',
  'expenses.ofDocument',
  'expenses.nothingOpen',
  'expenses.duplicate',
  'revaluation.nothingToPost',
  'revaluation.alreadyPosted',
  'revaluation.undone',
  'revaluation.noRate',
  'expenses.noMeansAccount',
  'vat.notFiled',
])

export type { Life }
