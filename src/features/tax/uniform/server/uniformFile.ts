import { randomInt } from 'node:crypto'
import { sql } from 'kysely'
import { momentInJerusalem } from '#domain/day.ts'
import { encode } from '#domain/filings/uniform/charset.ts'
import {
  countedCodes,
  dealerFolder,
  runFolder,
  systemConstant,
  type DataCode,
} from '#domain/filings/uniform/layout.ts'
import { writeRecord, type Values } from '#domain/filings/uniform/record.ts'
import { RunningCheck } from '#domain/filings/uniform/runningCheck.ts'
import { fail } from '#kit/describe/errors.ts'
import type { Ctx } from '#kit/server/context.ts'
import { isIssued } from '#kit/server/data/documentFacts.ts'
import { say } from '#kit/server/words.ts'
import { companyOf } from '#features/base/companies/server/index.ts'
import { archive, type Sink } from './archive.ts'
import { giveBills } from './bills.ts'
import { branchCodes } from './branches.ts'
import { giveCardKeys } from './cards.ts'
import { giveAccounts, giveDocuments, giveEntries, giveItems } from './records.ts'
import { software, softwareFields } from './software.ts'

export interface Range {
  from: string
  to: string
}

export interface Made {
  path: string
  counts: Record<string, number>
}

/** The archive's paths use the slash of archives; what the file says of itself uses that of a drive. */
const drivePath = (dealer: string, run: string): string => `OPENFRMT\\${dealer}\\${run}`

const bufferBytes = 256 * 1024

/**
 * Whether documents of the range were issued for branches: then every record that has the field names one.
 */
async function branchesIn(ctx: Ctx, { from, to }: Range): Promise<boolean> {
  const { rows } = await sql`select 1 from documents where company_id = ${ctx.companyId} and ${isIssued()}
        and branch <> ''
    and day between ${from} and ${to} limit 1`.execute(ctx.tx)
  return rows.length > 0
}

/**
 * The folder of this run. It is named by the minute, so a run that finds its minute taken, also by one that
 * is being written at this moment, goes by the next.
 */
async function ownFolder(ctx: Ctx, taxId: string) {
  for (let minutes = 0; ; minutes++) {
    const made = momentInJerusalem(new Date(ctx.now.getTime() + minutes * 60_000))
    const [dealer, run] = [dealerFolder(taxId, made.day), runFolder(made.day, made.time)]
    const path = drivePath(dealer, run)
    const { rows } = await sql`insert into uniform_runs (company_id, path)
      select ${ctx.companyId}, ${path}
      where not exists (select 1 from uniform_files where company_id = ${ctx.companyId} and path = ${path})
      on conflict do nothing returning 1`.execute(ctx.tx)
    if (rows.length) return { made, dealer, run }
  }
}

/**
 * Writes the uniform file of a range into an archive: OPENFRMT/<dealer>.<yy>/<MMDDhhmm>/ with INI.TXT plain
 * and BKMVDATA.TXT packed into BKMVDATA.zip. Record by record, so that memory does not grow with the range.
 * `tell` hears of every few hundred records; `most` refuses more.
 */
export async function writeUniform(
  ctx: Ctx,
  range: Range,
  sink: Sink,
  {
    tell = () => Promise.resolve(),
    full,
  }: { tell?: (records: number) => Promise<void>; full?: (records: number) => void } = {},
): Promise<Made> {
  const company = await companyOf(ctx)
  const { made, dealer, run } = await ownFolder(ctx, company.taxId)
  const frame = {
    dealerNumber: company.taxId,
    primaryId: Array.from({ length: 15 }, (_, i) => randomInt(i ? 0 : 1, 10)).join(''),
    systemConstant,
  }

  const outer = archive((chunk) => sink.take(chunk), ctx.now)
  const folder = `OPENFRMT/${dealer}/${run}`
  const packed = outer.packed(`${folder}/BKMVDATA.zip`)
  const inner = archive((chunk, final) => {
    packed.write(chunk)
    if (final) packed.end()
  }, ctx.now)
  const data = inner.file('BKMVDATA.TXT')

  const counts: Record<string, number> = {}
  let records = 0
  let lines: string[] = []
  let held = 0
  const stood = new Set<number>()
  const check = new RunningCheck((line) => stood.has(line))
  const put = () => {
    const bytes = encode(lines.join(''), 'iso-8859-8')
    check.take(bytes)
    data.write(bytes)
    lines = []
    held = 0
  }
  let hasBranches = await branchesIn(ctx, range)
  const give = async (code: DataCode, values: Values, stands = false): Promise<void> => {
    records++
    if (stands) stood.add(records)
    counts[code] = (counts[code] ?? 0) + 1
    hasBranches ||= code === 'C100' && values.branch !== undefined && values.branch !== ''
    const line = `${writeRecord(code, { ...values, ...frame, recordNumber: records })}\r\n`
    lines.push(line)
    held += line.length
    if (held < bufferBytes) return
    full?.(records)
    put()
    await sink.flush()
    await tell(records)
  }

  await giveCardKeys(ctx)
  await give('A100', {})
  const branchOf = await branchCodes(ctx, hasBranches)
  const link = await giveDocuments(ctx, range, branchOf, give)
  await giveBills(ctx, range, branchOf(''), link, give)
  const turnover = await giveEntries(ctx, range, branchOf, give)
  await giveAccounts(ctx, range, turnover, branchOf(''), give)
  await giveItems(ctx, range, give)
  await give('Z900', { records: records + 1 })
  full?.(records)
  put()
  data.end()
  inner.end()

  const path = drivePath(dealer, run)
  const head = writeRecord('A000', {
    ...frame,
    records,
    softwareName: software.name,
    softwareVersion: software.version,
    ...softwareFields(ctx.app.settings.software),
    softwareType: 2,
    path,
    bookkeepingType: 2,
    balanceLevel: 1,
    companyNumber: company.kind === 'company' ? company.taxId : '',
    withholdingFile: company.withholdingFile,
    businessName: company.name,
    street: company.street,
    city: company.city,
    zip: company.zip,
    rangeStart: range.from,
    rangeEnd: range.to,
    processDate: made.day,
    processTime: made.time,
    language: { he: 0, ar: 1 }[company.language as string] ?? 2,
    charset: 1,
    compressorName: software.compressor,
    leadingCurrency: 'ILS',
    hasBranches: hasBranches ? 1 : 0,
  })
  const summary = countedCodes.flatMap((code) =>
    counts[code] ? [writeRecord('SUMMARY', { recordCode: code, count: counts[code] })] : [],
  )
  const ini = outer.file(`${folder}/INI.TXT`)
  const iniBytes = encode([head, ...summary].map((line) => `${line}\r\n`).join(''), 'iso-8859-8')
  ini.write(iniBytes)
  ini.end()
  // What does not hold together never leaves: the authority's own check would refuse it later.
  const { kept, counts: faulty } = check.end(iniBytes)
  if (kept[0])
    throw fail('uniform.faulty', {
      count: [...faulty.values()].reduce((sum, n) => sum + n, 0),
      line: kept[0].line,
      what: say(ctx.caller.language, `uniform.faults.${kept[0].code}`, kept[0].params),
    })
  outer.end()
  await sink.flush(true)
  return { path, counts }
}
