import { sql } from 'kysely'
import { payOf } from '#domain/calendar/rules.ts'
import { addMonths, endOfMonth, monthOf } from '#domain/day.ts'
import { fail, failField } from '#kit/describe/errors.ts'
import { can } from '#kit/describe/session.ts'
import { newId, type Ctx } from '#kit/server/context.ts'
import { checkRef } from '#kit/server/data/refs.ts'
import { ring } from '#features/people/bell/server/index.ts'
import { companyOf } from '#features/base/companies/server/index.ts'
import { createExpense, typeByKey } from '#features/purchases/expenses/server/index.ts'
import { writeTo } from '#features/calendar/passes/server/index.ts'
import {
  conflictsOf,
  lockedClass,
  lockPlaced,
  oneClass,
  trainerOf,
} from '#features/calendar/timetable/server/index.ts'
import type { SwapView, TrainerMonth } from '../endpoints.ts'

/** Who calls, as a trainer. */
export async function myself(ctx: Ctx): Promise<{ id: string; name: string }> {
  const me = await trainerOf(ctx)
  if (!me) throw fail('trainers.none')
  return me
}

/** One's own class, or anybody's for the person who arranges classes. */
export async function ownClass(ctx: Ctx, classId: string) {
  const of = await oneClass(ctx, classId)
  const me = await trainerOf(ctx)
  if ((!me || of.trainerId !== me.id) && !can(ctx.caller, 'calendar.change')) throw fail('trainers.notYours')
  return of
}

export async function tellEverybody(
  ctx: Ctx,
  { classId, text }: { classId: string; text: string },
): Promise<{ told: number }> {
  const of = await ownClass(ctx, classId)
  const { rows } = await sql<{
    id: string
    email: string | null
    phone: string | null
  }>`select w.id, w.email, coalesce(nullif(w.mobile, ''), w.phone) as phone from class_bookings b
    join parties w on w.company_id = b.company_id and w.id = b.customer_id
    where b.company_id = ${ctx.companyId} and b.class_id = ${classId}
      and b.state in ('booked', 'held', 'offered', 'came')`.execute(ctx.tx)
  const { name } = await companyOf(ctx)
  let told = 0
  for (const one of rows)
    if (await writeTo(ctx, one, { subject: `${of.title || of.kindName} · ${name}`, text })) told++
  await ctx.audit('classes.tell', 'classes', classId, undefined, { told })
  return { told }
}

async function swapsWhere(ctx: Ctx, condition: ReturnType<typeof sql>): Promise<SwapView[]> {
  const me = await trainerOf(ctx)
  const { rows } = await sql<SwapView>`select s.id, s.state, f.name as "fromName", t.name as "toName",
        s.from_trainer = ${me?.id ?? null}::uuid as "isMine", s.to_trainer = ${me?.id ?? null}::uuid as
        "isForMe",
      coalesce(nullif(c.title, ''), k.name) as "className", c.day,
      to_char(c.starts_at at time zone 'Asia/Jerusalem', 'HH24:MI') as at, s.note
    from class_swaps s join classes c on c.company_id = s.company_id and c.id = s.class_id
    join class_kinds k on k.company_id = c.company_id and k.id = c.kind_id
    join class_trainers f on f.company_id = s.company_id and f.id = s.from_trainer
    join class_trainers t on t.company_id = s.company_id and t.id = s.to_trainer
    where s.company_id = ${ctx.companyId} and ${condition} order by s.state in ('asked', 'accepted') desc,
      c.starts_at, s.id limit 100`.execute(ctx.tx)
  return rows.map((one) => ({ ...one, isMine: Boolean(one.isMine), isForMe: Boolean(one.isForMe) }))
}

export async function swaps(ctx: Ctx): Promise<{ rows: SwapView[] }> {
  const me = await trainerOf(ctx)
  const recent = sql`(s.state in ('asked', 'accepted') or s.decided_at > now() - interval '14 days')`
  return {
    rows: await swapsWhere(
      ctx,
      can(ctx.caller, 'calendar.change')
        ? recent
        : sql`${recent}
            and (s.from_trainer = ${me?.id ?? null}::uuid or s.to_trainer = ${me?.id ?? null}::uuid)`,
    ),
  }
}

const userOf = async (ctx: Ctx, trainerId: string): Promise<string | null> =>
  (
    await sql<{
      user: string | null
    }>`select user_id as user from class_trainers where company_id = ${ctx.companyId}
        and id = ${trainerId}`.execute(ctx.tx)
  ).rows[0]?.user ?? null

