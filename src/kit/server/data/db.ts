import { createHash, randomUUID } from 'node:crypto'
import {
  Kysely,
  PostgresDialect,
  type CompiledQuery,
  type DatabaseConnection,
  type QueryExecutorProvider,
  type Transaction,
} from 'kysely'
import pg from 'pg'
import type { DB } from '../../../../db/tables.ts'
import { Failure } from '#kit/describe/errors.ts'
import { isHere } from '../settings.ts'
import { Turns } from './turns.ts'

/** int8 comes as a number; one that a number cannot hold exactly is refused rather than rounded. */
function wholeOf(text: string): number {
  const n = Number(text)
  if (!Number.isSafeInteger(n)) throw new RangeError(`${text} is beyond what a number holds exactly`)
  return n
}
const arrays = pg.types as unknown as {
  getTypeParser: (oid: number) => (text: string) => (string | null)[]
  setTypeParser: (oid: number, parse: (text: string) => unknown) => void
}
/** The elements of an array as text; pg reads arrays of each type with a separate parser, which the types do not know. */
const elements = arrays.getTypeParser(1009)

/** Reads a type, and an array of it, by one parser: else a list of amounts would arrive as text. */
function read(type: number, array: number, parse: (text: string) => unknown): void {
  arrays.setTypeParser(type, parse)
  arrays.setTypeParser(array, (text) => elements(text).map((one) => (one === null ? null : parse(one))))
}
read(20, 1016, wholeOf)
/** numeric stays text ('18.25'), a date stays text ('2026-11-20'), a moment becomes ISO 8601. */
read(1700, 1231, (text) => text)
read(1082, 1182, (text) => text)
read(1184, 1185, (text) => new Date(text).toISOString())

export type Db = Kysely<DB>
export type Tx = Transaction<DB>

export interface Database {
  pool: pg.Pool
  kysely: Db
  /**
   * For the person who would wait for a row that many want: taken before a connection. All who have one leave half
   * of the connections to everybody else.
   */
  turns: Turns
  /**
   * For work inside a business from a transaction of the system, which holds one connection while it waits for
   * another.
   */
  entries: Turns
  close: () => Promise<void>
}

const names = new Map<string, string>()
const mostNames = 300

/**
 * Two things of PostgreSQL that Kysely does not know: a text of several statements answers the rows of its
 * last one, and a statement that begins with the mark is prepared under a name, once for each connection,
 * which spares its parsing and planning. Behind a pooler that gives a connection away after each transaction, names are
 * left out: what one client prepared would be missing, or another's.
 */
const clientOf = (isPrepared: boolean) =>
  class extends pg.Client {
    // @ts-expect-error the many forms of query() come down to this one here
    override query(asked: unknown, values?: unknown, callback?: unknown) {
      const plain = super.query as (...of: unknown[]) => unknown
      if (isNamed(asked)) {
        const name = isPrepared ? nameOf(asked.text) : undefined
        return plain.call(this, { ...asked, name }, values, callback)
      }
      if (typeof asked !== 'string' || typeof values === 'function' || callback !== undefined)
        return plain.call(this, asked, values, callback)
      const isMarked = isPrepared && asked.startsWith(prepared)
      const answer = plain.call(
        this,
        isMarked ? { name: nameOf(asked), text: asked, values } : asked,
        isMarked ? undefined : values,
      ) as Promise<pg.QueryResult | pg.QueryResult[]>
      return answer.then((result) => (Array.isArray(result) ? result.at(-1)! : result))
    }
  }

const isNamed = (asked: unknown): asked is pg.QueryConfig & { name: string } =>
  typeof asked === 'object' &&
  asked !== null &&
  Object.getPrototypeOf(asked) === Object.prototype &&
  'name' in asked

/** Precedes the text of a statement that is asked often and is always the same: sql`/*=*\/ select …`. */
const prepared = '/*=*/'

/**
 * The name of a statement follows from its text: whatever processes and versions share a connection, one name never means
 * two texts.
 */
function nameOf(text: string): string | undefined {
  let name = names.get(text)
  if (name === undefined) {
    // A text that varies would fill every connection with plans: beyond so many they are asked as they are.
    name =
      names.size < mostNames ? `p${createHash('sha256').update(text).digest('base64url').slice(0, 22)}` : ''
    if (name) names.set(text, name)
  }
  return name || undefined
}

/**
 * Whether a pooler gives connections away after each transaction: then a second client meets what the first one prepared.
 * For the start, when the pooler is idle and gives both the same connection.
 */
export async function isPooled(url: string): Promise<boolean> {
  const [one, two] = [0, 1].map(
    () => new pg.Client({ connectionString: url, connectionTimeoutMillis: 5000 }),
  ) as [pg.Client, pg.Client]
  const mark = `pooled_${randomUUID().replaceAll('-', '')}`
  try {
    await one.connect()
    await two.connect()
    await one.query({ name: mark, text: `select 1 as ${mark}` })
    const { rows } = await two.query<{ n: number }>(
      'select count(*)::int as n from pg_prepared_statements where strpos(statement, $1) > 0',
      [mark],
    )
    return rows[0]!.n > 0
  } finally {
    await Promise.all([one.end(), two.end()].map((end) => end.catch(() => {})))
  }
}

