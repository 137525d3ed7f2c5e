import { sql } from 'kysely'
import { addDays } from '#domain/day.ts'
import { newId, type Ctx } from '#kit/server/context.ts'
import { create } from '#kit/server/described/resources.ts'
import { hear } from '#features/people/contacts/server/index.ts'
import { move } from './actions.ts'
import { oneCard } from './cards.ts'
import { takeIn, type Source } from './intake.ts'
import { served, settle } from './served.ts'
import { kindsOf, setKindFields, stagesOf } from './stages.ts'
import { saveRule } from './transfer.ts'

interface Told {
  name: string
  company?: string
  phone: string
  city: string
  source: number
  stage: number
  sum?: number
  next?: [days: number, text: string]
  reason?: string
  ago: number
  message: string
}

const told: Told[] = [
  {
    name: 'קריית מוזיקה',
    company: 'קריית מוזיקה · 12 כיתות',
    phone: '04-8123456',
    city: 'חיפה',
    source: 0,
    stage: 0,
    sum: 4_860_000,
    next: [0, 'לחזור היום'],
    ago: 0,
    message: 'צריך הצעה לתאורה ל־12 כיתות',
  },
  {
    name: 'רונית אשל',
    phone: '052-3314470',
    city: 'עכו',
    source: 1,
    stage: 0,
    sum: 340_000,
    next: [1, 'לתאם ביקור'],
    ago: 1,
    message: 'המלצה של מוסך הציר הירוק',
  },
  {
    name: 'Blue Fig Hosting',
    phone: '03-5550142',
    city: 'תל אביב',
    source: 2,
    stage: 0,
    sum: 3_420_000,
    ago: 0,
    message: 'Request for a quote: UPS room wiring',
  },
  {
    name: 'מאפיית שיפון הגליל',
    phone: '04-9881203',
    city: 'כרמיאל',
    source: 1,
    stage: 1,
    sum: 2_730_000,
    next: [1, 'לשלוח הצעה'],
    ago: 4,
    message: 'חיבור תלת־פאזי לתנור',
  },
  {
    name: 'ועד בית האלה 14',
    phone: '054-7712098',
    city: 'נהריה',
    source: 0,
    stage: 1,
    sum: 5_000_000,
    next: [-2, 'לחזור לוועד'],
    ago: 9,
    message: 'עמדות טעינה לחניון',
  },
  {
    name: 'חוות הסוסים עמק הדס',
    phone: '050-4456612',
    city: 'יוקנעם',
    source: 0,
    stage: 2,
    sum: 3_840_000,
    next: [2, 'ההצעה נצפתה'],
    ago: 6,
    message: 'תאורת חצר ואורוות',
  },
  {
    name: 'סטודיו תכלת־שבע',
    phone: '052-9087713',
    city: 'חיפה',
    source: 3,
    stage: 2,
    sum: 980_000,
    next: [0, 'שיחה'],
    ago: 7,
    message: 'תאורה לסטודיו צילום',
  },
  {
    name: 'מוסך הציר הירוק',
    phone: '04-8410098',
    city: 'חיפה',
    source: 1,
    stage: 2,
    sum: 2_465_000,
    next: [-6, 'לא נענתה'],
    ago: 14,
    message: 'לוח חדש למוסך',
  },
  {
    name: 'קייטרינג שבעת המינים',
    phone: '053-6612204',
    city: 'עכו',
    source: 2,
    stage: 3,
    sum: 3_120_000,
    next: [2, 'מבקשים תנאי שוטף + 60'],
    ago: 11,
    message: 'מטבח תעשייתי חדש',
  },
  {
    name: 'גן הילדים פעמוני הכרם',
    phone: '054-2208871',
    city: 'כרמיאל',
    source: 0,
    stage: 3,
    sum: 1_120_000,
    next: [6, 'ממתין לאישור הוועד'],
    ago: 12,
    message: 'ביקורת ותיקונים',
  },
  {
    name: 'דפוס קו נקי',
    phone: '04-8667120',
    city: 'חיפה',
    source: 3,
    stage: 5,
    sum: 1_450_000,
    reason: 'הלכו למתחרה · מחיר',
    ago: 20,
    message: 'העברת לוח',
  },
]

/**
 * The leads of a demo business: sources with their costs, a kind with custom fields, a rule, and leads in every
 * stage.
 */
