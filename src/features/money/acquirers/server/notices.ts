import { sql } from 'kysely'
import { fail } from '#kit/describe/errors.ts'
import type { RawBody } from '#kit/fields/schema.ts'
import { asCaller, systemCaller, type App, type OpenCtx } from '#kit/server/context.ts'
import { chargeNamed, settleCharge } from './charges/ask.ts'
import { setCharge } from './charges/charge.ts'
import { noticeOf } from './foreign.ts'
import { soon } from './soon.ts'
import { rememberCall } from './wire.ts'
import { plugged, type TerminalRow } from './terminals/terminals.ts'

/** Some send a notice again that was not answered within a second and a quarter. */
const answerWithin = 800

/**
 * A notice is no more than a reason to ask the acquirer: who sends one that is not right learns nothing, and
 * the person who waits is answered soon.
 */
export async function notice(ctx: OpenCtx, { key, raw }: { key: string; raw: RawBody }) {
  const { rows } = await sql<
    TerminalRow & { company_id: string }
  >`select * from terminals where notice_key = ${key}`.execute(ctx.tx)
  const [row] = rows
  if (!row) throw fail('kit.notFound')
  await soon(
    ctx.app,
    hearNotice(ctx.app, row.company_id, row, {
      text: Buffer.from(raw.bytes).toString('utf8'),
      headers: raw.headers,
    }),
    answerWithin,
  )
  return { done: true as const }
}

/**
 * Asks about the charge that a notice names. The row says first that it is to be asked about, so that the person who
 * dies over it loses nothing.
 */
export async function hearNotice(
  app: App,
  companyId: string,
  row: TerminalRow,
  { text, headers }: { text: string; headers: Readonly<Record<string, string>> },
): Promise<void> {
  const { gateway, acquirer } = plugged(app, companyId, row)
  const about = await acquirer.readNotice?.({ brought: noticeOf(gateway, text, headers), raw: text })
  const id = about && (await chargeNamed(app, companyId, row.id, about))
  if (!id) {
    app.log.warn({ terminal: row.id, signed: about !== undefined }, 'a notice that nothing was believed of')
    await rememberCall(app, companyId, row.id)('notice', 0, 0, { code: about ? 'unknown' : 'unsigned' })
    return
  }
  await asCaller(app, systemCaller(companyId), '', async (ctx) => {
    // Of what is paid nothing is asked any more; when its paper is tried again stays as it was.
    await setCharge(ctx, id, {
      ask_at: sql`case when state <> 'paid' then least(ask_at, ${new Date(ctx.now.getTime() + 60_000)})
          else ask_at end`,
    })
  })
  await settleCharge(app, companyId, id, 'notice', text)
}
