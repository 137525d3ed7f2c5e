import {
  Kysely,
  PostgresDialect,
  type CompiledQuery,
  type DatabaseConnection,
  type QueryExecutorProvider,
  type Transaction,
} from 'kysely'
import pg from 'pg'
import type { DB } from '../../../db/tables.ts'
import { Failure } from '#kit/describe/errors.ts'
import { Turns } from './turns.ts'

/** int8 comes as a number; one that a number cannot hold exactly is refused rather than rounded. */
pg.types.setTypeParser(20, (text) => {
  const n = Number(text)
  if (!Number.isSafeInteger(n)) throw new RangeError(`${text} is beyond what a number holds exactly`)
  return n
})
/** numeric stays text ('18.25'), a date stays text ('2026-11-20'), a moment becomes ISO 8601. */
pg.types.setTypeParser(1700, (text) => text)
pg.types.setTypeParser(1082, (text) => text)
pg.types.setTypeParser(1184, (text) => new Date(text).toISOString())

export type Db = Kysely<DB>
export type Tx = Transaction<DB>

export interface Database {
  pool: pg.Pool
  kysely: Db
  /** For whoever would wait for a row that many want: taken before a connection. All who have one leave half of the connections to everybody else. */
  turns: Turns
  /** For whoever goes inside a business from a transaction of the system, and so holds one connection while he waits for another. */
  entries: Turns
  close: () => Promise<void>
}

const names = new Map<string, string>()
const mostNames = 300

/**
 * Two things of PostgreSQL that Kysely does not know: a text of several statements answers the rows of its last one, and a statement that begins
 * with the mark is prepared under a name, once for each connection, which spares its parsing and planning.
 */
class Client extends pg.Client {
  // @ts-expect-error the many forms of query() come down to this one here
  override query(text: unknown, values?: unknown, callback?: unknown) {
    const plain = super.query as (...of: unknown[]) => unknown
    if (typeof text !== 'string' || typeof values === 'function' || callback !== undefined)
      return plain.call(this, text, values, callback)
    const asked = text.startsWith(prepared) ? { name: nameOf(text), text, values } : text
    const answer = plain.call(this, asked, typeof asked === 'string' ? values : undefined) as Promise<
      pg.QueryResult | pg.QueryResult[]
    >
    return answer.then((result) => (Array.isArray(result) ? result.at(-1)! : result))
  }
}

/** Stands before the text of a statement that is asked often and is always the same: sql`/*=*\/ select …`. */
const prepared = '/*=*/'

function nameOf(text: string): string {
  let name = names.get(text)
  if (!name) {
    // A text that varies would fill every connection with plans: beyond so many they are asked as they are.
    name = names.size < mostNames ? `p${names.size}` : ''
    if (name) names.set(text, name)
  }
  return name
}

export function openDatabase(url: string, size = 20): Database {
  const pool = new pg.Pool({
    connectionString: url,
    Client: Client as never,
    max: size,
    connectionTimeoutMillis: 5000,
    idleTimeoutMillis: 60_000,
    application_name: 'pinkas',
    pipeline: true,
  })
  // A connection that dies (the database restarted) must not take the process with it: the pool hears of the idle ones, and of one that is out,
  // between two statements of a transaction, only the connection itself tells; the next statement then fails and says so to its caller.
  pool.on('error', () => {})
  pool.on('connect', (client) => client.on('error', () => {}))
  const kysely = new Kysely<DB>({ dialect: new PostgresDialect({ pool }) })
  const part = (of: number) => Math.max(1, Math.floor(size / of))
  return {
    pool,
    kysely,
    turns: new Turns({ most: 2, mostInAll: part(2) }),
    entries: new Turns({ most: part(3), mostInAll: part(3) }),
    close: () => kysely.destroy(),
  }
}

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

/**
 * Runs a piece of work in one transaction as the application's role, inside one company: row-level security lets it see nothing else. `ofOneMoment`: all
 * its questions are answered as things stood at the first of them, whatever others write meanwhile.
 * The whole of it runs again when it lost to somebody else (`triesFor`); what it does outside the database must bear that.
 */
