import { inviteAccountant } from '#features/partners/accountant/server/index.ts'
import { sql } from 'kysely'
import { asCaller, newId, systemCaller, type App, type Ctx } from '#kit/server/context.ts'
import { asSystem } from '#kit/server/data/db.ts'
import { hashOfNone } from '#features/base/session/server/index.ts'
import { invite, settleRights } from '#features/base/team/server/index.ts'

/**
 * The people round a business: two sets of rights with somebody asked to come for each, and the accountant.
 * Nobody gets a letter.
 */
export async function addPeople(ctx: Ctx): Promise<void> {
  for (const one of [
    { fullName: 'דנה לוי', email: 'dana@pinkas.example', job: 'מכירות ומשרד', starter: 'sales' },
    { fullName: 'אבי פרץ', email: 'avi@pinkas.example', job: 'טכנאי', starter: 'expensesOnly' },
  ] as const)
    await invite(
      ctx,
      { ...one, typeId: 9, subTypeId: 0, noLetter: true },
      await settleRights(ctx, { starter: one.starter }, undefined),
    )
  await inviteAccountant(ctx, {
    name: 'רו״ח משה אלון',
    office: 'אלון ושות׳',
    email: 'alon@pinkas.example',
    contents: ['income', 'expenses', 'vat', 'trialBalance'],
    noLetter: true,
  })
}

/** A person who sells and works here already, though nobody can log in as that person. Answers who. */
export async function addSeller(app: App, companyId: string, ownerId: string): Promise<string> {
  // Separately: people are written by the system, which must see the set of rights.
  const { ruleId, rules, docsAllow } = await asCaller(app, systemCaller(companyId, ownerId), '', (ctx) =>
    settleRights(ctx, { starter: 'sales' }, undefined),
  )
  const userId = newId()
  const passwordHash = await hashOfNone()
  await asSystem(app.db, async (tx) => {
    await sql`insert into users (id, email, full_name, language, password_hash, email_verified_at)
      values (${userId}, ${`yoav-${userId.slice(-12)}@pinkas.example`}, 'יואב שגיא', 'he',
        ${passwordHash}, now())`.execute(tx)
    await sql`insert into memberships (company_id, user_id, type_id, rules, docs_allow, rule_id, job,
        invited_by)
      values (${companyId}, ${userId}, 9, ${rules}::int[], ${docsAllow}::smallint[], ${ruleId}, 'סוכן מכירות',
        ${ownerId})`.execute(tx)
  })
  return userId
}
