import { sql } from 'kysely'
import { billedParts, roundingKey, workedOfParts } from '#domain/expenses/selfBilled.ts'
import { numberKey } from '#domain/vat/bills.ts'
import { timesRate } from '#domain/money.ts'
import { fail } from '#kit/describe/errors.ts'
import type { Ctx } from '#kit/server/context.ts'
import {
  loadDocument,
  registerConsequence,
  type IssuedPaper,
} from '#features/sales/documents/server/index.ts'
import { accountIds, postAll } from '#features/base/ledger/server/index.ts'
import { approve, cancelStored } from './book.ts'
import { codedBy } from './defaults.ts'
import { keep } from './keep.ts'
import { load, type StoredExpense } from './load.ts'
import { typesOf, type Prepared } from './prepare.ts'
import { supplierOf } from './suppliers.ts'
import { ensureTypes, typeByKey } from './types.ts'

/** What the bill of a document is, however far its fate has gone; undefined where none came with it. */
async function billOf(ctx: Ctx, documentId: string): Promise<StoredExpense | undefined> {
  const { rows } = await sql<StoredExpense>`select * from expenses where company_id = ${ctx.companyId}
        and document_id = ${documentId} for update`.execute(ctx.tx)
  return rows[0]
}

/**
 * The kind of expense and the project of each line: by a rule of the business for what the line says, by the
 * supplier's card, else purchases.
 */
async function codesOf(
  ctx: Ctx,
  p: IssuedPaper['prepared'],
  supplierId: string,
): Promise<{ typeId: string; projectId: string | null }[]> {
  const { rows } = await sql<{ typeId: string }>`select t.id as "typeId" from parties p
    join expense_types t on t.company_id = p.company_id and t.id = p.expense_type_id and t.archived_at is null
    where p.company_id = ${ctx.companyId} and p.id = ${supplierId}`.execute(ctx.tx)
  const usual = rows[0]?.typeId ?? (await typeByKey(ctx, 'materials'))
  const known = new Map<string, { typeId: string; projectId: string | null }>()
  const codes: { typeId: string; projectId: string | null }[] = []
  for (const line of p.content.lines) {
    const text = [p.content.subject, line.description].filter(Boolean).join(' ')
    let code = known.get(text)
    if (!code) {
      const rule = await codedBy(ctx, { supplierId, text })
      code = { typeId: rule?.typeId ?? usual, projectId: p.content.projectId ?? rule?.projectId ?? null }
      known.set(text, code)
    }
    codes.push(code)
  }
  return codes
}

/**
 * The bill of an issued self-billed invoice: the same number, days and amounts, all of its VAT recognized, posted at
 * once. The VAT is ours to pay, so the supplier is owed the amount without it. Issuing the invoice approves the
 * bill.
 */
async function enter(ctx: Ctx, { id, number, prepared: p }: IssuedPaper): Promise<void> {
  // A document that comes to nothing is owed to nobody.
  if (!p.ils.total && !p.ils.vat) return
  await ensureTypes(ctx)
  const supplier = await supplierOf(ctx, { supplierId: p.customerId })
  if (!supplier) throw fail('kit.notFound')
  const codes = await codesOf(ctx, p, supplier.id)
  const types = await typesOf(ctx, [...new Set(codes.map((code) => code.typeId))])
  // Each asset is registered separately; other lines of one kind and project are one line, with and without VAT apart.
  const keyOf = (place: number) => {
    const { typeId, projectId } = codes[place]!
    return types.get(typeId)!.isFixedAsset
      ? `${place}`
      : `${typeId} ${projectId ?? ''} ${p.ils.lines[place]!.vat ? 'taxed' : ''}`
  }
  const billed = billedParts(p.totals, p.ils, keyOf)
  const rounding = billed.some(({ key }) => key === roundingKey) ? (await accountIds(ctx)).of('rounding') : ''
  const parts = billed.map((part) => {
    const code = codes[part.places[0] ?? 0]!
    const type = types.get(code.typeId)!
    const isRounding = part.key === roundingKey
    const facts = {
      incomeTaxBp: type.incomeTaxBp,
      isFixedAsset: type.isFixedAsset && !isRounding,
      depreciationBp: type.depreciationBp,
    }
    const texts = [...new Set(part.places.map((place) => p.content.lines[place]!.description))]
    return {
      ...part,
      ...facts,
      incomeTax: timesRate(part.ilsNet, facts.incomeTaxBp, 'halfAwayFromZero'),
      line: {
        ...facts,
        typeId: type.id,
        accountId: isRounding ? rounding : type.accountId,
        vatShare: 'full' as const,
        details: texts.join(', ').slice(0, 200),
        netAgorot: part.net,
        vatAgorot: part.vat,
        projectId: code.projectId,
      },
    }
  })
  const largest = parts.reduce((best, part) => (Math.abs(part.ilsNet) > Math.abs(best.ilsNet) ? part : best))
  const prepared: Prepared = {
    content: {
      dueDate: p.dueDay,
      details: (p.content.subject || largest.line.details).slice(0, 200),
      lines: [],
    },
    company: p.company,
    supplier,
    number: String(number),
    numberKey: numberKey(String(number)),
    paper: 'selfInvoice',
    day: p.day,
    vatDay: p.day,
    claimsVat: true,
    currency: p.currency,
    rate: p.rate,
    lines: parts.map((part) => part.line),
    worked: workedOfParts(parts),
    means: 'onCredit',
    paidDay: null,
    typeId: largest.line.typeId,
  }
  const expenseId = await keep(ctx, prepared, 'waiting', undefined, id)
  await postAll(ctx, await approve(ctx, await load(ctx, expenseId, true)))
}

registerConsequence('selfBilledInvoice', {
  issued: enter,
  cancelled: async (ctx, document, reason) => {
    const bill = await billOf(ctx, document.id)
    if (bill) return postAll(ctx, await cancelStored(ctx, bill, reason))
    // From before such invoices created bills: its own entry is in the books, and nothing would reverse it.
    if (document.ils_total_agorot || document.ils_vat_agorot)
      throw fail('documents.cannotCancel', { number: document.number ?? 0 })
  },
  entries: (
    ctx,
    documentId,
  ) => sql`select x.entry_id from expense_entries x join expenses e on e.company_id = x.company_id
      and e.id = x.expense_id
    where x.company_id = ${ctx.companyId} and e.document_id = ${documentId}`,
})

/** The bill that came with a document, for the document's page; null where there is none. */
export async function billOfDocument(ctx: Ctx, documentId: string) {
  // Refuses documents that this person may not see.
  await loadDocument(ctx, documentId)
  const { rows } = await sql<{
    id: string
    state: StoredExpense['state']
    number: string
    dueDate: string | null
    totalAgorot: number
    openAgorot: number
  }>`select id, state, supplier_number as number, due_day as "dueDate", owed_agorot as "totalAgorot",
      open_agorot as "openAgorot"
    from expenses where company_id = ${ctx.companyId} and document_id = ${documentId}`.execute(ctx.tx)
  return { bill: rows[0] ?? null }
}
