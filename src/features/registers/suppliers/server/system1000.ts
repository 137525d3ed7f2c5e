import { sql } from 'kysely'
import type { Day } from '#domain/day.ts'
import { buildQueries, queryFileName, type Query } from '#domain/filings/system1000/build.ts'
import { mostRows } from '#domain/filings/system1000/layout.ts'
import { rateOf } from '#domain/filings/system1000/parse.ts'
import { guessTaxIdKind, isTaxId, normaliseTaxId } from '#domain/taxId.ts'
import { certificateOn, withholdingState, type WithholdingCertificate } from '#domain/withholding/rate.ts'
import { Failure, fail } from '#kit/describe/errors.ts'
import type { Ctx } from '#kit/server/context.ts'
import { readIn } from '#kit/server/work/threads/read.ts'
import type { FileAnswer } from '#kit/server/contract/implement.ts'
import { create } from '#kit/server/described/resources.ts'
import { attachFile, keepFile } from '#features/base/files/server/index.ts'
import type { Answered, Asked } from '../endpoints.ts'
import { textOf, type Given } from './answers.ts'
import { certificatesOf, servedCertificates } from './certificates.ts'
import type { readers } from './readers.ts'

interface Known {
  id: string
  name: string
  taxId: string | null
  incomeTaxFile: string | null
  dealerKind: string | null
  withholdingKind: string | null
}

async function known(ctx: Ctx): Promise<Known[]> {
  const { rows } = await sql<Known>`select id, name, tax_id as "taxId", income_tax_file as "incomeTaxFile",
        dealer_kind as "dealerKind", withholding_kind as "withholdingKind"
    from parties where company_id = ${ctx.companyId} and role = 'supplier' and archived_at is null
    order by name, id`.execute(ctx.tx)
  return rows
}

const problemOf = ({ taxId, incomeTaxFile, dealerKind }: Known): Asked['problem'] =>
  dealerKind === 'foreign'
    ? 'foreign'
    : !taxId
      ? 'noNumber'
      : !isTaxId(taxId) || (incomeTaxFile && !isTaxId(incomeTaxFile))
        ? 'wrongNumber'
        : null

/**
 * A partnership pays no income tax itself and is asked about by its number with VAT only; the person who is no
 * dealer has none there.
 */
function queryOf({ taxId, incomeTaxFile, dealerKind }: Known): Query {
  const isPartnership = dealerKind ? dealerKind === 'partnership' : guessTaxIdKind(taxId!) === 'partnership'
  return {
    key: taxId!,
    incomeTaxFile: isPartnership ? null : (incomeTaxFile ?? taxId),
    vatFile: dealerKind === 'person' ? null : taxId,
  }
}

async function withholdingFile(ctx: Ctx): Promise<string | null> {
  const { rows } = await sql<{
    file: string
  }>`select withholding_file as file from companies where id = ${ctx.companyId}`.execute(ctx.tx)
  return rows[0]?.file || null
}

export async function overview(ctx: Ctx) {
  const all = await known(ctx)
  const certificates = await certificatesOf(
    ctx,
    all.map(({ id }) => id),
  )
  const rows = all.map((supplier): Asked => {
    const his = certificates.get(supplier.id) ?? []
    const speaking = certificateOn(his, ctx.today)
    return {
      id: supplier.id,
      name: supplier.name,
      taxId: supplier.taxId,
      state: withholdingState(his, ctx.today),
      validTo: speaking?.toDay ?? null,
      rateBp: speaking?.rateBp ?? null,
      problem: problemOf(supplier),
    }
  })
  return { withholdingFile: await withholdingFile(ctx), mostRows, rows }
}

/** One file of the query, as the authority takes it. */
export async function queryFile(
  ctx: Ctx,
  { which, part }: { which: 'all' | 'expiring'; part: number },
): Promise<FileAnswer> {
  const file = await withholdingFile(ctx)
  if (!file) throw fail('suppliers.noWithholdingFile')
  const all = (await known(ctx)).filter((supplier) => problemOf(supplier) === null)
  const certificates = await certificatesOf(
    ctx,
    all.map(({ id }) => id),
  )
  const chosen =
    which === 'all'
      ? all
      : all.filter(({ id }) => withholdingState(certificates.get(id) ?? [], ctx.today) !== 'valid')
  const text = buildQueries(file, ctx.today, chosen.map(queryOf))[part - 1]
  if (!text) throw fail('suppliers.nobodyToAsk')
  return {
    bytes: Buffer.from(text, 'ascii'),
    mime: 'application/octet-stream',
    name: queryFileName(file, ctx.today),
  }
}

