import { sql } from 'kysely'
import { readPaper, textOfPages } from '#domain/papers/read.ts'
import type { Proposal } from '#domain/papers/proposal.ts'
import { asCaller, systemCaller, type App, type Ctx } from '#kit/server/context.ts'
import { readIn } from '#kit/server/work/threads/read.ts'
import { asSystem } from '#kit/server/data/db.ts'
import { attempt, isResting } from '#kit/server/work/dueRows.ts'
import type { ElectronicInvoice } from './einvoice.ts'
import type { readers } from './readers.ts'
import { memoriesFor } from './memory.ts'
import { readFileWords, ReadFailure, type Reading, type Unreadable } from './reading/reader.ts'

/*
 * The inbox itself is the queue: a paper that waits is taken, one at a time, by whichever process is free,
 * under a lease that gives it back when the process dies. Reading takes seconds of a whole processor, so it
 * runs in no transaction and holds up no other job.
 */
const leaseMinutes = 5
const mostAttempts = 3

interface Claimed {
  companyId: string
  id: string
  name: string
  attempts: number
  pageFrom: number | null
  pageTo: number | null
  mime: string
  bytes: Buffer
}

/** Businesses whose papers were read last, the last one last: each gets its turn, however much one of them sent. */
const served = new Set<string>()
const remembered = 100

let running: Promise<void> | undefined
let again = false

/** Reads what waits, soon; returns at once. */
export function readSoon(app: App): void {
  if (running) {
    again = true
    return
  }
  running = pump(app)
    .catch((e: Error) => app.log.warn({ err: e.message }, 'papers could not be read'))
    .finally(() => {
      running = undefined
      if (again) {
        again = false
        readSoon(app)
      }
    })
}

/** Resolves when nothing is being read; for tests and for an orderly stop. */
export async function readingRests(): Promise<void> {
  while (running) await running
}

async function pump(app: App): Promise<void> {
  for (let paper = await claim(app); paper; paper = await claim(app)) {
    const { companyId, id } = paper
    served.delete(companyId)
    served.add(companyId)
    if (served.size > remembered) served.delete(served.values().next().value!)
    await attempt(app, 'capture.read', { companyId, key: id }, () => readOne(app, paper))
  }
}

async function claim(app: App): Promise<Claimed | undefined> {
  return asSystem(app.db, async (tx) => {
    const { rows } =
      await sql<Claimed>`update captured_papers p set state = 'reading', attempts = p.attempts + 1,
          updated_at = now(),
        lease_until = now() + make_interval(mins => ${leaseMinutes})
      from files f join file_contents c on c.company_id = f.company_id and c.sha256 = f.sha256
      where (p.company_id, p.id) = (select company_id, id from captured_papers c
      where state in ('waiting', 'reading') and (state = 'waiting' or lease_until < now())
            and not ${isResting(app, 'capture.read', sql`c.company_id`, sql`c.id::text`)}
          order by coalesce(array_position(${[...served]}::uuid[], c.company_id), 0), created_at
          limit 1 for update skip locked)
        and f.company_id = p.company_id and f.id = p.file_id
      returning p.company_id as "companyId", p.id, p.name, p.attempts, p.page_from as "pageFrom",
        p.page_to as "pageTo", f.mime, c.bytes`.execute(tx)
    return rows[0]
  })
}

const electronicOf = (bytes: Uint8Array) => readIn<typeof readers>()('capture.einvoice', { bytes })

async function readOne(app: App, paper: Claimed): Promise<void> {
  const start = performance.now()
  let reading: Reading | undefined
  let electronic: ElectronicInvoice | undefined
  let problem: Unreadable | undefined
  try {
    if (paper.attempts > mostAttempts) throw new ReadFailure('failed', 'tried too often')
    if (paper.mime.endsWith('xml')) {
      electronic = await electronicOf(paper.bytes)
      if (!electronic) throw new ReadFailure('broken')
    } else {
      const range = paper.pageFrom && paper.pageTo ? { from: paper.pageFrom, to: paper.pageTo } : undefined
      reading = await readFileWords(paper.bytes, paper.mime, range)
      for (const { bytes } of reading.attachments) electronic ??= await electronicOf(bytes)
    }
  } catch (e) {
    problem = e instanceof ReadFailure ? e.why : 'failed'
    app.log.warn({ paper: paper.id, why: problem, err: (e as Error).message }, 'paper not read')
  }
  await asCaller(app, systemCaller(paper.companyId), '', (ctx) =>
    keep(ctx, paper, { reading, electronic, problem }),
  )
  app.log.info(
    {
      paper: paper.id,
      ms: Math.round(performance.now() - start),
      pages: reading?.pages.length ?? 0,
      problem,
    },
    'paper read',
  )
}

