import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { proposalFields, type Proposal } from '#domain/papers/proposal.ts'
import { fail, forbidden } from '#kit/describe/errors.ts'
import type { FileAnswer } from '#kit/server/contract/implement.ts'
import { newId, type Ctx } from '#kit/server/context.ts'
import { momentCursor, packed, unpacked } from '#kit/server/data/cursors.ts'
import { codedBy, supplierDefaults } from '#features/purchases/expenses/server/index.ts'
import { attachFile, keepFile, kindOf } from '#features/base/files/server/index.ts'
import type { paperSources, PaperAnswer, PaperRow, ProposalAnswer } from '../endpoints.ts'
import { questionsAbout } from './guard.ts'

/** What a paper may be: a picture, a PDF, or the XML of an electronic invoice. */
const readable = /^(application\/pdf|image\/(jpeg|png|webp|gif)|(application|text)\/xml)$/

/**
 * Adds a file to the inbox. The same bytes are reported at once, and kept all the same: a person decides whether
 * they are the same bill.
 */
export async function addPaper(
  ctx: Ctx,
  given: {
    name: string
    source: (typeof paperSources)[number]
    bytes: Uint8Array
    sender?: string
    subject?: string
    note?: string
  },
): Promise<PaperRow> {
  const bytes = Buffer.from(given.bytes.buffer, given.bytes.byteOffset, given.bytes.byteLength)
  const kind = kindOf(bytes, given.name)
  if (!kind || !readable.test(kind.mime)) throw fail('capture.badType')
  const file = await keepFile(ctx, { name: given.name, bytes, source: given.source })
  const sha256 = createHash('sha256').update(bytes).digest()
  const { rows: twins } = await sql<{
    id: string
  }>`select id from captured_papers where company_id = ${ctx.companyId} and sha256 = ${sha256}
    and state <> 'rejected' and page_from is null order by created_at, id limit 1`.execute(ctx.tx)
  const id = newId()
  await sql`insert into captured_papers (company_id, id, file_id, sha256, name, source, sender, subject, note,
      duplicate_of, entered_by)
    values (${ctx.companyId}, ${id}, ${file.id}, ${sha256}, ${file.name}, ${given.source},
      ${(given.sender ?? '').slice(0, 200)}, ${(given.subject ?? '').slice(0, 200)},
      ${(given.note ?? '').slice(0, 4000)}, ${twins[0]?.id ?? null},
      ${ctx.caller.sessionId ? ctx.caller.userId : null})`.execute(ctx.tx)
  await attachFile(ctx, file.id, 'papers', id)
  await ctx.audit('papers.add', 'papers', id, undefined, {
    name: file.name,
    source: given.source,
    sender: given.sender,
  })
  await ctx.later('papers.read', { paperId: id })
  return rowOf(ctx, id)
}

/** A letter that brought no paper: its text waits as a note. */
export async function addNote(
  ctx: Ctx,
  given: { sender: string; subject: string; note: string },
): Promise<void> {
  const id = newId()
  const name = given.subject.trim().slice(0, 200) || given.sender.slice(0, 200) || '-'
  await sql`insert into captured_papers (company_id, id, name, source, sender, subject, note, state)
    values (${ctx.companyId}, ${id}, ${name}, 'mail', ${given.sender.slice(0, 200)},
      ${given.subject.slice(0, 200)}, ${given.note.slice(0, 4000) || '-'}, 'read')`.execute(ctx.tx)
  await ctx.audit('papers.add', 'papers', id, undefined, { source: 'mail', sender: given.sender })
}

const rowColumns = sql`p.id, p.name, p.source, p.sender, p.subject, p.state, p.problem,
    p.duplicate_of as "duplicateOf",
  p.thumbnail is not null as "hasPicture", p.file_id is null as "isNote", p.exact,
  p.page_count as "pageCount",
  coalesce(s.name, p.proposal->'supplierName'->>'value') as "supplierName", p.proposal->'number'->>'value' as
  number, p.proposal->'day'->>'value' as day,
  (p.proposal->'total'->>'value')::bigint as "totalAgorot", coalesce(p.proposal->'currency'->>'value', 'ILS')
  as currency,
  p.proposal->'documentKind'->>'value' as "documentKind", (p.proposal->'total'->>'confidence')::float8 as
  confidence,
  p.expense_id as "expenseId", p.created_at as "createdAt"`
const fromPapers = sql`captured_papers p left join parties s on s.company_id = p.company_id
    and s.id = p.supplier_id`

export async function rowOf(ctx: Ctx, id: string): Promise<PaperRow> {
  const { rows } =
    await sql<PaperRow>`select ${rowColumns} from ${fromPapers} where p.company_id = ${ctx.companyId}
        and p.id = ${id}`.execute(ctx.tx)
  if (!rows[0]) throw fail('kit.notFound')
  return rows[0]
}

