import { AsyncLocalStorage } from 'node:async_hooks'
import type { Logger } from 'pino'
import { sql } from 'kysely'
import { v7 as uuidv7 } from 'uuid'
import { dayInJerusalem, type Day } from '#domain/day.ts'
import type { Rights } from '#kit/describe/session.ts'
import { brandOfBusiness, asBusiness } from './work/threads/currentBusiness.ts'
import { inCompany, type Database, type Frame, type Tx } from './data/db.ts'
import { telling, toldBy } from './data/events.ts'
import type { Order, OwnEffect } from './rights/order.ts'
import type { KeyPair } from './seal/certificates.ts'
import type { Secrets, Settings } from './settings.ts'

/** Ids that a piece of work makes; the one at `at` is `id`. */
interface KnownIds {
  at: number
  id: string
  made: string[]
}
const knownIds = new AsyncLocalStorage<KnownIds>()

/** Runs work whose new id number `at` is known beforehand, and answers all it made: for records that documentation names. */
export async function withKnownId<T>(id: string, at: number, work: () => Promise<T>): Promise<[T, string[]]> {
  const known: KnownIds = { at, id, made: [] }
  return [await knownIds.run(known, work), known.made]
}

/** A new id: sorted by time, made here, never by the database. */
export function newId(): string {
  const known = knownIds.getStore()
  if (!known) return uuidv7()
  const id = known.made.length === known.at ? known.id : uuidv7()
  known.made.push(id)
  return id
}

/** The running application: what stays the same for every call. */
export interface App {
  settings: Settings
  secrets: Secrets
  db: Database
  log: Logger
  /** The address people reach us at, for links in mails and on paper. */
  publicUrl: () => string
  /** Tells the worker that there is something to do now. */
  nudge: () => void
  /** The clock, so that a test can choose its day. */
  now: () => Date
  /**
   * Makes the keys of a business's own certificate; tests, which make thousands of businesses, give the same
   * ones to all.
   */
  newKeyPair: () => Promise<KeyPair>
}

/** What a program that calls with a key is held to, besides the rules of its caller. */
export interface KeyLimits {
  id: string
  /** The beginning of the key; it is in the log beside the address. */
  prefix: string
  readOnly: boolean
  /** May write drafts, and never issue, approve or pay. */
  draftsOnly: boolean
  /** Agorot of the shekel for one document, one expense, one payment or one entry of the books. */
  sumLimitAgorot: number | null
}

/** Who is calling, as the server knows it. */
export interface Caller extends Rights {
  sessionId: string
  userId: string
  companyId: string
  typeId: number
  subTypeId: number
  hideTotalPrices: boolean
  /** Sees only the customers this person is in charge of, and what belongs to them. */
  ownCustomersOnly: boolean
  fullName: string
  language: Language
  /** Whether the address of the account was proved; one that is only claimed identifies nobody. */
  emailVerified: boolean
  /** The business requires a second factor, and this person has none yet. Never set for an API key. */
  mustSetFactor?: boolean
  /**
   * Settings that only the person's screens read (header, plus button, set of rights), as a hash that changes with
   * them.
   */
  screens?: string
  /** Set when a program calls with a key instead of a person with a session. */
  apiKey?: KeyLimits
  /** Set while an order is carried out: who gave it, and the limits in force (authority.ts). */
  order?: Order
  /** Set while the system carries out the automatic consequences of an allowed action (authority.ts). */
  own?: OwnEffect
}

export type Language = 'he' | 'en' | 'ar' | 'ru' | 'fr'

export interface OpenCtx {
  app: App
  /** As the system: outside any company. */
  tx: Tx
  now: Date
  today: Day
  address: string
  agent: string
  language: Language
  token: string | undefined
  /** A random name that the browser keeps for itself and sends along (`x-device`). */
  device?: string | undefined
  /** Aborted when the caller disconnected before the answer. */
  gone?: AbortSignal | undefined
}

