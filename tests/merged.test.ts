import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { documentTypeById } from '#domain/documents/kinds.ts'
import { planCorrectionCall } from '#features/sales/corrections/endpoints.ts'
import * as documents from '#features/sales/documents/endpoints.ts'
import { successors, typeId } from '#features/sales/documents/types/index.ts'
import { refundMoney } from '#features/sales/payments/endpoints.ts'
import { createExpense, expenseFacts, getExpense } from '#features/purchases/expenses/endpoints.ts'
import { mergeCustomers } from '#features/registers/parties/endpoints.ts'
import { mergeSuppliers } from '#features/registers/suppliers/endpoints.ts'
import { newBusiness, startWorld, type Business, type World } from './world.ts'

/**
 * A merged customer or supplier is the surviving one: all that was stored or read before the merge (old documents, ids
 * that programs keep) leads to the surviving record, in every command.
 */
let world: World
let shop: Business
beforeAll(async () => {
  world = await startWorld()
  shop = await newBusiness(world)
})
afterAll(() => world.close())

const line = { description: 'עבודה', quantity: '2', unitPrice: '100' }
const paid = (amountAgorot: number) => ({ payments: [{ means: 3, amountAgorot }] })

async function merged(before: (goneId: string) => Promise<string[]>) {
  const [keep, gone] = [await shop.customer('נשאר'), await shop.customer('מתמזג')]
  const ids = await before(gone.id)
  await shop.call(mergeCustomers, { keepId: keep.id, ids: [gone.id] })
  return { keep: keep.id, gone: gone.id, ids }
}

const create = async (customerId: string, type: number, more = {}) =>
  (await shop.call(documents.createDocument, { type, customerId, lines: [line], ...more })).id
const customerOf = async (id: string) => (await shop.call(documents.getDocument, { id })).customerId

describe('documents of a merged customer', () => {
  test('become every document that may follow, of the surviving customer', { timeout: 120_000 }, async () => {
    const types = [1, 2, 3, 4, 5, 8, 9]
    const { keep, ids } = await merged((gone) =>
      Promise.all(types.map((type) => create(gone, type, type === 9 ? paid(23_600) : {}))),
    )
    const walked: string[] = []
    for (const [i, type] of types.entries()) {
      const invoices: string[] = []
      for (const next of successors(documentTypeById(type)!, 'licensedDealer')) {
        const draft = await shop.call(documents.convertDocument, { id: ids[i]!, type: typeId(next.name) })
        expect(draft.customerId, `${type} ${next.name}`).toBe(keep)
        walked.push(next.name)
        if (next.name === 'taxInvoice') invoices.push(draft.id)
      }
      for (const id of invoices) {
        await shop.call(documents.issueDocument, { id })
        expect(await customerOf(id)).toBe(keep)
      }
    }
    expect(walked).toEqual(expect.arrayContaining(['order', 'taxInvoice', 'receipt', 'creditInvoice']))
  })

  test('are paid, settled, credited, corrected, refunded and cancelled with the surviving customer', async () => {
    const { keep, ids } = await merged(async (gone) => [
      ...(await Promise.all([8, 8, 8, 8, 8].map((type) => create(gone, type)))),
      (await shop.call(documents.createDocument, { type: 6, customerId: gone, ...paid(50_000) })).id,
      await create(gone, 5),
    ])
    const [owed, settled, credited, corrected, cancelled, money, request] = ids as [
      string,
      string,
      string,
      string,
      string,
      string,
      string,
    ]
    const open = (await shop.call(documents.openItems, { customerId: keep })).rows
    expect(new Set(open.map(({ id }) => id))).toEqual(new Set(ids))

    const receipt = (closes: string, amountAgorot: number) =>
      shop.call(documents.createDocument, {
        type: 6,
        customerId: keep,
        ...paid(amountAgorot),
        closes: [{ documentId: closes, amountAgorot }],
      })
    await receipt(owed, 23_600)
    await receipt(request, 23_600)
    await shop.call(documents.settleDocument, { id: money, documentId: settled, amountAgorot: 23_600 })
    const credit = await shop.call(documents.creditDocument, {
      id: credited,
      reason: 'החזרה',
      agorot: 11_800,
    })
    const undone = await shop.call(documents.cancelDocument, { id: cancelled, reason: 'טעות' })
    const refund = await shop.call(refundMoney, { documentId: money, amountAgorot: 1_000, means: 3 })
    for (const { id } of [credit, undone, refund]) expect(await customerOf(id)).toBe(keep)
    // Another customer is a correction, the surviving record of the same one is none.
    const { refusals } = await shop.call(planCorrectionCall, { id: corrected, customerId: keep })
    expect(refusals.map(({ code }) => code)).toEqual(['corrections.nothingChanged'])

    // Nothing is left on the merged record: what is owed and what the books say are the surviving customer's.
    const today = '2099-01-01'
    const ageing = await shop.get(`/api4/invoice/reports/ageing?customer=${keep}&day=${today}`)
    const { balanceAgorot } = await shop.get(`/api4/invoice/customers/${keep}`)
    expect(balanceAgorot).toBe(ageing.totals.openAgorot)
    expect(ageing.checks.filter((one: { ok: boolean }) => !one.ok)).toEqual([])
  })
})