const open = sql`('waiting', 'reading', 'read')`
const pageSize = 60

export async function listPapers(
  ctx: Ctx,
  {
    state,
    q,
    cursor,
  }: { state: 'open' | 'filed' | 'rejected'; q?: string | undefined; cursor?: string | undefined },
) {
  const isOpen = state === 'open'
  const [at, id] = momentCursor(cursor === undefined ? undefined : unpacked(cursor))
  const beyond =
    cursor === undefined
      ? sql``
      : sql`and (p.created_at, p.id) ${sql.raw(isOpen ? '>' : '<')} (${at}::timestamptz, ${id}::uuid)`
  const pattern = q?.trim() ? `%${q.trim().replace(/[\\%_]/g, '\\$&')}%` : undefined
  const { rows } = await sql<
    PaperRow & { exactly: string }
  >`select ${rowColumns}, p.created_at::text as exactly from ${fromPapers}
    where p.company_id = ${ctx.companyId}
    and ${isOpen ? sql`p.state in ${open}` : sql`p.state = ${state}`} ${beyond}
    ${
      pattern
        ? sql`and (p.name ilike ${pattern} or p.sender ilike ${pattern} or p.subject ilike ${pattern}
        or s.name ilike ${pattern} or p.text ilike ${pattern})`
        : sql``
    }
    order by p.created_at ${isOpen ? sql`asc` : sql`desc`}, p.id ${isOpen ? sql`asc` : sql`desc`}
    limit ${pageSize + 1}`.execute(ctx.tx)
  const { rows: counts } = await sql<{ open: number; unread: number; filed: number; rejected: number }>`select
      (count(*) filter (where state in ${open}))::int as open,
      (count(*) filter (where state in ('waiting', 'reading')))::int as unread,
      (count(*) filter (where state = 'filed'))::int as filed,
      (count(*) filter (where state = 'rejected'))::int as rejected
    from captured_papers where company_id = ${ctx.companyId}`.execute(ctx.tx)
  const shown = rows.slice(0, pageSize)
  const last = shown.at(-1)
  return {
    rows: shown.map(({ exactly: _, ...row }) => row),
    nextCursor: rows.length > pageSize && last ? packed(`${last.exactly}|${last.id}`) : null,
    counts: counts[0]!,
  }
}

export async function getPaper(ctx: Ctx, { id }: { id: string }): Promise<PaperAnswer> {
  const row = await rowOf(ctx, id)
  const { rows } = await sql<{
    note: string
    text: string
    mime: string | null
    fileId: string | null
    pageFrom: number | null
    pageTo: number | null
    proposal: Proposal
    lines: PaperAnswer['lines']
    supplierId: string | null
    supplierName: string | null
    pages: { width: number; height: number; words: PaperAnswer['pages'][number]['words'] }[]
  }>`select p.note, coalesce(p.text, '') as text, f.mime, p.file_id as "fileId", p.page_from as "pageFrom",
      p.page_to as "pageTo", p.proposal, p.lines,
      s.id as "supplierId", s.name as "supplierName",
      coalesce((select jsonb_agg(jsonb_build_object('width', g.width, 'height', g.height, 'words', g.words)
      order by g.page) from captured_pages g
        where g.company_id = p.company_id and g.paper_id = p.id), '[]') as pages
    from ${fromPapers} left join files f on f.company_id = p.company_id and f.id = p.file_id
    where p.company_id = ${ctx.companyId} and p.id = ${id}`.execute(ctx.tx)
  const { proposal, supplierId, supplierName, pages, note, text, ...rest } = rows[0]!
  const usual = supplierId ? await supplierDefaults(ctx, supplierId, text) : undefined
  const coded = usual?.rule ? null : await codedBy(ctx, { supplierId, text })
  const line = coded ?? usual?.lines[0]
  const isOpen = row.state === 'read' && !row.isNote
  const questions =
    isOpen && !ctx.caller.hideTotalPrices
      ? await questionsAbout(
          ctx,
          { proposal, text },
          {
            supplierId,
            day: proposal.day?.value ?? ctx.today,
            number: proposal.number?.value ?? '',
            total: proposal.total?.value ?? 0,
          },
        )
      : []
  // The texts of a bill and its email are full of amounts, which no rule about field names would find.
  const hides = ctx.caller.hideTotalPrices
  return {
    ...row,
    ...rest,
    // The file is the picture itself.
    fileId: hides ? null : rest.fileId,
    note: hides ? '' : note,
    proposal: shownProposal(proposal),
    pages: pages.map((page) => (hides ? { ...page, words: [] } : page)),
    supplier: supplierId && supplierName ? { id: supplierId, name: supplierName } : null,
    usual: {
      typeId: line?.typeId ?? null,
      // Of several parts none speaks for the whole.
      vatShare: usual && usual.lines.length > 1 && !coded ? null : (line?.vatShare ?? null),
      projectId: line?.projectId ?? null,
      means: usual?.means ?? 'onCredit',
      claimsVat: usual?.hasVat ?? true,
      rule: coded?.rule ?? usual?.rule?.name ?? null,
    },
    questions,
    duplicate: await duplicateOf(ctx, row.duplicateOf),
    ...(await neighbours(ctx, id)),
  }
}

