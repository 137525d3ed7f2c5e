import { sql } from 'kysely'
import { fail } from '#kit/describe/errors.ts'
import { newId, type App, type Ctx, type Language } from '#kit/server/context.ts'
import { asSystem } from '#kit/server/data/db.ts'
import { countGivenUp, givenUp, retryGivenUp } from '#kit/server/work/givenUp.ts'
import type { SystemJob } from '#kit/server/work/jobs.ts'
import { sendMail } from '#kit/server/outside/mail.ts'
import { say } from '#kit/server/words.ts'
import type { GivenUpRow } from '../endpoints.ts'
import { refuseOthers } from './desk.ts'

/** Work of all businesses that was given up, for the operator of the installation. */
export async function listGivenUp(ctx: Ctx): Promise<{ rows: GivenUpRow[]; count: number }> {
  await refuseOthers(ctx)
  const rows = await givenUp(ctx.app)
  const { rows: companies } = await asSystem(ctx.app.db, (tx) =>
    sql<{ id: string; name: string }>`select id, name from companies
      where id = any (${rows.map(({ companyId }) => companyId).filter(Boolean)}::uuid[])`.execute(tx),
  )
  const names = new Map(companies.map(({ id, name }) => [id, name]))
  return {
    rows: rows.map((row) => ({
      ...row,
      kind: row.kind as GivenUpRow['kind'],
      business: (row.companyId && names.get(row.companyId)) || null,
    })),
    count: Object.values(await countGivenUp(ctx.app)).reduce((sum, n) => sum + n, 0),
  }
}

export async function retry(
  ctx: Ctx,
  given: Pick<GivenUpRow, 'kind' | 'companyId' | 'key'>,
): Promise<{ done: true }> {
  await refuseOthers(ctx)
  if (!(await retryGivenUp(ctx.app, given))) throw fail('kit.notFound')
  return { done: true }
}

/**
 * Notifies the operators by mail of what was given up since they were last notified, at most once an hour, whichever
 * process looks first. Answers how much that was.
 */
export async function tellOperators(app: App): Promise<number> {
  if (!operatorsOf(app).length) return 0
  const now = app.now()
  return asSystem(app.db, async (tx) => {
    const { rows } = await sql<{ told: string }>`select told_at as told from given_up_told
      where told_at <= ${now}::timestamptz - interval '1 hour' for update skip locked`.execute(tx)
    if (!rows[0]) return 0
    const counts = await countGivenUp(app, new Date(rows[0].told))
    const all = Object.values(counts).reduce((sum, n) => sum + n, 0)
    await sql`update given_up_told set told_at = ${now}`.execute(tx)
    if (all)
      await sql`insert into outbox (id, company_id, name, payload)
        values (${newId()}, null, 'support.givenUpMail', ${JSON.stringify({ all })})`.execute(tx)
    return all
  })
}

const operatorsOf = (app: App): string[] => app.settings.support.operators.filter((one) => one !== '*')

export const givenUpMail: SystemJob = async (app, { all }) => {
  const { rows } = await sql<{ to: string; language: Language }>`select o.mail as "to",
      coalesce(u.language, 'en') as language
    from unnest(${operatorsOf(app)}::text[]) o (mail) left
    join users u on u.email = o.mail`.execute(app.db.kysely)
  for (const { to, language } of rows) {
    const said = { count: Number(all), link: `${app.publicUrl()}/invoice/support?desk=givenUp` }
    await sendMail(
      { app },
      {
        to,
        language,
        subject: say(language, 'support.givenUp.mailSubject', said),
        text: say(language, 'support.givenUp.mail', said),
      },
    )
  }
}
