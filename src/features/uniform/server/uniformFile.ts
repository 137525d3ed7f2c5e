import { randomInt } from 'node:crypto'
import { momentInJerusalem } from '../../../domain/day.ts'
import { encode } from '../../../domain/filings/uniform/charset.ts'
import { countedCodes, dealerFolder, runFolder, systemConstant, type DataCode } from '../../../domain/filings/uniform/layout.ts'
import { writeRecord, type Values } from '../../../domain/filings/uniform/record.ts'
import type { Ctx } from '../../../kit/server/context.ts'
import { companyOf } from '../../companies/server/index.ts'
import { archive, type Sink } from './archive.ts'
import { giveCardKeys } from './cards.ts'
import { giveAccounts, giveDocuments, giveEntries, giveItems } from './records.ts'
import { software } from './software.ts'

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
 * Writes the uniform file of a range into an archive: OPENFRMT/<dealer>.<yy>/<MMDDhhmm>/ with INI.TXT plain and BKMVDATA.TXT packed into
 * BKMVDATA.zip. Record by record, so that memory does not grow with the range. `tell` hears of every few hundred records; `most` refuses more.
 */
export async function writeUniform(
  ctx: Ctx,
  range: Range,
  sink: Sink,
  { tell = () => Promise.resolve(), full }: { tell?: (records: number) => Promise<void>; full?: (records: number) => void } = {},
): Promise<Made> {
  const company = await companyOf(ctx)
  const made = momentInJerusalem(ctx.now)
  const [dealer, run] = [dealerFolder(company.taxId, made.day), runFolder(made.day, made.time)]
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
  const put = () => {
    data.write(encode(lines.join(''), 'iso-8859-8'))
    lines = []
    held = 0
  }
  let hasBranches = false
  const give = async (code: DataCode, values: Values): Promise<void> => {
    records++
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
  await giveDocuments(ctx, range, give)
  const turnover = await giveEntries(ctx, range, give)
  await giveAccounts(ctx, range, turnover, give)
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
    softwareRegistrationNumber: software.registration,
    softwareName: software.name,
    softwareVersion: software.version,
    vendorTaxId: software.vendorTaxId,
    vendorName: software.vendor,
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
  const summary = countedCodes.flatMap((code) => (counts[code] ? [writeRecord('SUMMARY', { recordCode: code, count: counts[code] })] : []))
  const ini = outer.file(`${folder}/INI.TXT`)
  ini.write(encode([head, ...summary].map((line) => `${line}\r\n`).join(''), 'iso-8859-8'))
  ini.end()
  outer.end()
  await sink.flush(true)
  return { path, counts }
}