export async function showLeads(ctx: Ctx): Promise<void> {
  const stages = await stagesOf(ctx)
  const kindId = newId()
  await sql`insert into lead_kinds (company_id, id, name)
    values (${ctx.companyId}, ${kindId}, 'התקנה')`.execute(ctx.tx)
  await setKindFields(ctx, {
    id: kindId,
    fields: [
      { name: 'שטח במ״ר', kind: 'number', choices: [], needed: false },
      {
        name: 'סוג המבנה',
        kind: 'choice',
        choices: ['דירה', 'בית פרטי', 'עסק', 'מבנה ציבור'],
        needed: false,
      },
      { name: 'תלת־פאזי', kind: 'flag', choices: [], needed: false },
    ],
  })
  const fields = (await kindsOf(ctx))[0]!.fields
  const sources: Source[] = []
  for (const [name, channel, cost] of [
    ['טופס באתר', 'form', 45_000],
    ['המלצות', 'hand', 0],
    ['דואר', 'mail', 0],
    ['קמפיין חורף', 'link', 120_000],
  ] as const) {
    const id = newId()
    await sql`insert into lead_sources (company_id, id, name, channel, cost_month_agorot, kind_id, campaign)
      values (${ctx.companyId}, ${id}, ${name}, ${channel}, ${cost}, ${channel === 'form' ? kindId : null},
        ${channel === 'link' ? 'winter' : ''})`.execute(ctx.tx)
    sources.push({
      id,
      name,
      channel,
      campaign: '',
      kind_id: channel === 'form' ? kindId : null,
      owner_id: null,
    })
  }
  const category = async (name: string, parentId: string | null = null) => {
    const id = newId()
    await sql`insert into categories (company_id, id, kind, name, parent_id)
      values (${ctx.companyId}, ${id}, 'leads', ${name}, ${parentId})`.execute(ctx.tx)
    return id
  }
  const works = await category('עבודות חשמל')
  const lines = [
    await category('בתים', works),
    await category('עסקים', works),
    await category('תחזוקה שוטפת'),
  ]
  const { rows: mates } = await sql<{
    id: string
  }>`select id from agents where company_id = ${ctx.companyId} order by name limit 3`.execute(ctx.tx)
  await saveRule(ctx, {
    name: 'צפון, לפי תור',
    isOn: true,
    sourceId: null,
    kindId: null,
    cities: ['חיפה', 'עכו', 'כרמיאל', 'נהריה'],
    how: 'turn',
    people: mates.map(({ id }) => id),
  })
  for (const [n, one] of told.entries()) {
    const source = sources[one.source]!
    const row = (await create(ctx, served, {
      name: one.name,
      company: one.company ?? '',
      phone: one.phone,
      city: one.city,
      sourceId: source.id,
      kindId: source.kind_id,
      categoryId: lines[one.company ? 1 : n % 3],
      ownerId: mates[n % Math.max(1, mates.length)]?.id ?? ctx.caller.userId,
      sumAgorot: one.sum ?? null,
      nextDay: one.next ? addDays(ctx.today, one.next[0]) : null,
      nextText: one.next?.[1] ?? '',
      own: source.kind_id ? { [fields[0]!.id]: 60 + 20 * n } : {},
    })) as Record<string, unknown>
    await settle(ctx, row)
    const id = String(row.id)
    const came = new Date(ctx.now.getTime() - one.ago * 86_400_000 - 2 * 3_600_000)
    await hear(ctx, {
      leadId: id,
      channel: source.channel === 'mail' ? 'mail' : source.channel === 'hand' ? 'call' : 'form',
      direction: 'in',
      text: one.message,
      at: came,
    })
    for (let stage = 1; stage <= Math.min(one.stage, 3); stage++)
      await move(ctx, {
        id,
        version: (await oneCard(ctx, id)).version,
        stageId: stages[stage]!.id,
        afterId: null,
        beforeId: null,
      })
    if (one.reason)
      await move(ctx, {
        id,
        version: (await oneCard(ctx, id)).version,
        stageId: stages[5]!.id,
        afterId: null,
        beforeId: null,
        reason: one.reason,
      })
    await sql`update leads set created_at = ${came.toISOString()},
        stage_at = ${new Date(came.getTime() + 43_200_000).toISOString()}, first_answer_at = case
        when ${one.stage > 0} then ${new Date(came.getTime() + 4_320_000).toISOString()}::timestamptz end
      where company_id = ${ctx.companyId} and id = ${id}`.execute(ctx.tx)
  }
  const doubtful = {
    name: 'Robert',
    phone: '',
    email: 'robert@example.com',
    company: '',
    city: '',
    message: 'We offer SEO services, first page of Google',
    campaign: '',
    own: {},
  }
  await takeIn(ctx, sources[0]!, doubtful, { address: '192.0.2.7', state: 'toCheck', doubts: ['phrases'] })
}