export async function inCompany<T>(
  db: Database,
  { companyId, userId, ownCustomersOnly }: { companyId: string; userId: string; ownCustomersOnly: boolean },
  work: (tx: Tx) => Promise<T>,
  { frame, ofOneMoment = false }: { frame?: Frame | undefined; ofOneMoment?: boolean } = {},
): Promise<T> {
  if (!uuid.test(companyId) || !uuid.test(userId)) throw new Error('not an id')
  // Of the second role the database shows only the customers its person is in charge of.
  const role = ownCustomersOnly ? 'pinkas_own' : 'pinkas_app'
  return retried(() =>
    begun(
      db,
      `begin${ofOneMoment ? ' isolation level repeatable read' : ''}; set local role ${role}; set local pinkas.company = '${companyId}'; set local pinkas.person = '${userId}'`,
      work,
      frame,
    ),
  )
}

/** Work of the system itself (log-in, sessions, claiming jobs): as the owner, outside any company. */
export const asSystem = <T>(db: Database, work: (tx: Tx) => Promise<T>, frame?: Frame): Promise<T> =>
  retried(() => begun(db, 'begin', work, frame))

/**
 * Statements that ride along with the opening and the end of a transaction, so that they cost no round trip of their own. They are plain
 * text: every value in them must go through `literal`.
 */
export interface Frame {
  before: string
  /** The rows the last statement of `before` gave. */
  opened: (rows: unknown[]) => void
  /** Asked once the work is done; nothing when there is nothing to add. */
  after: () => string | undefined
}

/** A value as text inside a statement. */
export const literal = (value: string): string => pg.escapeLiteral(value)

/**
 * Kysely's own transaction would spend a round trip on each statement of the opening; this one spends one on all of them. Questions that are asked without
 * waiting for each other's answers travel together, and are answered in their order.
 */
async function begun<T>(
  db: Database,
  opening: string,
  work: (tx: Tx) => Promise<T>,
  frame?: Frame,
): Promise<T> {
  const client = await db.pool.connect()
  try {
    const tx = connectionOf(db, client)
    let result: T
    try {
      const { rows } = await client.query<Record<string, unknown>>(
        frame ? `${opening}; ${frame.before}` : opening,
      )
      frame?.opened(rows)
      result = await work(tx)
    } catch (e) {
      await client.query('rollback').catch(() => {})
      throw e
    }
    const last = frame?.after()
    await client.query(last ? `${last}; commit` : 'commit')
    return result
  } finally {
    client.release()
  }
}

/** What Kysely asks questions of: this connection and no other. Kysely's own would send the next question only after the last one's answer. */
function connectionOf(db: Database, client: pg.PoolClient): Tx {
  const connection: DatabaseConnection = {
    executeQuery: async <R>({ sql: text, parameters }: CompiledQuery) => {
      const { command, rowCount, rows } = await client.query(text, [...parameters])
      const affected = ['INSERT', 'UPDATE', 'DELETE', 'MERGE'].includes(command)
        ? { numAffectedRows: BigInt(rowCount ?? 0) }
        : {}
      return { ...affected, rows: rows as R[] }
    },
    streamQuery: () => {
      throw new Error('rows are read in pages, not streamed')
    },
  }
  const executor = db.kysely
    .getExecutor()
    .withConnectionProvider({ provideConnection: (consumer) => consumer(connection) })
  return { getExecutor: () => executor } satisfies QueryExecutorProvider as unknown as Tx
}

/**
 * How often work is begun that the database ended with this code: a serialisation or a deadlock it did not ask for, five times. A unique key
 * that somebody else took first, three times: with fresh eyes the work finds what the other made and goes on with it, or says for itself that it is there. A
 * key that was taken all along only costs another look.
 */
const triesFor = (code: string | undefined): number =>
  code === '40001' || code === '40P01' ? 5 : code === '23505' ? 3 : 1

/** Whether the database ended work for the sake of somebody else's: nothing is wrong with it, and its whole transaction is begun anew. */
export const isOutrun = (e: unknown): boolean => triesFor((e as { code?: string }).code) === 5

async function retried<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work()
    } catch (e) {
      const code = (e as { code?: string }).code
      if (attempt < triesFor(code)) {
        await new Promise((r) => setTimeout(r, 5 * attempt + Math.random() * 20))
        continue
      }
      if (isAway(e)) throw new Failure('kit.unavailable', {}, [], 1)
      throw e
    }
  }
}

/** The database cannot be reached or is going down: the caller may come again. */
export const isAway = (e: unknown): boolean => {
  const { code, message } = e as { code?: string; message?: string }
  return (
    [
      'ECONNREFUSED',
      'ENOENT',
      'ECONNRESET',
      'EPIPE',
      '57P01',
      '57P02',
      '57P03',
      '53300',
      '08006',
      '08001',
      '08003',
    ].includes(code ?? '') ||
    /Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error/.test(
      message ?? '',
    )
  )
}