/**
 * Whether what is asked of a database travels to another machine unencrypted. `sslmode=require` and stricter verify the
 * certificate and the name of the server, by `sslrootcert` where it is given.
 */
export function travelsPlain(address: string): boolean {
  const url = new URL(address)
  const host = url.searchParams.get('host') ?? url.hostname
  if (host === '' || host.startsWith('/') || isHere(host)) return false
  return !/^(prefer|require|verify-ca|verify-full|no-verify)$/.test(url.searchParams.get('sslmode') ?? '')
}

/** Longer than anybody outside is waited for inside a transaction (mail, an authority). */
const idleInTransactionMs = 90_000

/** `isPooled`: behind a pooler that gives connections away after each transaction, nothing is prepared. */
export function openDatabase(url: string, size = 20, behind: { isPooled?: boolean } = {}): Database {
  const pool = new pg.Pool({
    connectionString: url,
    Client: clientOf(!behind.isPooled) as never,
    max: size,
    connectionTimeoutMillis: 5000,
    idleTimeoutMillis: 60_000,
    application_name: 'pinkas',
    pipeline: true,
  })
  // A connection that dies (the database restarted) must not take the process with it: the pool hears of the
  // idle ones, and of one that is out, between two statements of a transaction, only the connection itself
  // tells; the next statement then fails and says so to its caller.
  pool.on('error', () => {})
  pool.on('connect', (client) => {
    client.on('error', () => {})
    // A transaction that asks nothing for so long is stuck: its connection is taken from it. Not as a parameter of the
    // connection, which poolers refuse.
    client.query(`set idle_in_transaction_session_timeout = ${idleInTransactionMs}`).catch(() => {})
  })
  const kysely = new Kysely<DB>({ dialect: new PostgresDialect({ pool }) })
  const part = (of: number) => Math.max(1, Math.floor(size / of))
  return {
    pool,
    kysely,
    turns: new Turns({ most: 2, mostInAll: part(2) }),
    entries: new Turns({ most: part(3), mostInAll: part(3) }),
    // Kysely ends the pool only when it has asked it for a connection itself.
    close: () => pool.end(),
  }
}

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

/**
 * Runs a piece of work in one transaction as the application's role, inside one company: row-level security
 * lets it see nothing else. `ofOneMoment`: all its questions are answered as things stood at the first of
 * them, whatever others write meanwhile. The whole of it runs again when it lost to somebody else
 * (`triesFor`); what it does outside the database must bear that.
 */
export async function inCompany<T>(
  db: Database,
  {
    companyId,
    userId,
    ownCustomersOnly,
    docsAllow = [],
  }: { companyId: string; userId: string; ownCustomersOnly: boolean; docsAllow?: readonly number[] },
  work: (tx: Tx) => Promise<T>,
  { frame, ofOneMoment = false }: { frame?: Frame | undefined; ofOneMoment?: boolean } = {},
): Promise<T> {
  if (!uuid.test(companyId) || !uuid.test(userId)) throw new Error('not an id')
  // Of the second role the database shows only the customers its person is in charge of.
  const role = ownCustomersOnly ? 'pinkas_own' : 'pinkas_app'
  // Read by sees_type(); numbers only.
  const types = docsAllow.length ? `; set local pinkas.types = '${docsAllow.map(Number).join()}'` : ''
  return retried(() =>
    begun(
      db,
      `begin${ofOneMoment ? ' isolation level repeatable read' : ''}; set local role ${role}; set local pinkas.company = '${companyId}'; set local pinkas.person = '${userId}'${types}`,
      work,
      frame,
    ),
  )
}

/** Work of the system itself (log-in, sessions, claiming jobs): as the owner, outside any company. */
export const asSystem = <T>(db: Database, work: (tx: Tx) => Promise<T>, frame?: Frame): Promise<T> =>
  retried(() => begun(db, 'begin', work, frame))

/**
 * Statements sent together with the beginning and the end of a transaction, so that they cost no further round trip.
 * They are plain text: every value in them must go through `literal`.
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
 * Kysely's own transaction would spend a round trip on each statement of the opening; this one spends one on
 * all of them. Questions that are asked without waiting for each other's answers travel together, and are
 * answered in their order.
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

/**
 * What Kysely asks questions of: this connection and no other. Kysely's own would send the next question only
 * after the last one's answer.
 */
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
 * How often work is begun that the database ended with this code: a serialisation or a deadlock it did not
 * ask for, five times. A unique key that somebody else took first, three times: with fresh eyes the work
 * finds what the other made and goes on with it, or says for itself that it is there. A key that was taken
 * all along only costs another look.
 */
const triesFor = (code: string | undefined): number =>
  code === '40001' || code === '40P01' ? 5 : code === '23505' ? 3 : 1

/**
 * Whether the database ended work for the sake of somebody else's: nothing is wrong with it, and its whole
 * transaction is begun again.
 */
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
    /Connection terminated|timeout expired|timeout exceeded when trying to connect|Client has encountered a connection error/.test(
      message ?? '',
    )
  )
}
