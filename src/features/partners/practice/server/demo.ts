import { sql } from 'kysely'
import { addMonths, endOfMonth, startOfMonth } from '#domain/day.ts'
import { newId, type App } from '#kit/server/context.ts'
import { asSystem } from '#kit/server/data/db.ts'
import { allRules } from '#kit/describe/session.ts'
import { newToken } from '#kit/server/rights/vault.ts'
import { openCompany } from '#features/base/companies/server/index.ts'
import { dueOfPeriod } from '#domain/law/dues.ts'
import { bookLines, type ClosingLine } from '#domain/closing/closing.ts'
import { summariseEach, type BookFacts } from './facts.ts'
import { settlePeople } from './office.ts'

const clients = [
  ['מוסך הציר הירוק בע״מ', 'company', {}, 2_431_000],
  ['מאפיית שיפון הגליל', 'licensedDealer', { bankPapers: 4, usualBills: 2, papers: 1 }, 1_190_400],
  ['קייטרינג שבעת המינים', 'company', { allocation: 1 }, 3_865_500],
  ['Blue Fig Hosting', 'company', { bankUntil: 1 }, 0],
  ['גן הילדים פעמוני הכרם', 'licensedDealer', {}, 412_000],
  ['חוות הסוסים עמק הדס', 'licensedDealer', { unmatched: 2 }, 748_200],
  ['דפוס קו נקי', 'partnership', { expenses: 3 }, 1_526_000],
] as const

/**
 * An office with a demo business among its clients, and others with months as they come. Of the others the
 * page shows names and figures; their books are empty. Answers the office.
 */
export async function showOffice(
  app: App,
  {
    clientId: companyId,
    ownerId,
    userId,
    today,
  }: { clientId: string; ownerId: string; userId: string; today: string },
): Promise<string> {
  const month = startOfMonth(addMonths(startOfMonth(today), -1))
  const officeId = await asSystem(app.db, async (tx) => {
    const demo = { email: 'office@pinkas.example', phone: '', language: 'he' as const, demo: true }
    const id = await openCompany(
      { tx },
      { ...demo, name: 'אלון ושות׳, רואי חשבון', kind: 'partnership', taxId: '558001234' },
      userId,
    )
    await sql`update memberships set type_id = 6, seen_at = null
      where company_id = ${id} and user_id = ${userId}`.execute(tx)
    await sql`insert into offices (company_id, licence, join_key)
      values (${id}, '31415', ${newToken().slice(0, 24)})`.execute(tx)
    const template = newId()
    await sql`insert into closing_templates (company_id, id, name, kinds, own)
      values (${id}, ${template}, 'חברה בע״מ', '{company}',
        ${['התאמת כרטיס בעלים', 'הפרשה לחופשה']}::text[])`.execute(tx)
    const engage = (clientId: string, rights: string[], agreedBy: string) =>
      sql`insert into engagements (company_id, client_id, state, rights, responsible_id, asked_by,
          consented_by, consented_at, summed_at)
        values (${id}, ${clientId}, 'active', ${rights}::text[], ${userId}, ${userId}, ${agreedBy}, now(),
          now())`.execute(tx)
    await engage(companyId, ['enter', 'post', 'close', 'file'], ownerId)
    for (const [at, [name, kind, left, vat]] of clients.entries()) {
      const clientId = await openCompany(
        { tx },
        { ...demo, name, kind, taxId: String(510_000_000 + at * 11) },
        userId,
      )
      // Nobody logs in there directly: it is a client, seen through the office.
      await sql`update memberships set type_id = 5, office_id = ${id} where company_id = ${clientId}
          and user_id = ${userId}`.execute(tx)
      await engage(clientId, ['enter', 'post', 'close'], userId)
      const lines = bookLines.map((line): BookFacts['lines'][number] => {
        const count = (left as Partial<Record<ClosingLine['line'], number>>)[line] ?? 0
        return {
          line,
          count,
          state: count ? 'look' : 'ok',
          open: '/invoice/main',
          isSigned: false,
          signedBy: null,
          signedAt: null,
        }
      })
      const facts: BookFacts = {
        lines,
        requestsOpen: 'bankPapers' in left ? 4 : 0,
        requestsAnswered: 0,
        isTouched: vat > 0,
        isClosed: at === 4,
        isPaid: at === 4,
        said: null,
        note: '',
        vat: {
          from: month,
          to: endOfMonth(month),
          dueDay: dueOfPeriod('vat', month).day,
          toPayAgorot: vat,
          isFiled: at === 4,
          isSent: at === 4,
        },
        advance: null,
      }
      await sql`insert into duty_summaries (company_id, client_id, month, facts)
        values (${id}, ${clientId}, ${month}, ${JSON.stringify(facts)})`.execute(tx)
    }
    await settlePeople(tx, allRules(), id)
    return id
  })
  await summariseEach(app, [companyId], [month])
  return officeId
}
