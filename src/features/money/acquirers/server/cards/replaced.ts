import { sql } from 'kysely'
import { addDays, dayInJerusalem } from '#domain/day.ts'
import { asCaller, systemCaller, type App, type Ctx } from '#kit/server/context.ts'
import { asSystem } from '#kit/server/data/db.ts'
import { dueRows, serveDue } from '#kit/server/work/dueRows.ts'
import { hear } from '../charges/hear.ts'
import type { Replacement, Silence } from '../door.ts'
import { terminalById } from '../terminals/terminals.ts'
import { openCard, type Card } from './card.ts'
import { addCard } from './keep.ts'

const weekMs = 7 * 86_400_000

const isToAsk = (now: Date) => sql`t.state = 'proved'
    and coalesce(t.replaced_asked_at, '-infinity') < ${new Date(now.getTime() - weekMs)}
    and exists (select 1 from cards c where c.company_id = t.company_id and c.terminal_id = t.id
    and c.state = 'active')`

const terminalsToAsk = dueRows({
  name: 'acquirers.replaced',
  due: (app) => sql`select t.company_id, t.id::text as key, coalesce(t.replaced_asked_at, '-infinity') as at
    from terminals t where ${isToAsk(app.now())}`,
  serveOutside: async (app, { companyId, key }) => {
    const now = app.now()
    // The process that takes a terminal notes that it was asked; one that fails gets another question.
    const before = await asSystem(app.db, async (tx) => {
      const { rows } = await sql<{ at: string | null }>`update terminals t set replaced_asked_at = ${now}
        from (select company_id, id, replaced_asked_at as at from terminals t
        where t.company_id = ${companyId}
          and t.id = ${key} and ${isToAsk(now)} for update) was
        where t.company_id = was.company_id and t.id = was.id returning was.at`.execute(tx)
      return rows[0]
    })
    if (!before) return 0
    try {
      return await ofTerminal(app, companyId, key)
    } catch (e) {
      await sql`update terminals set replaced_asked_at = ${before.at} where company_id = ${companyId}
        and id = ${key} and replaced_asked_at = ${now}`.execute(app.db.kysely)
      throw e
    }
  },
})

/**
 * Asks each acquirer that lists which cards banks replaced, once a week; a new card takes the place of the
 * old one without anybody being asked.
 */
export const askReplaced = (app: App, isOver?: () => boolean): Promise<number> =>
  serveDue(app, terminalsToAsk, { isOver })

async function ofTerminal(app: App, companyId: string, terminalId: string): Promise<number> {
  const inside = <T>(work: (ctx: Ctx) => Promise<T>) => asCaller(app, systemCaller(companyId), '', work)
  const terminal = await inside((ctx) => terminalById(ctx, terminalId))
  const ask = terminal.acquirer.cards?.replaced
  if (!ask) return 0
  // Two weeks back, so that a week that was missed is not lost.
  const since = addDays(dayInJerusalem(app.now()), -14)
  const told: Replacement[] | Silence = await hear(app, companyId, terminal, () => ask(since))
  if (!Array.isArray(told) || told.length === 0) return 0
  return inside(async (ctx) => {
    const { rows } = await sql<Card & { consent_address: string }>`select * from cards
      where company_id = ${companyId} and terminal_id = ${terminalId} and state = 'active' for
      update`.execute(ctx.tx)
    let done = 0
    for (const card of rows) {
      const secret = await openCard(ctx, card)
      const found = told.find(({ oldToken }) => oldToken === secret.token)
      if (!found || found.card.token === secret.token) continue
      const place = {
        customerId: card.customer_id,
        terminalId,
        consent: card.consent,
        consentAt: new Date(card.consent_at),
        consentAddress: card.consent_address,
      }
      const made = await addCard(
        ctx,
        { ...found.card, brand: found.card.brand || card.brand, ownerId: secret.ownerId },
        place,
        card.id,
      )
      if (made) done++
    }
    return done
  })
}
