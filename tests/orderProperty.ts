import fc from 'fast-check'
import { sql } from 'kysely'
import { expect, vi } from 'vitest'
import { approve, reject } from '#features/base/approvals/endpoints.ts'
import { revokeKey } from '#features/open/apiKeys/endpoints.ts'
import { asked, newScene, type Scene } from './limits.ts'
import { ways, type Way } from './orders.ts'
import { Refused, type World } from './world.ts'

/*
 * Somebody orders what happens later, their rights change, then the machine acts. What happened is within the limits of
 * the order's moment and of today; everything else waits or is refused, and approved it happens once.
 */

/** What a person or a key is held to, in words of the test; null: not limited. */
interface Limits {
  mayOrder: boolean
  isHere: boolean
  draftsOnly: boolean
  sumLimit: number | null
  chargeLimit: number | null
  docs: number[]
}

const free: Limits = {
  mayOrder: true,
  isHere: true,
  draftsOnly: false,
  sumLimit: null,
  chargeLimit: null,
  docs: [],
}

/** The model, as the rule is explained to people: nothing of it comes from the program. */
function allows(way: Way, now: Limits): boolean {
  return (
    now.isHere &&
    now.mayOrder &&
    !now.draftsOnly &&
    (now.sumLimit === null || way.agorot <= now.sumLimit) &&
    (!way.charges || now.chargeLimit === null || way.agorot <= now.chargeLimit) &&
    (way.documentType === undefined || now.docs.length === 0 || now.docs.includes(way.documentType))
  )
}

type Change =
  | 'none'
  | 'removed'
  | 'blocked'
  | 'rightLost'
  | 'chargeLimit'
  | 'docs'
  | 'keyRevoked'
  | 'keyDrafts'
  | 'keySumLimit'
  | 'keyRight'

export interface Case {
  way: string
  who: 'owner' | 'worker' | 'key' | 'keyOfWorker'
  /** Whether the worker has all rights or just what the order needs. */
  isWide: boolean
  limit: number | null
  chargeLimit: number | null
  docs: 'all' | 'with' | 'without'
  changes: Change[]
  newLimit: number
  decision: 'approve' | 'reject'
}

// Around what the ways come to (30,000 and 50,000), on both sides and exactly.
const amounts = fc.constantFrom(1, 29_999, 30_000, 49_999, 50_000, 50_001, 1_000_000)

export const cases: fc.Arbitrary<Case> = fc.record({
  way: fc.constantFrom(...Object.keys(ways)),
  who: fc.constantFrom('owner', 'worker', 'key', 'keyOfWorker'),
  isWide: fc.boolean(),
  limit: fc.option(amounts, { freq: 2 }),
  chargeLimit: fc.option(amounts, { freq: 2 }),
  docs: fc.constantFrom('all', 'with', 'without'),
  changes: fc.array(
    fc.constantFrom<Change>(
      'none',
      'removed',
      'blocked',
      'rightLost',
      'chargeLimit',
      'docs',
      'keyRevoked',
      'keyDrafts',
      'keySumLimit',
      'keyRight',
    ),
    { maxLength: 2 },
  ),
  newLimit: amounts,
  decision: fc.constantFrom('approve', 'reject'),
})

interface Principal {
  token: string
  userId?: string
  keyId?: string
  limits: Limits
}

async function principalOf(
  scene: Scene,
  way: Way,
  { who, isWide, limit, chargeLimit, docs }: Case,
): Promise<Principal> {
  // Types are limited where the order itself issues a document.
  const types =
    way.documentType === undefined || docs === 'all'
      ? []
      : docs === 'with'
        ? [way.documentType, 8, 1]
        : [8, 1]
  if (who === 'owner') return { token: scene.shop.token, limits: free }
  const worker = async () => {
    const rules = isWide || way.rules.includes('*') ? undefined : [way.rule, ...way.rules]
    return scene.worker({
      ...(rules && who === 'worker' ? { rules } : {}),
      ...(chargeLimit === null ? {} : { chargeLimitAgorot: chargeLimit }),
      ...(who === 'worker' ? { docsAllow: types } : {}),
    })
  }
  const key = { ...(limit === null ? {} : { sumLimitAgorot: limit }), docsAllow: types }
  if (who === 'worker') {
    const { token, userId } = await worker()
    return { token, userId, limits: { ...free, chargeLimit, docs: types } }
  }
  if (who === 'key') {
    const { secret, id } = await scene.newKey(key)
    return { token: secret, keyId: id, limits: { ...free, sumLimit: limit, docs: types } }
  }
  const { token, userId } = await worker()
  const { secret, id } = await scene.newKey(key, { token })
  return {
    token: secret,
    userId,
    keyId: id,
    limits: { ...free, sumLimit: limit, chargeLimit, docs: types },
  }
}