/** Amounts under names that say so, so that they are left out for people who may not see them. */
function shownProposal(proposal: Proposal): ProposalAnswer {
  const name = (field: string) =>
    ['net', 'vat', 'total', 'prepaid'].includes(field) ? `${field}Agorot` : field
  return Object.fromEntries(
    proposalFields.map((field) => [name(field), proposal[field] ?? null]),
  ) as ProposalAnswer
}

async function duplicateOf(ctx: Ctx, id: string | null): Promise<PaperAnswer['duplicate']> {
  if (!id) return null
  const { rows } = await sql<
    NonNullable<PaperAnswer['duplicate']>
  >`select id, name, state, expense_id as "expenseId" from captured_papers
    where company_id = ${ctx.companyId} and id = ${id}`.execute(ctx.tx)
  return rows[0] ?? null
}

async function neighbours(
  ctx: Ctx,
  id: string,
): Promise<{ previousId: string | null; nextId: string | null }> {
  const { rows } = await sql<{
    previousId: string | null
    nextId: string | null
  }>`with here as (select created_at, id from captured_papers where company_id = ${ctx.companyId}
      and id = ${id})
    select (select p.id from captured_papers p, here where p.company_id = ${ctx.companyId}
      and p.state in ${open} and (p.created_at, p.id) < (here.created_at, here.id)
        order by p.created_at desc, p.id desc limit 1) as "previousId",
      (select p.id from captured_papers p, here where p.company_id = ${ctx.companyId} and p.state in ${open}
      and (p.created_at, p.id) > (here.created_at, here.id)
        order by p.created_at, p.id limit 1) as "nextId"`.execute(ctx.tx)
  return rows[0]!
}

/** The paper that comes after one that leaves the inbox: the next, or from the beginning again. */
export async function following(ctx: Ctx, id: string): Promise<string | null> {
  const { nextId } = await neighbours(ctx, id)
  if (nextId) return nextId
  const { rows } = await sql<{
    id: string
  }>`select id from captured_papers where company_id = ${ctx.companyId} and state in ${open} and id <> ${id}
    order by created_at, id limit 1`.execute(ctx.tx)
  return rows[0]?.id ?? null
}

export async function paperPicture(
  ctx: Ctx,
  { id, page }: { id: string; page: number },
): Promise<FileAnswer> {
  if (ctx.caller.hideTotalPrices) throw forbidden({ sight: 'figures' })
  const { rows } = await sql<{
    picture: Buffer
  }>`select picture from captured_pages where company_id = ${ctx.companyId} and paper_id = ${id}
      and page = ${page}`.execute(ctx.tx)
  if (!rows[0]) throw fail('kit.notFound')
  return { bytes: rows[0].picture, mime: 'image/jpeg', name: `page-${page + 1}.jpg`, inline: true }
}

export async function paperThumbnail(ctx: Ctx, { id }: { id: string }): Promise<FileAnswer> {
  if (ctx.caller.hideTotalPrices) throw forbidden({ sight: 'figures' })
  const { rows } = await sql<{
    thumbnail: Buffer | null
  }>`select thumbnail from captured_papers where company_id = ${ctx.companyId} and id = ${id}`.execute(ctx.tx)
  if (!rows[0]?.thumbnail) throw fail('kit.notFound')
  return { bytes: rows[0].thumbnail, mime: 'image/jpeg', name: 'thumbnail.jpg', inline: true }
}

export interface PaperRecord {
  id: string
  state: PaperRow['state']
  fileId: string | null
  source: (typeof paperSources)[number]
  name: string
  pageFrom: number | null
  pageTo: number | null
  pageCount: number
  proposal: Proposal
  text: string
}

/** The paper, held until the end of the transaction: two people file it once. */
export async function lockPaper(ctx: Ctx, id: string): Promise<PaperRecord> {
  const { rows } =
    await sql<PaperRecord>`select id, state, file_id as "fileId", source, name, page_from as "pageFrom",
        page_to as "pageTo", page_count as "pageCount", proposal,
        coalesce(text, '') as text
    from captured_papers where company_id = ${ctx.companyId} and id = ${id} for update`.execute(ctx.tx)
  if (!rows[0]) throw fail('kit.notFound')
  return rows[0]
}
