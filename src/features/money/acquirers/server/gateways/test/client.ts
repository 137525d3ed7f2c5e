import { createHmac, randomInt, timingSafeEqual } from 'node:crypto'
import { sql } from 'kysely'
import { asCaller, systemCaller, type App, type Ctx } from '#kit/server/context.ts'
import { newToken } from '#kit/server/rights/vault.ts'
import {
  AcquirerAway,
  type Acquirer,
  type Answer,
  type Deal,
  type GivenBack,
  type SavedCard,
} from '../../door.ts'
import { name, textOf, type Reads } from '../../foreign.ts'
import type { Gateway } from '../../gateway.ts'
import type { TestDeed } from './cards.ts'
import { isOver, testChargeByKey, testChargeOf, type TestCharge } from './charges.ts'

/*
 * An acquirer that moves no money, behind the same interface as a real one: a hosted form (a page of this server), a
 * signed notice some time after, the status when it is requested, refunds under a key. What it does depends on the
 * number of the card.
 */

/**
 * For tests. outage: nothing answers while it is set. mute: the request is carried out, and the answer is lost.
 */
export const simulated = { outage: false, mute: false }

const inside = async <T>(app: App, companyId: string, work: (ctx: Ctx) => Promise<T>): Promise<T> => {
  if (simulated.outage) throw new AcquirerAway('HTTP 503', false)
  const answer = await asCaller(app, systemCaller(companyId), '', work)
  if (simulated.mute) throw new AcquirerAway('timeout')
  return answer
}

const sign = (secret: string, reference: string, event: string, at: string): string =>
  createHmac('sha256', secret).update(`${reference}.${event}.${at}`).digest('hex')

/** As it would come over the wire; for the job that delivers it, and for tests. */
export const signedNotice = (secret: string, reference: string, at: Date) => ({
  reference,
  event: 'paid',
  at: at.toISOString(),
  signature: sign(secret, reference, 'paid', at.toISOString()),
})

/** Why a test card is declined, as a real one would be. */
const classes = { noFunds: 'soft', declined: 'hard' } as const

/** Deals of tokens whose answer is dropped. */
const muted = new Set<string>()

const dealOf = (charge: TestCharge): Deal => ({
  uid: charge.reference,
  agorot: charge.amount_agorot,
  currency: 'ILS',
  key: charge.merchant_key,
  brand: charge.brand,
  last4: charge.last4,
  instalments: charge.instalments ?? 1,
  approval: charge.approval,
})

const cardOf = ({ token, brand, last4, expiry, approval, reference }: TestCharge): SavedCard | undefined =>
  token ? { token, brand, last4, expiry, approval, uid: reference } : undefined

/** What money that went back is known by. */
const backUid = (key: string): string => `R${key.replaceAll('-', '').slice(-12)}`