/** Changes the rights behind the screens; answers what holds then. */
async function change(
  world: World,
  scene: Scene,
  way: Way,
  what: Change,
  to: number,
  { userId, keyId, limits }: Principal,
): Promise<Limits> {
  const member = (set: ReturnType<typeof sql>) => scene.changeMember(userId!, set)
  const key = (set: ReturnType<typeof sql>) =>
    asked(
      world,
      sql`update api_keys set ${set} where company_id = ${scene.companyId} and id = ${keyId} returning 1`,
    )
  const others = [8, 1]
  if (userId !== undefined) {
    if (what === 'removed') {
      await member(sql`removed_at = now()`)
      return { ...limits, isHere: false }
    }
    if (what === 'blocked') {
      await member(sql`blocked_at = now()`)
      return { ...limits, isHere: false }
    }
    if (what === 'rightLost') {
      await member(sql`rules = '{46}'`)
      return { ...limits, mayOrder: false }
    }
    if (what === 'chargeLimit') {
      await member(sql`charge_limit_agorot = ${to}`)
      return { ...limits, chargeLimit: to }
    }
    if (what === 'docs' && way.documentType !== undefined) {
      await member(sql`docs_allow = ${others}::int[]`)
      return { ...limits, docs: others }
    }
  }
  if (keyId !== undefined) {
    if (what === 'keyRevoked') {
      await scene.shop.call(revokeKey, { id: keyId })
      return { ...limits, isHere: false }
    }
    if (what === 'keyDrafts') {
      await key(sql`drafts_only = true`)
      return { ...limits, draftsOnly: true }
    }
    if (what === 'keySumLimit') {
      await key(sql`sum_limit_agorot = ${to}`)
      return { ...limits, sumLimit: to }
    }
    if (what === 'keyRight') {
      await key(sql`rules = '{46}'`)
      return { ...limits, mayOrder: false }
    }
  }
  return limits
}

/** Lives one case through; throws where a law is broken. */
export async function liveCase(world: World, at: { time: Date }, start: Date, one: Case): Promise<string> {
  at.time = start
  const scene = await newScene(world)
  const way = await ways[one.way]!({ world, scene, at })
  const principal = await principalOf(scene, way, one)
  const before = principal.limits
  try {
    await way.order(principal.token)
  } catch (e) {
    // Refused as it was asked: nothing of it may be there.
    if (!(e instanceof Refused) || e.status >= 500) throw e
    expect(await way.count()).toBe(0)
    expect(await scene.waiting()).toEqual([])
    return 'refused'
  }
  for (const what of one.changes)
    principal.limits = await change(world, scene, way, what, one.newLimit, principal)
  const isAllowed = allows(way, before) && allows(way, principal.limits)
  await way.act()
  await way.act()
  if (isAllowed) {
    await vi.waitFor(async () => expect(await way.count()).toBe(1))
    expect(await scene.waiting()).toEqual([])
    return 'happened'
  }
  expect(await way.count()).toBe(0)
  const waiting = await scene.waiting()
  expect(waiting.map(({ kind }) => kind)).toEqual([way.kind])
  const { id } = waiting[0]!
  if (one.decision === 'reject') {
    await scene.shop.call(reject, { id, reason: '' })
    await way.act()
    expect(await way.count()).toBe(0)
    expect(await scene.waiting()).toEqual([])
    return 'rejected'
  }
  await scene.shop.call(approve, { id })
  await way.act()
  await vi.waitFor(async () => expect(await way.count()).toBe(1))
  await way.act()
  expect(await way.count()).toBe(1)
  expect(await scene.waiting()).toEqual([])
  await expect(scene.shop.call(approve, { id })).rejects.toThrow('409 approvals.over')
  return 'approved'
}
