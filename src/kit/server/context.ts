import type { Logger } from 'pino'
import { sql } from 'kysely'
import { v7 as uuidv7 } from 'uuid'
import { dayInJerusalem, type Day } from '#domain/day.ts'
import type { Rights } from '#kit/describe/session.ts'
import { brandOfBusiness, workingFor } from './crew/whose.ts'
import { inCompany, type Database, type Frame, type Tx } from './db.ts'
import { telling, toldBy } from './events.ts'
import type { Order, OwnEffect } from './order.ts'
import type { KeyPair } from './seal/certificates.ts'
import type { Secrets, Settings } from './settings.ts'

/** A new id: sorted by time, made here, never by the database. */
export const newId = (): string => uuidv7()

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
  /** The clock, so that a test can stand on a day of its own. */
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
  /** The beginning of the key; it stands in the log beside the address. */
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
  /** Sees only the customers he is in charge of, and what hangs on them. */
  ownCustomersOnly: boolean
  fullName: string
  language: Language
  /** Whether the address of the account was proved; one that is only claimed identifies nobody. */
  emailVerified: boolean
  /** The business requires a second factor, and this person has none yet. Never set for an API key. */
  mustSetFactor?: boolean
  /**
   * What is set for him that only his screens ask for (header, plus button, set of rights), as a mark that
   * changes with it.
   */
  screens?: string
  /** Set when a program calls with a key instead of a person with a session. */
  apiKey?: KeyLimits
  /** Set while an order is carried out: who gave it, and the limits in force (authority.ts). */
  order?: Order
  /** Set while the system does what follows by itself from what was allowed (authority.ts). */
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
  /** The person who asked went away before he was answered. */
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
  /** The version of the record the caller means to change, where he said one. */
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

/** Runs work as a caller inside his company; the door every endpoint, job and tool goes through. */
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
      const result = await workingFor(caller.companyId, brand, () => work(ctx))
      if (queued) setImmediate(app.nudge)
      return result
    },
    how,
  )
}

/**
 * Part of a caller's work in which the rows of customers who are not his own count too: a queue keeps its
 * order and a class that is cancelled is cancelled for everybody, the person who presses. Nothing that is read here
 * may be told to him.
 */
export async function ofAllCustomers<T>({ caller, tx }: Ctx, work: () => Promise<T>): Promise<T> {
  if (!caller.ownCustomersOnly) return work()
  await sql`set local role pinkas_app`.execute(tx)
  const done = await work()
  // A refusal ends the transaction, or goes back to where it was kept, and the role with it.
  await sql`set local role pinkas_own`.execute(tx)
  return done
}

/** Whose deed it is, as rows keep it; nobody's where it is done by itself. */
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
