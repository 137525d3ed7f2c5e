import { sql } from 'kysely'
import { addMonths, startOfMonth } from '#domain/day.ts'
import { formatDay, formatMoney } from '#domain/format.ts'
import type { Ctx } from '#kit/server/context.ts'
import { attachFile, keepFile } from '#features/base/files/server/index.ts'
import { shareFile } from '#features/base/fileShares/server/index.ts'

/** Bills of the last months have their paper; some were never photographed. */
export async function addPictures(ctx: Ctx): Promise<void> {
  const { rows } = await sql<{
    id: string
    day: string
    number: string
    total: number
  }>`select id, day, supplier_number as number, ils_total_agorot as total
    from expenses where company_id = ${ctx.companyId} and state = 'approved' and supplier_number <> ''
      and day >= ${startOfMonth(addMonths(ctx.today, -3))} order by day, id`.execute(ctx.tx)
  for (const [i, { id, day, number, total }] of rows.entries()) {
    if (i % 6 === 5) continue
    const bytes = paperOf([`Invoice ${number}`, formatDay(day), `Total ILS ${formatMoney(total)}`])
    const file = await keepFile(ctx, { name: `invoice-${number}.pdf`, bytes, source: 'phone' })
    await attachFile(ctx, file.id, 'expenses', id)
  }
}

/** The price list lies in the store, and the person who has its link reads it. */
export async function showSharedFile(ctx: Ctx): Promise<void> {
  const bytes = paperOf([
    'Price list',
    'Call-out ILS 280',
    'Hour of work ILS 220',
    'Annual service ILS 1,450',
  ])
  const { id } = await keepFile(ctx, { name: 'price-list.pdf', bytes, source: 'upload' })
  await shareFile(ctx, { id, expiresOn: addMonths(ctx.today, 3) })
}

/** A page of a few plain lines, as the smallest PDF that has them. */
function paperOf(lines: readonly string[]): Buffer {
  const said = lines
    .map(
      (line, i) =>
        `BT /F1 ${i === 0 ? 20 : 13} Tf 40 ${360 - 34 * i} Td (${line.replace(/[^\x20-\x7e]|[()\\]/g, '')}) Tj ET`,
    )
    .join('\n')
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 298 420] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>',
    `<< /Length ${said.length} >>\nstream\n${said}\nendstream`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
  ]
  let file = '%PDF-1.4\n'
  const places = objects.map((object, i) => {
    const at = file.length
    file += `${i + 1} 0 obj\n${object}\nendobj\n`
    return at
  })
  const table = places.map((at) => `${String(at).padStart(10, '0')} 00000 n \n`).join('')
  return Buffer.from(
    `${file}xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${table}trailer << /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${file.length}\n%%EOF\n`,
    'latin1',
  )
}