const connect = (app: App, companyId: string, secret: string): Acquirer => ({
  page: {
    open: (order) =>
      inside(app, companyId, async (ctx) => {
        await sql`insert into test_charges (company_id, reference, merchant_key, amount_agorot, deed,
            keeps_card, most_instalments, description, language,
            return_to, expires_at)
          values (${companyId}, ${`T${newToken().slice(0, 22)}`}, ${order.key.text}, ${order.agorot},
            ${order.deed}, ${order.keepsCard},
            ${order.mostInstalments}, ${order.description}, ${order.language}, ${order.returnTo},
            ${order.lapsesAt}) on conflict (company_id, merchant_key) do nothing`.execute(ctx.tx)
        const { rows } = await sql<{ reference: string }>`select reference from test_charges
          where company_id = ${companyId} and merchant_key = ${order.key.text}`.execute(ctx.tx)
        const { reference } = rows[0]!
        return { reference, url: `${app.publicUrl()}/testcard/${reference}` }
      }),
    ask: (reference) =>
      inside(app, companyId, async (ctx): Promise<Answer> => {
        const charge = await testChargeOf(ctx, reference)
        const card = cardOf(charge)
        if (charge.state === 'saved')
          return card ? { is: 'saved', card, key: charge.merchant_key } : { is: 'closed' }
        if (charge.state === 'paid' || charge.state === 'held')
          return { is: charge.state, ...dealOf(charge), card }
        if (charge.state === 'closed' || isOver(charge, ctx.now)) return { is: 'closed' }
        if (charge.state !== 'declined') return { is: 'open' }
        return { is: 'declined', code: charge.code, class: classes[charge.code as keyof typeof classes] }
      }),
    close: (reference) =>
      inside(app, companyId, async (ctx) => {
        await sql`update test_charges set state = 'closed' where company_id = ${companyId}
            and reference = ${reference} and state <> 'paid'`.execute(ctx.tx)
      }),
  },
  cards: {
    charge: (card, order) =>
      inside(app, companyId, async (ctx): Promise<Answer> => {
        const { rows } = await sql<{
          deed: TestDeed
          brand: string
          last4: string
        }>`select deed, brand, last4 from test_tokens
          where company_id = ${companyId} and token = ${card.token}`.execute(ctx.tx)
        const [kept] = rows
        if (!kept) return { is: 'declined', code: 'noToken', class: 'hard' }
        if (kept.deed === 'decline' || kept.deed === 'noFunds') {
          const code = kept.deed === 'decline' ? 'declined' : 'noFunds'
          return { is: 'declined', code, class: classes[code] }
        }
        await sql`insert into test_charges (company_id, reference, merchant_key, amount_agorot, deed,
            most_instalments, description, language, return_to,
            state, brand, last4, instalments, approval, refuses_refunds, expires_at)
          values (${companyId}, ${`T${newToken().slice(0, 22)}`}, ${order.key.text}, ${order.agorot},
            ${order.deed}, ${order.instalments},
            ${order.description || '-'}, 'he', '', ${order.deed === 'hold' ? 'held' : 'paid'}, ${kept.brand},
            ${kept.last4}, ${order.instalments},
            ${String(randomInt(100_000, 999_999))}, ${kept.deed === 'noRefund'},
            ${new Date(ctx.now.getTime() + 7 * 86_400_000)})
          on conflict (company_id, merchant_key) do nothing`.execute(ctx.tx)
        const charge = (await testChargeByKey(ctx, order.key.text))!
        // Charged, without a notice.
        if (kept.deed === 'timeout' || kept.deed === 'lost') muted.add(charge.reference)
        return { is: order.deed === 'hold' ? 'held' : 'paid', ...dealOf(charge) }
      }).then((answer) => {
        if ('uid' in answer && muted.delete(answer.uid)) throw new AcquirerAway('timeout')
        return answer
      }),
    check: (card) =>
      inside(app, companyId, async (ctx) => {
        const { rows } = await sql`select 1 from test_tokens where company_id = ${companyId}
              and token = ${card.token}`.execute(ctx.tx)
        return rows.length > 0
      }),
    forget: (card) =>
      inside(app, companyId, async (ctx) => {
        await sql`delete from test_tokens where company_id = ${companyId} and token = ${card.token}`.execute(
          ctx.tx,
        )
      }),
  },
  holds: {
    capture: ({ uid }, agorot, key) =>
      inside(app, companyId, async (ctx): Promise<Answer> => {
        const charge = await testChargeOf(ctx, uid, true)
        if (charge.state !== 'held' || agorot > charge.amount_agorot)
          return { is: 'declined', code: 'notHeld', class: 'hard' }
        await sql`update test_charges set state = 'paid', amount_agorot = ${agorot}
          where company_id = ${companyId} and reference = ${uid}`.execute(ctx.tx)
        return { is: 'paid', ...dealOf({ ...charge, amount_agorot: agorot }), key: key.text }
      }),
    release: ({ uid }) =>
      inside(app, companyId, async (ctx): Promise<GivenBack> => {
        const { numAffectedRows } = await sql`update test_charges set state = 'released'
          where company_id = ${companyId} and reference = ${uid} and state in ('held', 'released')`.execute(
          ctx.tx,
        )
        return numAffectedRows ? { is: 'done', uid } : { is: 'refused', code: 'notHeld' }
      }),
  },
  byReference: ({ key }) =>
    inside(app, companyId, async (ctx): Promise<Answer> => {
      const charge = await testChargeByKey(ctx, key.text)
      return charge && (charge.state === 'paid' || charge.state === 'held')
        ? { is: charge.state, ...dealOf(charge) }
        : { is: 'none' }
    }),
  day: (day) =>
    inside(app, companyId, async (ctx) => {
      const { rows } =
        await sql<TestCharge>`select * from test_charges where company_id = ${companyId} and state = 'paid'
        and (created_at at time zone 'Asia/Jerusalem')::date = ${day} order by created_at`.execute(ctx.tx)
      return rows.flatMap((charge) => [
        dealOf(charge),
        ...Object.entries(charge.given_back).map(([key, agorot]) => ({
          ...dealOf(charge),
          uid: backUid(key),
          agorot: -agorot,
        })),
      ])
    }),
  giveBack: {
    once: true,
    do: ({ uid }, agorot, { text: key }) =>
      inside(app, companyId, async (ctx): Promise<GivenBack> => {
        const charge = await testChargeOf(ctx, uid, true)
        const done = { is: 'done', uid: backUid(key) } as const
        if (charge.given_back[key] !== undefined) return done
        const before = Object.values(charge.given_back).reduce((sum, one) => sum + one, 0)
        if (charge.state !== 'paid' || before + agorot > charge.amount_agorot)
          return { is: 'refused', code: 'tooMuch' }
        if (charge.refuses_refunds) return { is: 'refused', code: 'refused' }
        await sql`update test_charges
          set given_back = given_back || ${JSON.stringify({ [key]: agorot })}::jsonb
          where company_id = ${companyId} and reference = ${uid}`.execute(ctx.tx)
        return done
      }),
  },
  readNotice: ({ brought }) => {
    const [reference, event, at] = [brought.says('reference'), brought.says('event'), brought.says('at')]
    const signature = brought.says('signature')
    if (!reference || !event || !at || !signature) return undefined
    const wanted = Buffer.from(sign(secret, reference, event, at))
    const given = Buffer.from(signature)
    return wanted.length === given.length && timingSafeEqual(wanted, given) ? { reference } : undefined
  },
})

const reads: Reads = {
  returned: 'nothing',
  notice: {
    reference: { like: name },
    event: { like: name },
    at: { like: textOf(40) },
    signature: { like: name },
  },
}

export const testGateway: Gateway = {
  name: 'test',
  instalments: true,
  settings: [],
  currencies: ['ILS'],
  isTest: true,
  reads,
  home: () => '',
  connect: ({ app, companyId, settings }) => connect(app, companyId, settings.secret ?? ''),
}
