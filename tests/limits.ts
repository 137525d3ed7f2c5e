import { sql } from 'kysely'
import { allRules } from '#kit/describe/session.ts'
import { asSystem } from '#kit/server/data/db.ts'
import { listApprovals } from '#features/base/approvals/endpoints.ts'
import { switchCompany } from '#features/base/companies/endpoints.ts'
import { mySession } from '#features/base/session/endpoints.ts'
import { addTerminal } from '#features/money/acquirers/endpoints.ts'
import { sweep as askAcquirers } from '#features/money/acquirers/server/sweep.ts'
import { bringCard } from '#features/money/savedCards/endpoints.ts'
import { sweep as serveOrders } from '#features/money/standingOrders/server/sweep.ts'
import { makeKey } from '#features/open/apiKeys/endpoints.ts'
import { newBusiness, type Business, type World } from './world.ts'

/** What a person or a key of a business is held to in a test; nothing is said for what is not limited. */
export interface Held {
  /** Names of rights; all of them where absent. */
  rules?: readonly string[]
  docsAllow?: number[]
  chargeLimitAgorot?: number
  refundLimitAgorot?: number
}

/** A business with a customer, a test terminal and a card that was kept, and the people and keys that work in it. */
export interface Scene {
  shop: Business
  companyId: string
  customerId: string
  cardId: string
  worker: (held?: Held) => Promise<{ token: string; userId: string }>
  newKey: (
    more?: Partial<{ draftsOnly: boolean; readOnly: boolean; docsAllow: number[]; sumLimitAgorot: number }>,
    by?: { token: string },
  ) => Promise<{ secret: string; id: string }>
  charges: () => Promise<{ state: string; agorot: number; currency: string }[]>
  papers: () => Promise<{ type: number; agorot: number }[]>
  waiting: () => Promise<
    { id: string; kind: string; why: string; effect: string; amountAgorot: number | null; title: string }[]
  >
  /** Changes a member of the business behind the screens. */
  changeMember: (userId: string, set: ReturnType<typeof sql>) => Promise<void>
}

export const asked = async <T>(world: World, text: ReturnType<typeof sql<T>>): Promise<T[]> =>
  (await asSystem(world.app.db, (tx) => text.execute(tx))).rows

const ruleIds = (names: readonly string[]): number[] => names.map((name) => allRules().get(name)!)

/** Everything that happens later, until nothing more does; `at` is the clock of the world. */
export async function liveOn(world: World, at: { time: Date }, rounds = 3): Promise<void> {
  for (let i = 0; i < rounds; i++) {
    await serveOrders(world.app)
    await world.worker.drain()
    await askAcquirers(world.app)
    at.time = new Date(at.time.getTime() + 120_000)
  }
}

export async function newScene(world: World): Promise<Scene> {
  const shop = await newBusiness(world)
  const { companyId } = await shop.call(mySession, {})
  const customerId = (await shop.customer('נעמה ברק', { email: 'naama@example.com' })).id
  await shop.call(addTerminal, { gateway: 'test' })
  const token = crypto.randomUUID()
  await asked(
    world,
    sql`insert into test_tokens (company_id, token, deed, brand, last4, expiry)
      values (${companyId}, ${token}, 'approve', 'visa', '4242', '2040-12') returning 1`,
  )
  const card = { customerId, token, expiry: '2040-12', last4: '4242', brand: 'visa', consent: 'טופס' }
  const { id: cardId } = await shop.call(bringCard, card)
  return {
    shop,
    companyId,
    customerId,
    cardId,
    async worker({ rules, docsAllow = [], chargeLimitAgorot, refundLimitAgorot } = {}) {
      const mate = await newBusiness(world)
      const [member] = await asked(
        world,
        sql<{ id: string }>`insert into memberships (company_id, user_id, type_id, rules, docs_allow,
            charge_limit_agorot, refund_limit_agorot)
          select ${companyId}, id, 9, ${rules ? ruleIds(rules) : []}::int[], ${docsAllow}::int[],
            ${chargeLimitAgorot ?? null}, ${refundLimitAgorot ?? null}
          from users where email = ${mate.email} returning user_id as id`,
      )
      await mate.call(switchCompany, { id: companyId })
      return { token: mate.token, userId: member!.id }
    },
    async newKey(more = {}, by = { token: shop.token }) {
      const made = await shop.call(
        makeKey,
        {
          name: 'חנות',
          readOnly: false,
          draftsOnly: false,
          rules: [],
          docsAllow: [],
          sumLimitAgorot: null,
          expiresOn: null,
          ...more,
        },
        by,
      )
      return { secret: made.secret, id: made.key.id }
    },
    charges: () =>
      asked(
        world,
        sql`select state, amount_agorot as agorot, currency from charges where company_id = ${companyId}
          order by created_at`,
      ),
    papers: () =>
      asked(
        world,
        sql`select type, total_agorot as agorot from documents where company_id = ${companyId}
          and status <> 'draft' order by created_at`,
      ),
    waiting: async () => (await shop.call(listApprovals, { state: 'waiting' })).rows,
    changeMember: async (userId, set) =>
      void (await asked(
        world,
        sql`update memberships set ${set} where company_id = ${companyId} and user_id = ${userId} returning 1`,
      )),
  }
}
