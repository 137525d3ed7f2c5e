import { sql } from 'kysely'
import { momentInJerusalem } from '#domain/day.ts'
import { timesRate } from '#domain/money.ts'
import { vatRateOn } from '#domain/vat/rates.ts'
import type { Ctx } from '#kit/server/context.ts'
import { isIssued, isSelfBilled } from '#kit/server/data/documentFacts.ts'
import { groupBy } from './groups.ts'
import { said, type Give } from './records.ts'

/**
 * Suppliers' tax invoices (700) and their credits (710): what in the books is one. A self-invoice is reported as the
 * document it came with.
 */
export const isBill = sql`x.state in ('approved', 'cancelled') and x.paper = 'taxInvoice'
    and x.supplier_id is not null and x.document_id is null
  and x.source <> 'opening' and exists (select 1 from expense_entries n where n.company_id = x.company_id
  and n.expense_id = x.id)`

interface BillRow {
  id: string
  day: string
  number: string
  state: string
  details: string
  currency: string
  total_agorot: number
  ils_net_agorot: number
  ils_vat_agorot: number
  ils_total_agorot: number
  approved_at: string
  approved_by: string | null
  name: string
  street: string | null
  city: string | null
  zip: string | null
  country: string | null
  phone: string | null
  tax_id: string | null
  key: string | null
}

interface BillLine {
  expense_id: string
  details: string
  type: string
  ils_net_agorot: number
  ils_vat_agorot: number
}

const page = 400
const slack = 5

/** The rate a line was charged at: the day's where that gives its VAT, else the one its amounts give. */
function rateOf(day: string, net: number, vat: number): number {
  const rate = vatRateOn(day)
  if (vat === 0 || net === 0) return 0
  return Math.abs(timesRate(net, rate, 'halfAwayFromZero') - vat) <= slack
    ? rate
    : Math.min(9_999, Math.round(Math.abs((vat / net) * 10_000)))
}

/**
 * C100 and D110 of the bills of suppliers, by day, after the documents of our own. A credit's figures are
 * positive, as its kind turns them.
 */
export async function giveBills(
  ctx: Ctx,
  { from, to }: { from: string; to: string },
  main: string,
  link: number,
  give: Give,
): Promise<void> {
  // Two suppliers may give the same number, and one may stand once in its kind.
  const { rows: selfBilled } = await sql<{ number: string }>`select number::text as number from documents
    where company_id = ${ctx.companyId} and ${isSelfBilled()} and ${isIssued()} and day between ${from}
      and ${to}`.execute(ctx.tx)
  const used = new Set(selfBilled.map(({ number }) => `700|${number}`))
  const free = (code: number, given: string): string => {
    const plain = given.replace(/^0+(?=.)/, '')
    let [number, key] = [given, `${code}|${plain}`]
    for (let n = 2; used.has(key); n++) [number, key] = [`${given}/${n}`, `${code}|${plain}/${n}`]
    used.add(key)
    return number
  }
  let after: [string, string] | undefined
  for (;;) {
    const { rows } =
      await sql<BillRow>`select x.id, x.day, x.supplier_number as number, x.state, x.details, x.currency,
          x.total_agorot, x.ils_net_agorot, x.ils_vat_agorot,
        x.ils_total_agorot, coalesce(x.approved_at, x.created_at) as approved_at, x.approved_by, p.name,
        p.street, p.city, p.zip, p.country, p.phone, p.tax_id, c.key
      from expenses x join parties p on p.company_id = x.company_id and p.id = x.supplier_id
        left join uniform_cards c on c.company_id = x.company_id and c.party_id = x.supplier_id
      where x.company_id = ${ctx.companyId} and x.day between ${from} and ${to} and ${isBill}
        ${after ? sql`and (x.day, x.id) > (${after[0]}::date, ${after[1]}::uuid)` : sql``}
      order by x.day, x.id limit ${page}`.execute(ctx.tx)
    const { rows: lines } = rows.length
      ? await sql<BillLine>`select l.expense_id, l.details, t.name as type, l.ils_net_agorot, l.ils_vat_agorot
          from expense_lines l join expense_types t on t.company_id = l.company_id and t.id = l.type_id
          where l.company_id = ${ctx.companyId} and l.expense_id = any(${rows.map(({ id }) => id)}::uuid[])
          order by l.expense_id, l.line`.execute(ctx.tx)
      : { rows: [] }
    const linesOf = groupBy(lines, (line) => line.expense_id)
    for (const row of rows) {
      const turned = row.ils_total_agorot < 0 ? -1 : 1
      const code = turned < 0 ? 710 : 700
      const own = linesOf.get(row.id) ?? []
      const name = {
        documentType: code,
        documentNumber: free(code, row.number.slice(0, 16).trim() || row.id.slice(-12)),
        branch: main,
        documentDate: row.day,
        link: ++link,
      }
      const told = own.map((line) => ({
        description: said(line.details || line.type),
        total: turned * line.ils_net_agorot,
        vatRate: rateOf(row.day, line.ils_net_agorot, line.ils_vat_agorot),
      }))
      const parted = turned * row.ils_net_agorot - told.reduce((sum, line) => sum + line.total, 0)
      // An agora of exchange; more is left for the check of the file to find.
      if (parted !== 0 && row.currency !== 'ILS' && Math.abs(parted) <= 100)
        told.push({ description: 'עיגול', total: parted, vatRate: 0 })
      const issued = momentInJerusalem(new Date(row.approved_at))
      await give('C100', {
        ...name,
        issueDate: issued.day,
        issueTime: issued.time,
        customerName: said(row.name),
        street: row.street ?? '',
        city: row.city ?? '',
        zip: row.zip ?? '',
        country: row.country ?? '',
        phone: row.phone ?? '',
        customerDealerNumber: /^\d{9}$/.test(row.tax_id ?? '') ? row.tax_id : '',
        valueDate: row.day,
        ...(row.currency === 'ILS'
          ? {}
          : { foreignTotal: turned * row.total_agorot, foreignCurrency: row.currency }),
        beforeDiscount: turned * row.ils_net_agorot,
        discount: 0,
        netAmount: turned * row.ils_net_agorot,
        vat: turned * row.ils_vat_agorot,
        total: turned * row.ils_total_agorot,
        withholding: 0,
        customerKey: row.key ?? '',
        cancelled: row.state === 'cancelled' ? '1' : '',
        operator: row.approved_by?.slice(-9) ?? '',
      })
      let n = 0
      for (const { description, total, vatRate } of told)
        await give('D110', {
          ...name,
          line: ++n,
          transactionKind: 1,
          description,
          unit: 'יחידה',
          quantity: (Math.sign(total) || 1) * 10_000,
          unitPrice: Math.abs(total),
          discount: 0,
          total,
          vatRate,
        })
    }
    const last = rows.at(-1)
    if (rows.length < page || !last) return
    after = [last.day, last.id]
  }
}