test('a call that names a merged record means the surviving one', async () => {
  const { keep, gone } = await merged(() => Promise.resolve([]))
  expect(await customerOf(await create(gone, 8))).toBe(keep)
  const draft = await shop.call(documents.createDocument, {
    type: 8,
    customerId: gone,
    lines: [line],
    draft: true,
  })
  expect(draft.customerId).toBe(keep)
  const { rows } = await shop.call(documents.batchDocuments, {
    documents: [{ type: 8, customerId: gone, lines: [line] }],
  } as never)
  expect(await customerOf(rows[0]!.id)).toBe(keep)
  for (const [path, body, field] of [
    ['projects', { name: 'גג', customerId: gone }, 'customerId'],
    ['tasks', { title: 'להתקשר', customerId: gone }, 'customerId'],
    ['customerContacts', { name: 'רות', partyId: gone }, 'partyId'],
  ] as const) {
    const { id } = await shop.send('POST', `/api4/invoice/${path}`, body)
    expect(await shop.get(`/api4/invoice/${path}/${id}`), path).toMatchObject({ [field]: keep })
  }

  const supplier = async (name: string) =>
    (await shop.send('POST', '/api4/invoice/suppliers', { name })).id as string
  const [stays, goes] = [await supplier('נשאר'), await supplier('מתמזג')]
  await shop.call(mergeSuppliers, { keepId: stays, ids: [goes] })
  const { types } = await shop.call(expenseFacts, {})
  const bill = await shop.call(createExpense, {
    supplierId: goes,
    supplierNumber: '1',
    date: '2026-01-05',
    means: 'onCredit',
    lines: [{ typeId: types.find((one) => !one.isFixedAsset)!.id, netAgorot: 1_000, vatAgorot: 0 }],
  } as never)
  expect((await shop.call(getExpense, { id: bill.id })).supplierId).toBe(stays)
  expect(await customerOf(await create(goes, 7))).toBe(stays)
})

const sources = (folder: string): string[] =>
  readdirSync(folder, { withFileTypes: true }).flatMap((one) => {
    const path = join(folder, one.name)
    if (one.isDirectory()) return sources(path)
    return path.endsWith('.ts') && !path.endsWith('.test.ts') ? [readFileSync(path, 'utf8')] : []
  })

/** Facts of what happened: they keep the record they happened to, and every reader counts them for the surviving one. */
const facts: Record<string, string> = {
  documents: 'issued documents; drafts follow',
  postings: 'entries',
  party_months: 'totals of entries',
  expenses: 'posted bills; others follow',
}

test('every reference to a customer or supplier follows a merge, or is a fact of the past', async () => {
  const { rows } = await world.app.db.pool.query<{ table: string; column: string }>(
    `select c.conrelid::regclass::text as table, a.attname as column
      from pg_constraint c join pg_attribute a on a.attrelid = c.conrelid and a.attnum = c.conkey[2]
      where c.contype = 'f' and c.confrelid = 'parties'::regclass order by 1, 2`,
  )
  const following = sources('src/features').filter((text) =>
    /registerFollower\(|Follower\b|\bgone\b/.test(text),
  )
  const left = rows.filter(
    ({ table }) =>
      table !== 'parties' &&
      !facts[table] &&
      !following.some((text) => new RegExp(`\\b${table}\\b`).test(text)),
  )
  expect(left.map(({ table, column }) => `${table}.${column}`)).toEqual([])
})

test('every reference of a described thing has a name that inputs are followed by', () => {
  const names = sources('src/features').flatMap((text) =>
    [...text.matchAll(/(\w+): ref\('(?:customers|suppliers)'(?![^)]*computed)/g)].map(([, name]) => name!),
  )
  expect(names.length).toBeGreaterThan(3)
  // The filters of a report are named after what they choose, and change nothing.
  expect(
    names.filter((one) => !/^(?:(?:customer|supplier|party|payer)Id|customer|supplier)$/.test(one)),
  ).toEqual([])
})
