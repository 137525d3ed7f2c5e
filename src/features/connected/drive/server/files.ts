import { sql } from 'kysely'
import { zipSync } from 'fflate'
import { labelOf } from '#domain/documents/kinds.ts'
import { dayInJerusalem } from '#domain/day.ts'
import { forbidden } from '#kit/describe/errors.ts'
import { can } from '#kit/describe/session.ts'
import type { Ctx } from '#kit/server/context.ts'
import { reportFor } from '#kit/server/described/serveReports.ts'
import { say } from '#kit/server/words.ts'
import { checkFileOpens, filesOf, readFile } from '#features/base/files/server/index.ts'
import { companyOf } from '#features/base/companies/server/index.ts'
import { loadDocument, sealedPaper, typeOfPaper } from '#features/sales/documents/server/index.ts'
import { filesOfReport } from '#features/reports/reportPlans/server/index.ts'
import { foldersOf, nameOf, type PatternFacts } from '../pattern.ts'
import type { CopyFile } from './doors/door.ts'

const factsOf = (day: string, type: string, customer: string): PatternFacts => ({
  year: day.slice(0, 4),
  month: day.slice(5, 7),
  day: day.slice(8, 10),
  type,
  customer,
})

/**
 * The file of a copy; undefined where there is none (an expense without a picture). Several pictures of one
 * expense, and several forms of one report, are one zip. `ctx` says whose rights decide.
 * @throws {Failure} session.forbidden, kit.notFound: the caller may not see it
 */
export async function fileFor(
  ctx: Ctx,
  entity: string,
  id: string,
  pattern: string,
): Promise<CopyFile | undefined> {
  const { language } = await companyOf(ctx)
  const allow = { documents: 'documents.see', expenses: 'expenses.see' }[entity]
  if (allow && !can(ctx.caller, allow)) throw forbidden({ rule: allow })
  if (entity === 'documents') {
    const document = await loadDocument(ctx, id)
    const { bytes } = await sealedPaper(ctx, id, 'certified')
    const type = typeOfPaper(
      language,
      document.type,
      labelOf({ type: document.type, subType: document.sub_type, pro: document.pro }),
    )
    const customer = document.customer.name ?? ''
    return {
      folders: foldersOf(pattern, factsOf(document.day, type, customer)),
      name: `${nameOf(`${type} ${document.number} ${customer}`)}.pdf`,
      bytes,
      mime: 'application/pdf',
    }
  }
  if (entity === 'expenses') {
    const { rows } = await sql<{
      day: string
      number: string | null
      supplier: string | null
    }>`select e.day, e.supplier_number as number,
      p.name as supplier from expenses e left join parties p on p.company_id = e.company_id
      and p.id = e.supplier_id where e.company_id = ${ctx.companyId} and e.id = ${id}`.execute(ctx.tx)
    const [expense] = rows
    const files = expense ? await filesOf(ctx, 'expenses', id) : []
    if (!expense || !files.length) return undefined
    const type = say(language, 'drive.types.expenses')
    const name = nameOf([type, expense.number, expense.supplier, id.slice(-6)].filter(Boolean).join(' '))
    return packed(
      await Promise.all(
        files.map(async (file) => {
          await checkFileOpens(ctx, file.id)
          return readFile(ctx, file.id)
        }),
      ),
      name,
      foldersOf(pattern, factsOf(expense.day, type, expense.supplier ?? '')),
    )
  }
  const { rows } = await sql<{
    plan_id: string
    due_day: string | null
    at: string
    title: string
    report: string
  }>`select l.plan_id, l.due_day, l.at, p.title, p.report from report_plan_log l
    join report_plans p on p.company_id = l.company_id and p.id = l.plan_id
    where l.company_id = ${ctx.companyId} and l.id = ${id}`.execute(ctx.tx)
  const [report] = rows
  if (!report) return undefined
  await reportFor(ctx, report.report)
  const day = report.due_day ?? dayInJerusalem(new Date(report.at))
  const files = await filesOfReport(ctx, report.plan_id, day)
  if (!files.length) return undefined
  const type = say(language, 'drive.types.reports')
  return packed(
    files,
    nameOf(`${report.title} ${day} ${id.slice(-6)}`),
    foldersOf(pattern, factsOf(day, type, '')),
  )
}

function packed(
  files: readonly { bytes: Uint8Array; mime: string; name: string }[],
  name: string,
  folders: string[],
): CopyFile {
  const [first] = files
  if (files.length === 1)
    return { folders, name: name + ending(first!.name), bytes: first!.bytes, mime: first!.mime }
  const entries = files.map(
    (file, i) => [`${i + 1}-${nameOf(file.name)}`, new Uint8Array(file.bytes)] as const,
  )
  // Pictures are packed tightly already.
  return {
    folders,
    name: `${name}.zip`,
    bytes: zipSync(Object.fromEntries(entries), { level: 0 }),
    mime: 'application/zip',
  }
}

const ending = (name: string): string => /\.[A-Za-z0-9]{1,5}$/.exec(name)?.[0].toLowerCase() ?? ''