export async function askSwap(
  ctx: Ctx,
  { classId, toTrainer, note }: { classId: string; toTrainer: string; note: string },
): Promise<SwapView> {
  const of = await ownClass(ctx, classId)
  if (!of.trainerId) throw fail('trainers.none')
  if (of.state !== 'planned' || new Date(of.startsAt) <= ctx.now) throw fail('kit.notFound')
  await checkRef(ctx, 'toTrainer', 'class_trainers', toTrainer, sql`archived_at is null`)
  if (toTrainer === of.trainerId) throw failField('toTrainer', 'fields.ref')
  const id = newId()
  const { rows } =
    await sql`insert into class_swaps (company_id, id, class_id, from_trainer, to_trainer, note)
      values (${ctx.companyId}, ${id}, ${classId}, ${of.trainerId}, ${toTrainer}, ${note})
    on conflict (company_id, class_id) where state in ('asked', 'accepted') do nothing returning id`.execute(
      ctx.tx,
    )
  if (!rows.length) throw fail('trainers.swapOpen')
  await ctx.audit('classSwaps.ask', 'classes', classId, undefined, { toTrainer })
  await ring(
    ctx,
    'class.swap',
    { entity: 'classes', id: classId },
    { title: of.title || of.kindName, day: of.day },
    [await userOf(ctx, toTrainer)],
  )
  return (await swapsWhere(ctx, sql`s.id = ${id}`))[0]!
}

export async function answerSwap(
  ctx: Ctx,
  { id, answer }: { id: string; answer: 'accept' | 'refuse' | 'withdraw' | 'approve' },
): Promise<SwapView> {
  const { rows } = await sql<{
    class_id: string
    from_trainer: string
    to_trainer: string
    state: string
  }>`select class_id, from_trainer, to_trainer, state from class_swaps
    where company_id = ${ctx.companyId} and id = ${id} for update`.execute(ctx.tx)
  const [of] = rows
  if (!of) throw fail('kit.notFound')
  const me = await trainerOf(ctx)
  const arranges = can(ctx.caller, 'calendar.change')
  const isHis =
    answer === 'accept'
      ? me?.id === of.to_trainer
      : answer === 'refuse'
        ? me?.id === of.to_trainer || arranges
        : answer === 'withdraw'
          ? me?.id === of.from_trainer || arranges
          : arranges
  if (!isHis)
    throw fail(
      answer === 'approve'
        ? 'session.forbidden'
        : me?.id === of.from_trainer || me?.id === of.to_trainer
          ? 'trainers.notYours'
          : 'kit.notFound',
    )
  // A person who arranges classes may approve a request that was not answered yet, on behalf of both.
  const fits = answer === 'accept' ? of.state === 'asked' : ['asked', 'accepted'].includes(of.state)
  if (!fits) throw fail('trainers.swapDecided')
  const state = { accept: 'accepted', refuse: 'refused', withdraw: 'withdrawn', approve: 'approved' }[answer]
  await sql`update class_swaps set state = ${state}, decided_at = now() where company_id = ${ctx.companyId}
      and id = ${id}`.execute(ctx.tx)
  // Taking over locks the class: it is not moved or cancelled meanwhile, and its trainer is still the one who gives it
  // away.
  if (answer === 'approve') await lockedClass(ctx, of.class_id)
  const view = await oneClass(ctx, of.class_id)
  if (answer === 'approve') {
    if (view.trainerId !== of.from_trainer || view.state !== 'planned' || new Date(view.startsAt) <= ctx.now)
      throw fail('trainers.swapDecided')
    await lockPlaced(ctx, { trainerId: of.to_trainer })
    const hits = (
      await conflictsOf(ctx, {
        day: view.day,
        at: view.at,
        minutes: view.minutes,
        trainerId: of.to_trainer,
        placeId: null,
        except: of.class_id,
        kindId: view.kindId,
      })
    ).filter(({ what }) => what === 'trainer' || what === 'away')
    if (hits.length) throw fail('classes.conflict', { name: hits[0]!.name, conflicts: JSON.stringify(hits) })
    await sql`update classes set trainer_id = ${of.to_trainer}, is_own = true, updated_at = now()
      where company_id = ${ctx.companyId} and id = ${of.class_id}`.execute(ctx.tx)
  }
  await ctx.audit('classSwaps.answer', 'classes', of.class_id, { state: of.state }, { state })
  const about = { title: view.title || view.kindName, day: view.day }
  await ring(ctx, `class.swap.${state}`, { entity: 'classes', id: of.class_id }, about, [
    await userOf(ctx, answer === 'withdraw' ? of.to_trainer : of.from_trainer),
  ])
  return (await swapsWhere(ctx, sql`s.id = ${id}`))[0]!
}

const firstOf = (month: string | undefined, today: string): string =>
  month ? `${month}-01` : `${today.slice(0, 7)}-01`

/**
 * What a trainer gave in a month and what each came to; classes that are still to be count for nothing yet.
 */
