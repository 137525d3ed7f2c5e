import { sql } from 'kysely'
import { fail } from '#kit/describe/errors.ts'
import { allRules, can, seesWhole } from '#kit/describe/session.ts'
import { newId, type Caller, type Ctx, type Language } from '#kit/server/context.ts'
import { oneRow, type ListSource } from '#kit/server/data/lists.ts'
import {
  blockPerson,
  changePerson,
  invite,
  onePerson,
  removePerson,
  resendTo,
  settleRights,
  unblockPerson,
} from '#features/base/team/server/index.ts'
import { rulesFor } from '../access.ts'
import { accountants, packageContents, type Access, type Accountant, type Content } from '../accountants.ts'
import { orderPackages, plan } from './plan.ts'

const person = sql`(select coalesce(i.used_by, i.id) from invitations i where i.company_id = t.company_id
    and i.id = t.invitation_id)`

export const accountantList: ListSource = {
  resource: accountants,
  compute: {
    state: sql`coalesce((select p.state from team p where p.company_id = t.company_id and p.id = ${person}),
        'gone')`,
    seenAt: sql`(select p.seen_at from team p where p.company_id = t.company_id and p.id = ${person})`,
    sentAt: sql`(select max(k.created_at) from accountant_packages k where k.company_id = t.company_id
        and k.accountant_id = t.id)`,
  },
  extra: {
    contents: sql`t.contents`,
    personId: person,
    expiresAt: sql`(select p.expires_at from team p where p.company_id = t.company_id and p.id = ${person})`,
  },
}

export const oneAccountant = (ctx: Ctx, id: string): Promise<Accountant> =>
  oneRow<Accountant>(ctx, accountantList, id)

interface Facts {
  office?: string | undefined
  phone?: string | undefined
  language?: Language | undefined
  access?: Access | undefined
  mayExpenses?: boolean | undefined
  mayPost?: boolean | undefined
  sendDay?: number | null | undefined
  contents?: Content[] | undefined
}

const numbersFor = (of: { access: Access; mayExpenses: boolean; mayPost: boolean }): number[] =>
  rulesFor(of).flatMap((name) => allRules().get(name) ?? [])

/** Whether somebody sees everything that a package would hold. */
export const seesContents = (caller: Caller, contents: readonly Content[]): boolean =>
  contents.length === 0 ||
  (seesWhole(caller) && !caller.hideTotalPrices && contents.every((one) => can(caller, packageContents[one])))

/** Nobody mails what they may not see. */
export function refuseContents({ caller }: Ctx, contents: readonly Content[]): void {
  if (!seesContents(caller, contents)) throw fail('team.beyondYours')
}

/**
 * Invites an accountant: the person in the business, what the person sees, and the first package when a day is set.
 */
export async function inviteAccountant(
  ctx: Ctx,
  { name, email, noLetter, ...given }: Facts & { name: string; email: string; noLetter?: boolean },
): Promise<Accountant> {
  const of = {
    office: given.office ?? '',
    phone: given.phone ?? '',
    access: given.access ?? 'books',
    mayExpenses: given.mayExpenses ?? false,
    mayPost: given.mayPost ?? false,
    sendDay: given.sendDay ?? null,
    contents: given.contents ?? [],
  } as const
  refuseContents(ctx, of.contents)
  const rights = await settleRights(ctx, { rules: numbersFor(of) }, undefined)
  const guest = await invite(
    ctx,
    {
      email,
      fullName: name,
      job: of.office.slice(0, 80),
      language: given.language,
      typeId: 5,
      subTypeId: 0,
      ...(noLetter ? { noLetter } : {}),
    },
    rights,
  )
  const id = newId()
  await sql`insert into accountants (company_id, id, name, office, email, phone, language, access,
      may_expenses, may_post, send_day, contents, invitation_id)
    values (${ctx.companyId}, ${id}, ${name}, ${of.office}, ${email}, ${of.phone}, ${guest.language},
      ${of.access}, ${of.mayExpenses}, ${of.mayPost}, ${of.sendDay},
      ${[...of.contents]}::text[], ${guest.id})`.execute(ctx.tx)
  await ctx.audit('accountants.invite', 'accountants', id, undefined, {
    name,
    email,
    access: of.access,
    sendDay: of.sendDay,
    contents: of.contents,
  })
  await orderPackages(ctx, id)
  if (of.sendDay !== null) await plan(ctx, id, { plan: 0, sendDay: of.sendDay })
  return oneAccountant(ctx, id)
}

export async function changeAccountant(
  ctx: Ctx,
  { id, ...given }: Facts & { id: string },
): Promise<Accountant> {
  const before = await oneAccountant(ctx, id)
  if (before.archivedAt) throw fail('accountant.gone')
  const after = {
    ...before,
    ...Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)),
  } as Accountant
  if (given.contents) refuseContents(ctx, given.contents)
  if (given.contents || given.sendDay !== undefined || given.language) await orderPackages(ctx, id)
  const rules = numbersFor(after)
  const touched = given.access !== undefined || given.mayExpenses !== undefined || given.mayPost !== undefined
  if (touched && before.state !== 'gone') await changePerson(ctx, { id: before.personId, rules }, onePerson)
  const moved = after.sendDay !== before.sendDay
  const { rows } = await sql<{
    plan: number
  }>`update accountants set office = ${after.office ?? ''}, phone = ${after.phone ?? ''},
      language = ${after.language}, access = ${after.access}, may_expenses = ${after.mayExpenses},
    may_post = ${after.mayPost}, send_day = ${after.sendDay}, next_month = case when ${moved} then null
    else next_month end, contents = ${after.contents}::text[], plan = plan + ${moved ? 1 : 0},
    updated_at = now()
    where company_id = ${ctx.companyId} and id = ${id} returning plan`.execute(ctx.tx)
  if (moved && after.sendDay !== null) await plan(ctx, id, { plan: rows[0]!.plan, sendDay: after.sendDay })
  const names = Object.keys(given).filter(
    (name) => JSON.stringify(before[name as 'office']) !== JSON.stringify(after[name as 'office']),
  )
  const pick = (of: Accountant) => Object.fromEntries(names.map((name) => [name, of[name as 'office']]))
  if (names.length) await ctx.audit('accountants.change', 'accountants', id, pick(before), pick(after))
  return oneAccountant(ctx, id)
}

/** Ends the link: the accountant cannot log in, and no package is sent any more. */
export async function removeAccountant(ctx: Ctx, { id }: { id: string }): Promise<{ done: true }> {
  const one = await oneAccountant(ctx, id)
  if (one.state !== 'gone') await removePerson(ctx, one.personId, onePerson)
  await sql`update accountants set archived_at = now(), plan = plan + 1, updated_at = now()
    where company_id = ${ctx.companyId} and id = ${id}`.execute(ctx.tx)
  await ctx.audit('accountants.remove', 'accountants', id, { name: one.name, email: one.email })
  return { done: true }
}

const deed =
  (run: (ctx: Ctx, id: string, find: typeof onePerson) => Promise<unknown>) =>
  async (ctx: Ctx, { id }: { id: string }): Promise<Accountant> => {
    const { personId, state } = await oneAccountant(ctx, id)
    if (state === 'gone') throw fail('accountant.gone')
    await run(ctx, personId, onePerson)
    return oneAccountant(ctx, id)
  }

export const resendAccountant = deed(resendTo)
export const blockAccountant = deed(blockPerson)
export const unblockAccountant = deed(unblockPerson)