/** The end of the tax year, until which an answer without days holds. */
const endOfYear = (day: Day): Day => `${day.slice(0, 4)}-12-31`

const same = (certificate: WithholdingCertificate | undefined, after: Answered['after']): boolean =>
  certificate !== undefined &&
  certificate.rateBp === after.rateBp &&
  certificate.toDay === after.toDay &&
  certificate.booksValid === after.booksValid &&
  certificate.ceilingAgorot === after.ceilingAgorot

/** What an answer means for the suppliers there are; nothing is saved. */
export async function readAnswer(ctx: Ctx, given: Given) {
  const reading = await readIn<typeof readers>()('suppliers.answers', {
    bytes: given.bytes,
    ...(given.columns ? { columns: given.columns } : {}),
  })
  const all = await known(ctx)
  const byNumber = new Map(
    all.flatMap((one) => [one.taxId, one.incomeTaxFile].flatMap((n) => (n ? [[n, one] as const] : []))),
  )
  for (const one of all) if (one.taxId) byNumber.set(one.taxId, one)
  const certificates = await certificatesOf(
    ctx,
    all.map(({ id }) => id),
  )
  const rows = new Map<string, Answered>()
  const strangers: string[] = []
  for (const said of reading.said) {
    const supplier = said.numbers.map((number) => byNumber.get(number)).find((one) => one !== undefined)
    if (!supplier) {
      strangers.push(said.numbers[0] ?? '')
      continue
    }
    const fromDay = said.fromDay ?? ctx.today
    const after = {
      rateBp: said.answer ? rateOf(said.answer, supplier.withholdingKind) : said.rateBp,
      fromDay,
      toDay: said.toDay ?? endOfYear(fromDay),
      booksValid: said.booksValid,
      ceilingAgorot: said.ceilingAgorot,
    }
    if (after.toDay < after.fromDay) after.fromDay = after.toDay
    const his = certificates.get(supplier.id) ?? []
    const speaking = certificateOn(his, ctx.today)
    rows.set(supplier.id, {
      supplierId: supplier.id,
      name: supplier.name,
      taxId: supplier.taxId ?? said.numbers[0]!,
      before: speaking
        ? { rateBp: speaking.rateBp, toDay: speaking.toDay, booksValid: speaking.booksValid }
        : null,
      after,
      same: his.some((one) => same(one, after) && one.fromDay <= after.fromDay),
    })
  }
  return {
    kind: reading.kind,
    rows: [...rows.values()],
    refusals: reading.refusals.map(({ key, errorCode, known: reason, errorText, incomeTaxFile, vatFile }) => {
      const supplier = [normaliseTaxId(key), vatFile, incomeTaxFile]
        .map((n) => (n ? byNumber.get(n) : undefined))
        .find((one) => one !== undefined)
      return {
        supplierId: supplier?.id ?? null,
        name: supplier?.name ?? null,
        key,
        errorCode,
        known: reason,
        errorText,
      }
    }),
    strangers,
    badLines: reading.badLines,
    table: reading.table,
  }
}

/** Takes an answer over as certificates. A second run of the same answer finds everything known. */
export async function applyAnswer(
  ctx: Ctx,
  { skip = '', ...given }: Given & { name: string; skip?: string | undefined },
): Promise<{ made: number }> {
  const { rows } = await readAnswer(ctx, given)
  const left = new Set(skip.split(','))
  const wanted = rows.filter((row) => !row.same && !left.has(row.taxId))
  const fileId = wanted.length ? await keep(ctx, given) : null
  for (const { supplierId, after } of wanted) {
    await create(ctx, servedCertificates, {
      supplierId,
      ...after,
      source: 'system1000',
      ...(fileId ? { fileId } : {}),
    })
    if (fileId) await attachFile(ctx, fileId, 'suppliers', supplierId)
  }
  return { made: wanted.length }
}

/**
 * The answer is the proof of what was withheld. Without room for it, or in a shape the files refuse, the
 * certificates stand alone.
 */
async function keep(ctx: Ctx, { name, bytes }: Given & { name: string }): Promise<string | null> {
  try {
    const text = Buffer.from(textOf(bytes), 'utf8')
    return (
      await keepFile(ctx, {
        name: /\.(csv|txt)$/i.test(name) ? name : `${name}.txt`,
        bytes: text,
        source: 'system',
      })
    ).id
  } catch (e) {
    if (e instanceof Failure && e.code.startsWith('files.')) return null
    throw e
  }
}