async function keep(
  ctx: Ctx,
  paper: Claimed,
  {
    reading,
    electronic,
    problem,
  }: {
    reading: Reading | undefined
    electronic: ElectronicInvoice | undefined
    problem: Unreadable | undefined
  },
): Promise<void> {
  const pages = reading?.pages ?? []
  const text = textOfPages(pages).slice(0, 50_000).replaceAll('\u0000', '')
  const { proposal, supplierId } = electronic
    ? await knownSupplier(ctx, electronic.proposal)
    : await guess(ctx, pages, text)
  const { rows } = await sql<{
    id: string
  }>`update captured_papers set state = 'read', problem = ${problem ?? null}, lease_until = null,
      updated_at = now(),
      proposal = ${JSON.stringify(proposal)}::jsonb,
      lines = ${JSON.stringify(electronic?.lines ?? [])}::jsonb, exact = ${!!electronic}, text = ${text},
      page_count = ${paper.pageFrom && paper.pageTo ? paper.pageTo - paper.pageFrom + 1 : Math.min(reading?.pageCount ?? 0, 999)},
      thumbnail = ${reading?.thumbnail ? Buffer.from(reading.thumbnail) : null}, supplier_id = ${supplierId}
    where company_id = ${ctx.companyId} and id = ${paper.id} and state = 'reading'
      and attempts = ${paper.attempts} returning id`.execute(ctx.tx)
  // Somebody put it aside meanwhile, or another process took it after the lease: what was read here is no
  // longer wanted.
  if (!rows.length) return
  await sql`delete from captured_pages where company_id = ${ctx.companyId}
      and paper_id = ${paper.id}`.execute(ctx.tx)
  for (const [index, page] of pages.entries()) {
    const share = (part: number, whole: number) =>
      Math.max(0, Math.min(1000, Math.round((part / whole) * 1000)))
    const words = page.words
      .slice(0, 5000)
      .map((w) => [
        w.text.replaceAll('\u0000', '').slice(0, 100),
        share(w.x, page.width),
        share(w.y, page.height),
        share(w.w, page.width),
        share(w.h, page.height),
        Math.round(w.confidence * 100),
      ])
    await sql`insert into captured_pages (company_id, paper_id, page, words, width, height, picture)
      values (${ctx.companyId}, ${paper.id}, ${index}, ${JSON.stringify(words)}::jsonb, ${page.width},
        ${page.height}, ${Buffer.from(page.picture)})`.execute(ctx.tx)
  }
}

/** Read once to identify the supplier, and again with what is remembered of the supplier. */
async function guess(
  ctx: Ctx,
  pages: Reading['pages'],
  text: string,
): Promise<{ proposal: Proposal; supplierId: string | null }> {
  if (!pages.length) return { proposal: {}, supplierId: null }
  const { rows } = await sql<{
    taxId: string
    name: string
  }>`select tax_id as "taxId", name from companies where id = ${ctx.companyId}`.execute(ctx.tx)
  const options = { today: ctx.today, ownTaxId: rows[0]?.taxId, ownName: rows[0]?.name }
  const first = readPaper(pages, options)
  const memories = await memoriesFor(ctx, first, text)
  if (!memories.length) return { proposal: first, supplierId: null }
  return { proposal: readPaper(pages, { ...options, memories }), supplierId: memories[0]!.supplierId }
}

async function knownSupplier(
  ctx: Ctx,
  proposal: Proposal,
): Promise<{ proposal: Proposal; supplierId: string | null }> {
  const { rows } = await sql<{
    id: string
  }>`select id from parties where company_id = ${ctx.companyId} and role = 'supplier' and archived_at is null
    and (tax_id = ${proposal.supplierTaxId?.value ?? null}
    or lower(name) = lower(${proposal.supplierName?.value ?? ''}))
    order by (tax_id is not distinct from ${proposal.supplierTaxId?.value ?? null}) desc limit 1`.execute(
    ctx.tx,
  )
  return { proposal, supplierId: rows[0]?.id ?? null }
}