export interface Ctx {
  app: App
  /** In a transaction, inside the caller's company. */
  tx: Tx
  caller: Caller
  companyId: string
  now: Date
  /** In Asia/Jerusalem. */
  today: Day
  address: string
  /** The version of the record the caller means to change, where one was given. */
  ifMatch?: string
  /** In a read that follows changes: until when changes are sure to be seen (changes.ts). */
  seenUntil?: string
  /**
   * In a job: work outside of any transaction, once that of the job is committed. What it waits for holds no lock. The
   * job is done when it is, and runs again when it fails.
   */
  afterCommit?: (work: () => Promise<void>) => void
  /** Puts work behind the commit: written now, done after, at least once. */
  later: (name: string, payload: Record<string, unknown>, runAfter?: Date) => Promise<void>
  /** Writes a line nobody can change, and tells the events that were declared on it. */
  audit: (
    action: string,
    entity: string,
    entityId: string | null,
    before?: unknown,
    after?: unknown,
  ) => Promise<void>
}

/** Runs work as a caller inside the caller's company; every endpoint, job and tool goes through it. */
export async function asCaller<T>(
  app: App,
  caller: Caller,
  address: string,
  work: (ctx: Ctx) => Promise<T>,
  how?: {
    frame?: Frame | undefined
    ofOneMoment?: boolean
    ifMatch?: string | undefined
    seenUntil?: string | undefined
  },
): Promise<T> {
  // Before the transaction: it would hold one connection and wait for another.
  const brand = await brandOfBusiness(app, caller.companyId)
  return inCompany(
    app.db,
    caller,
    async (tx) => {
      const now = app.now()
      let queued = false
      const ctx: Ctx = {
        app,
        tx,
        caller,
        companyId: caller.companyId,
        now,
        today: dayInJerusalem(now),
        address,
        ...(how?.ifMatch === undefined ? {} : { ifMatch: how.ifMatch }),
        ...(how?.seenUntil === undefined ? {} : { seenUntil: how.seenUntil }),
        later: async (name, payload, runAfter) => {
          queued = true
          await sql`insert into outbox (id, company_id, name, payload, run_after)
          values (${newId()}, ${caller.companyId}, ${name}, ${JSON.stringify(payload)},
            coalesce(${runAfter ?? null}, now()))`.execute(tx)
        },
        audit: async (action, entity, entityId, before, after) => {
          const line = sql`insert into audit_log (company_id, id, user_id, address, action, entity, entity_id,
              before, after)
          values (${caller.companyId}, ${newId()}, ${caller.userId}, ${address}, ${action}, ${entity},
            ${entityId},
            ${before === undefined ? null : JSON.stringify(before)},
            ${after === undefined ? null : JSON.stringify(after)})`
          const told = toldBy(action, [{ id: entityId, after }])
          await (
            told.length ? sql`with line as (${line}) select ${telling(caller.companyId, told)}` : line
          ).execute(tx)
        },
      }
      const result = await asBusiness(caller.companyId, brand, () => work(ctx))
      if (queued) setImmediate(app.nudge)
      return result
    },
    how,
  )
}

/**
 * Part of a caller's work in which rows of all customers count, also of those hidden from the caller: a queue keeps
 * its order and a cancelled class is cancelled for everybody. Nothing read here may be shown to the caller.
 */
export async function ofAllCustomers<T>({ caller, tx }: Ctx, work: () => Promise<T>): Promise<T> {
  if (!caller.ownCustomersOnly) return work()
  await sql`set local role pinkas_app`.execute(tx)
  const done = await work()
  // A refusal ends the transaction, or goes back to where it was kept, and the role with it.
  await sql`set local role pinkas_own`.execute(tx)
  return done
}

/** The author of an action, as rows store it; nobody for automatic work. */
export const byOf = ({ caller: { userId } }: Pick<Ctx, 'caller'>): string | null =>
  userId.startsWith('00000000') ? null : userId

/** The system acting for a company (jobs, demo data): everything allowed, nobody's name. */
export const systemCaller = (companyId: string, userId = '00000000-0000-0000-0000-000000000000'): Caller => ({
  sessionId: '',
  userId,
  companyId,
  typeId: 4,
  subTypeId: 0,
  rules: [],
  docsAllow: [],
  hideTotalPrices: false,
  ownCustomersOnly: false,
  fullName: '',
  language: 'he',
  emailVerified: true,
})
