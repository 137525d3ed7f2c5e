import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { App } from '#kit/server/context.ts'
import { asSystem, type Tx } from '#kit/server/data/db.ts'
import { isIssued } from '#kit/server/data/documentFacts.ts'
import { dueRows, everyRound, serveDue } from '#kit/server/work/dueRows.ts'
import { digestsOf, form, type Kind } from './digests.ts'

/** How many records join, or are checked, in one transaction. */
const atOnce = 500

export interface Link {
  seq: number
  kind: Kind
  recordId: string
  digest: Buffer
  link: Buffer
}

/**
 * The link of a record at its place: nothing in it can be altered, moved or left out without changing every
 * link that follows.
 */
export const linkOf = (before: Buffer, { seq, kind, recordId, digest }: Omit<Link, 'link'>): Buffer =>
  createHash('sha256').update(before).update(`${seq} ${kind} ${recordId} `).update(digest).digest()

/** Adds waiting records of a business to its chain; how many. None when another process is at it. */
export const joinSome = (app: App, companyId: string): Promise<number> =>
  asSystem(app.db, async (tx) => {
    await sql`insert into chain_heads (company_id) values (${companyId}) on conflict do nothing`.execute(tx)
    const { rows: heads } = await sql<{
      seq: number
      link: Buffer
    }>`select seq, link from chain_heads where company_id = ${companyId}
      for update skip locked`.execute(tx)
    const head = heads[0]
    if (!head) return 0
    const { rows: waiting } = await sql<{
      kind: Kind
      id: string
    }>`select kind, record_id as id from chain_waiting
      where company_id = ${companyId} order by at, kind, record_id limit ${atOnce}`.execute(tx)
    const digests = await digestsOf(tx, companyId, waiting)
    let before = head.link
    let seq = head.seq
    const links: Link[] = []
    for (const { kind, id } of waiting) {
      const digest = digests.get(`${kind} ${id}`)
      // Gone before it joined: it stays waiting, and the check says so.
      if (!digest) continue
      seq++
      before = linkOf(before, { seq, kind, recordId: id, digest })
      links.push({ seq, kind, recordId: id, digest, link: before })
    }
    if (links.length === 0) return 0
    const column = <T>(of: (link: Link) => T) => links.map(of)
    await sql`insert into chain_links (company_id, seq, kind, record_id, form, digest, link)
      select ${companyId}, t.seq, t.kind, t.id, ${form}, t.digest, t.link
      from unnest(${column((l) => l.seq)}::bigint[], ${column((l) => l.kind)}::text[],
        ${column((l) => l.recordId)}::uuid[],
        ${column((l) => l.digest)}::bytea[], ${column((l) => l.link)}::bytea[]) as t
        (seq, kind, id, digest, link)`.execute(tx)
    await sql`delete
      from chain_waiting w using
        unnest(${column((l) => l.kind)}::text[], ${column((l) => l.recordId)}::uuid[]) as t (kind, id)
      where w.company_id = ${companyId} and w.kind = t.kind and w.record_id = t.id`.execute(tx)
    await sql`update chain_heads set seq = ${seq}, link = ${before} where company_id = ${companyId}`.execute(
      tx,
    )
    return links.length
  })

/** Everything of a business that waits joins its chain. */
export async function joinAll(app: App, companyId: string): Promise<void> {
  while ((await joinSome(app, companyId)) > 0);
}

export type Why = 'link' | 'changed' | 'gone' | 'unjoined' | 'short'

export interface Broken {
  seq: number
  kind: Kind
  recordId: string
  why: Why
}

/**
 * Checks the links after `from`, at most some hundreds: each follows from the one before, and each record is what it
 * was when it joined. The link at `from` is taken as it is; checking from 0 to the end covers all.
 */
export async function checkSome(
  tx: Tx,
  companyId: string,
  from: number,
): Promise<{ to: number; broken: Broken | undefined }> {
  const { rows } = await sql<Link>`select seq, kind, record_id as "recordId", digest, link from chain_links
    where company_id = ${companyId} and seq > ${from} and seq <= ${from + atOnce} order by seq`.execute(tx)
  const { rows: befores } = await sql<{
    link: Buffer
  }>`select link from chain_links where company_id = ${companyId} and seq = ${from}`.execute(tx)
  const digests = await digestsOf(
    tx,
    companyId,
    rows.map(({ kind, recordId }) => ({ kind, id: recordId })),
  )
  let before = befores[0]?.link ?? Buffer.alloc(32)
  let expected = from + 1
  for (const row of rows) {
    const { seq, kind, recordId } = row
    const broken = (why: Why) => ({ to: seq, broken: { seq, kind, recordId, why } })
    if (seq !== expected || !linkOf(before, row).equals(row.link)) return broken('link')
    const digest = digests.get(`${kind} ${recordId}`)
    if (!digest) return broken('gone')
    if (!digest.equals(row.digest)) return broken('changed')
    before = row.link
    expected++
  }
  return { to: expected - 1, broken: undefined }
}

/**
 * What a walk along the links cannot see: a chain cut off at its end, and records that are in the books but
 * were never brought to the chain.
 */
export async function checkEnds(tx: Tx, companyId: string): Promise<Broken | undefined> {
  const { rows: heads } = await sql<{
    seq: number
    link: Buffer
    last: Buffer | null
    lastSeq: number | null
  }>`select h.seq, h.link,
      l.link as last, l.seq as "lastSeq" from chain_heads h
    left join lateral (select seq, link from chain_links where company_id = h.company_id order by seq desc
    limit 1) l on true
    where h.company_id = ${companyId}`.execute(tx)
  const head = heads[0]
  if (head && head.seq > 0 && (head.lastSeq !== head.seq || !head.last?.equals(head.link)))
    return { seq: (head.lastSeq ?? 0) + 1, kind: 'entry', recordId: '', why: 'short' }
  const { rows } = await sql<{ kind: Kind; recordId: string }>`
    select kind, id as "recordId" from (
      select 'document' as kind, id from documents where company_id = ${companyId} and ${isIssued()}
      union all select 'entry', id from entries where company_id = ${companyId}) r
    where not exists (select 1 from chain_links l where l.company_id = ${companyId} and l.kind = r.kind
      and l.record_id = r.id)
      and not exists (select 1 from chain_waiting w where w.company_id = ${companyId} and w.kind = r.kind
      and w.record_id = r.id) limit 1`.execute(tx)
  return rows[0] ? { seq: (head?.seq ?? 0) + 1, ...rows[0], why: 'unjoined' } : undefined
}

const waiting = dueRows({
  name: 'proof.chain',
  due: (app) => sql`select distinct company_id, company_id::text as key, ${app.now()}::timestamptz as at
    from chain_waiting`,
  serveOutside: async (app, { companyId }) => {
    let joined = 0
    for (let n = atOnce; n === atOnce; joined += n) n = await joinSome(app, companyId)
    return joined
  },
})

/**
 * Looks every few seconds which businesses have records that wait. Several processes take turns by the lock
 * on the head.
 */
export const startJoining = (app: App, everyMs = 3000): (() => Promise<void>) =>
  everyRound(app, 'joining the chain', everyMs, (isOver) => serveDue(app, waiting, { isOver }))
