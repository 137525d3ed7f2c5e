import { sql } from 'kysely'
import type { App } from '#kit/server/context.ts'
import { asSystem } from '#kit/server/data/db.ts'
import { checkEnds, checkSome, joinAll, type Broken } from './chain.ts'

export interface Verified {
  company: string
  records: number
  root: string
  broken: Broken | undefined
}

/** Walks the whole chain of each business, or of one: what `npm run verify-books` prints. */
export async function* verifyBooks(app: App, companyId?: string): AsyncGenerator<Verified> {
  const { rows: companies } = await sql<{ id: string; name: string }>`select id, name from companies
    where ${companyId ?? null}::uuid is null or id = ${companyId ?? null}::uuid order by id`.execute(
    app.db.kysely,
  )
  for (const { id, name } of companies) {
    await joinAll(app, id)
    let records = 0
    let broken: Broken | undefined
    for (;;) {
      const { to, broken: found } = await asSystem(app.db, (tx) => checkSome(tx, id, records))
      broken = found
      if (found || to === records) break
      records = to
    }
    broken ??= await asSystem(app.db, (tx) => checkEnds(tx, id))
    const { rows } = await sql<{
      root: string
    }>`select encode(link, 'hex') as root from chain_heads where company_id = ${id}`.execute(app.db.kysely)
    yield { company: name, records, root: rows[0]?.root ?? '', broken }
  }
}