export async function monthOfTrainer(ctx: Ctx, trainerId: string, month?: string): Promise<TrainerMonth> {
  const first = firstOf(month, ctx.today)
  const { rows: who } = await sql<{
    name: string
    payBy: 'class' | 'head' | 'hour'
    agorot: number
  }>`select name, pay_by as "payBy", pay_agorot as agorot from class_trainers
    where company_id = ${ctx.companyId} and id = ${trainerId}`.execute(ctx.tx)
  if (!who[0]) throw fail('kit.notFound')
  const { payBy, agorot } = who[0]
  const { rows } = await sql<{
    id: string
    day: string
    at: string
    name: string
    minutes: number
    booked: number
    came: number
  }>`select c.id, c.day,
      to_char(c.starts_at at time zone 'Asia/Jerusalem', 'HH24:MI') as at,
      coalesce(nullif(c.title, ''), k.name) as name, (extract(epoch from c.ends_at - c.starts_at) / 60)::int
      as minutes,
      count(b.id) filter (where b.state in ('booked', 'came', 'missed'))::int as booked,
      count(b.id) filter (where b.state = 'came')::int as came
    from classes c join class_kinds k on k.company_id = c.company_id and k.id = c.kind_id left
    join class_bookings b on b.company_id = c.company_id and b.class_id = c.id
    where c.company_id = ${ctx.companyId} and c.trainer_id = ${trainerId} and c.state <> 'cancelled'
      and c.ends_at <= ${ctx.now.toISOString()} and c.day between ${first} and ${endOfMonth(first)}
    group by c.id, c.day, c.starts_at, c.ends_at, k.name, c.title order by c.starts_at, c.id`.execute(ctx.tx)
  const sees = !ctx.caller.hideTotalPrices || can(ctx.caller, 'calendar.pay')
  const pays = rows.map((one) => ({ ...one, payAgorot: payOf({ by: payBy, agorot }, one) }))
  const { rows: sheets } = await sql<{
    expenseId: string | null
    agorot: number
  }>`select expense_id as "expenseId", agorot from trainer_sheets
    where company_id = ${ctx.companyId} and trainer_id = ${trainerId} and month = ${first}`.execute(ctx.tx)
  return {
    trainerId,
    trainerName: who[0].name,
    month: first.slice(0, 7),
    rows: pays.map((one) => ({ ...one, payAgorot: sees ? one.payAgorot : null })),
    classes: rows.length,
    came: rows.reduce((sum, { came }) => sum + came, 0),
    payAgorot: sees ? pays.reduce((sum, one) => sum + one.payAgorot, 0) : null,
    payBy,
    rateAgorot: sees ? agorot : null,
    sheet: sheets[0] ? { expenseId: sheets[0].expenseId, agorot: sees ? sheets[0].agorot : null } : null,
  }
}

export async function listSheets(ctx: Ctx, { month }: { month?: string | undefined }) {
  const first = firstOf(month, ctx.today)
  const { rows } = await sql<{
    id: string
  }>`select t.id from class_trainers t where t.company_id = ${ctx.companyId}
      and (t.archived_at is null or exists (select 1 from classes c
    where c.company_id = t.company_id and c.trainer_id = t.id and c.day between ${first}
      and ${endOfMonth(first)})) order by t.name, t.id limit 200`.execute(ctx.tx)
  const sheets: Omit<TrainerMonth, 'rows'>[] = []
  for (const { id } of rows) {
    const { rows: _, ...sums } = await monthOfTrainer(ctx, id, first.slice(0, 7))
    sheets.push(sums)
  }
  return { month: first.slice(0, 7), rows: sheets }
}

/** A month that is over becomes a draft of the trainer's bill, once: the key of the sheet says so. */
export async function makeSheet(
  ctx: Ctx,
  { trainerId, month }: { trainerId: string; month: string },
): Promise<{ expenseId: string; agorot: number }> {
  const first = `${month}-01`
  if (endOfMonth(first) >= ctx.today) throw failField('month', 'trainers.monthOpen')
  const { rows: who } = await sql<{
    supplier: string | null
    name: string
  }>`select supplier_id as supplier, name from class_trainers
    where company_id = ${ctx.companyId} and id = ${trainerId} for update`.execute(ctx.tx)
  if (!who[0]) throw fail('kit.notFound')
  if (!who[0].supplier) throw fail('trainers.needsSupplier', { name: who[0].name })
  const of = await monthOfTrainer(ctx, trainerId, month)
  if (of.sheet) throw fail('trainers.sheetMade')
  const agorot = of.payAgorot ?? 0
  if (agorot <= 0) throw fail('trainers.nothingDue')
  const expense = await createExpense(ctx, {
    draft: true,
    supplierId: who[0].supplier,
    date: endOfMonth(first),
    details: `${String(monthOf(first)).padStart(2, '0')}/${first.slice(0, 4)}`,
    lines: [{ typeId: await typeByKey(ctx, 'subcontractors'), netAgorot: agorot, vatAgorot: 0 }],
    means: 'onCredit',
    dueDate: endOfMonth(addMonths(first, 1)),
  } as never)
  await sql`insert into trainer_sheets (company_id, trainer_id, month, classes, agorot, expense_id,
      created_by)
    values (${ctx.companyId}, ${trainerId}, ${first}, ${of.classes}, ${agorot}, ${expense.id},
      ${ctx.caller.userId})`.execute(ctx.tx)
  await ctx.audit('trainerPay.make', 'classTrainers', trainerId, undefined, { month, agorot })
  return { expenseId: expense.id, agorot }
}
