import { sql } from 'kysely'
import { can } from '#kit/describe/session.ts'
import { asCaller, newId, systemCaller, type App, type Caller } from '#kit/server/context.ts'
import { registerGivenUp } from '#kit/server/work/givenUp.ts'
import { decrypt } from '#kit/server/rights/vault.ts'
import { callerOfPerson } from '#features/base/session/server/index.ts'
import { keyCaller } from '#features/open/apiKeys/server/index.ts'
import type { Filter } from '../endpoints.ts'
import { nextTry, offAfterHours, restAfter, triesInOrder, warnAfterHours } from '../schedule.ts'
import { bodyFor, type HappenedEvent } from './body.ts'
import { standIn } from './demo.ts'
import { noticeOf, noticeType } from './ofPayments.ts'
import { lanes, openLine, type Answer, type Line } from './post.ts'
import { signed } from './sign.ts'

/** An address that this process sends to for now. */
interface Endpoint {
  company_id: string
  id: string
  url: string
  filter: Filter
  payload: 'thin' | 'full'
  secret_sealed: Buffer
  old_secret_sealed: Buffer | null
  created_by: string
  key_id: string | null
  /** Of payments that named their own address. */
  of_payments: boolean
  demo: boolean
}

interface Due extends HappenedEvent {
  tries: number
  tried: number
}

/** One line for `webhook_deliveries`, and where something was sent one for `webhook_tries`. */
interface Result {
  event_id: string
  state: 'waiting' | 'sent' | 'failed' | 'skipped'
  tries: number
  tried: number
  wait: number
  status: number | null
  outcome: string
  ms: number | null
  body: string | null
  at: string
  answer: string | null
}

/** New events are sent this soon; looking where nothing waits costs one look into an empty index. */
const lookEveryMs = 250
const leaseSeconds = 12
/** The person who ends an address or turns it off is heard so soon. */
const holdEveryMs = 1000
const endMs = 2000
const batchSize = 100
/**
 * So many results gather while as many are being written: with a process both are lost, and what each lane
 * had in hand; all of it is sent again.
 */
const mostGathered = 20
/** Addresses that one process sends to at a time; each has its own lanes. */
const mostAddresses = 250

/**
 * Addresses with something due that nobody sends to now. They are found from what waits: addresses with
 * nothing to do cost nothing.
 */
async function lease(app: App, by: string, most: number): Promise<Endpoint[]> {
  const { rows } = await sql<Endpoint>`with recursive busy (company_id, endpoint_id) as (
      (select company_id, endpoint_id from webhook_deliveries where state = 'waiting' order by 1, 2 limit 1)
      union all
      select n.company_id, n.endpoint_id
      from busy b, lateral (select d.company_id, d.endpoint_id from webhook_deliveries d
        where d.state = 'waiting' and (d.company_id, d.endpoint_id) > (b.company_id, b.endpoint_id)
        order by 1, 2 limit 1) n),
    free as (select e.company_id, e.id from busy b join webhook_endpoints e on e.company_id = b.company_id
    and e.id = b.endpoint_id
      where e.state = 'on' and e.archived_at is null and (e.leased_until is null or e.leased_until < now())
        and (e.rest_until is null or e.rest_until <= now())
        and exists (select 1 from webhook_deliveries d where d.company_id = e.company_id
        and d.endpoint_id = e.id and d.state = 'waiting' and d.next_at <= now())
      limit ${most} for no key update of e skip locked)
    update webhook_endpoints e
    set leased_by = ${by}, leased_until = now() + make_interval(secs => ${leaseSeconds})
    from free f, companies c where e.company_id = f.company_id and e.id = f.id and c.id = e.company_id
    returning e.company_id, e.id, e.url, e.filter, e.payload, e.secret_sealed,
      case when e.old_until > now() then e.old_secret_sealed end as old_secret_sealed, e.created_by, e.key_id,
      e.of_payments, c.demo`.execute(app.db.kysely)
  return rows
}

/** Holds an address further; false once it is another's, off, or resting. */
async function hold(app: App, { company_id, id }: Endpoint, by: string): Promise<boolean> {
  const { rows } =
    await sql`update webhook_endpoints set leased_until = now() + make_interval(secs => ${leaseSeconds})
    where company_id = ${company_id} and id = ${id} and leased_by = ${by} and state = 'on'
      and archived_at is null
      and (rest_until is null or rest_until <= now()) returning 1`.execute(app.db.kysely)
  return rows.length > 0
}

const due = async (app: App, { company_id, id }: Endpoint): Promise<Due[]> => {
  const { rows } =
    await sql<Due>`select v.id, v.name, v.entity_id as "entityId", v.version, v.payload, v.at, d.tries,
        d.tried
    from webhook_deliveries d join events v on v.company_id = d.company_id and v.id = d.event_id
    where d.company_id = ${company_id} and d.endpoint_id = ${id} and d.state = 'waiting'
      and d.next_at <= now()
      -- One after another of each thing, until the first tries of the one before are over.
      and not exists (select 1 from webhook_deliveries w join events b on b.company_id = w.company_id
          and b.id = w.event_id
        where w.company_id = d.company_id and w.endpoint_id = d.endpoint_id and w.entity_id = d.entity_id
          and w.state = 'waiting' and w.tries < ${triesInOrder} and (b.version, b.id) < (v.version, v.id))
    order by d.next_at, d.event_id limit ${batchSize}`.execute(app.db.kysely)
  return rows
}

/** What waits for a notice that failed is due again with it: an address with nothing to send is left alone. */
const holdBack = (app: App, { company_id, id }: Endpoint) =>
  sql`update webhook_deliveries d set next_at = w.next_at from webhook_deliveries w
    where d.company_id = ${company_id} and d.endpoint_id = ${id} and d.state = 'waiting'
      and d.next_at <= now()
      and w.company_id = d.company_id and w.endpoint_id = d.endpoint_id and w.entity_id = d.entity_id
      and w.state = 'waiting' and w.next_at > now() and w.tries < ${triesInOrder}`.execute(app.db.kysely)

/**
 * Writes what came of tries. A line that another process has written meanwhile stays as it is. They are found
 * by their key: told the state as it is, a database that does not know yet how much waits would go over all
 * of it.
 */
async function write(app: App, { company_id, id }: Endpoint, results: readonly Result[]): Promise<void> {
  await sql`with r as
      (select * from jsonb_to_recordset(${JSON.stringify(results)}::jsonb) r
      (event_id uuid, state text, tries int, tried int, wait float8,
      status int, outcome text, ms int, body text, at timestamptz, answer text)),
    kept as (update webhook_deliveries d set state = r.state, tries = r.tries, tried = r.tried,
    next_at = now() + make_interval(secs => r.wait),
        status_code = r.status, outcome = r.outcome, ms = r.ms, body = coalesce(r.body, d.body),
        done_at = case when r.state <> 'waiting' then now() end
      from r where d.company_id = ${company_id} and d.endpoint_id = ${id}
        and d.event_id = any(${results.map((one) => one.event_id)}::uuid[])
        and d.event_id = r.event_id and d.state || '' = 'waiting' and d.tried <= r.tried
      returning d.event_id),
    last as (update webhook_endpoints e set last_status_code = l.status
    from (select r.status from r where r.answer is not null order by r.at desc limit 1) l
      where e.company_id = ${company_id} and e.id = ${id} and e.last_status_code is distinct from l.status)
    insert into webhook_tries (company_id, endpoint_id, event_id, no, at, ms, status_code, outcome, answer)
    select ${company_id}, ${id}, r.event_id, r.tried, r.at, r.ms, r.status, r.outcome, r.answer from r
    join kept k on k.event_id = r.event_id
    where r.answer is not null on conflict do nothing`.execute(app.db.kysely)
}

/**
 * What failures and successes mean for the address itself. Letters leave by the outbox, with what they tell
 * of.
 */
async function judge(
  app: App,
  { company_id, id }: Endpoint,
  { outcome, status, rest }: { outcome: string; status: number | undefined; rest: number | undefined },
): Promise<void> {
  if (!outcome) {
    await sql`update webhook_endpoints set failing_since = null, warned_at = null
      where company_id = ${company_id} and id = ${id} and failing_since is not null`.execute(app.db.kysely)
    return
  }
  await asCaller(app, systemCaller(company_id), '', async (ctx) => {
    const { rows } = await sql<{ state: string; hours: number; warned: boolean }>`update webhook_endpoints
      set failing_since = coalesce(failing_since, now()), rest_until = case when ${rest ?? null}::float8 is
        null then rest_until else now() + make_interval(secs => ${rest ?? 0}) end
      where company_id = ${company_id} and id = ${id}
      returning state, extract(epoch from now() - failing_since)::float8 / 3600 as hours,
        warned_at is not null as warned`.execute(ctx.tx)
    const [now] = rows
    if (!now || now.state === 'off') return
    if (status === 410) return turnOff(ctx, id, 'gone')
    if (now.hours >= offAfterHours) return turnOff(ctx, id, 'failing')
    if (now.hours >= warnAfterHours && !now.warned) {
      await sql`update webhook_endpoints set warned_at = now() where company_id = ${company_id}
          and id = ${id}`.execute(ctx.tx)
      await ctx.later('webhooks.mail', { id, why: 'warning' })
    }
  })
}

/** Turns an address off automatically, with a line in the log and an email. */
async function turnOff(
  ctx: Parameters<Parameters<typeof asCaller>[3]>[0],
  id: string,
  why: 'gone' | 'failing' | 'owner',
): Promise<void> {
  const { rows } = await sql<{
    url: string
  }>`update webhook_endpoints set state = 'off', off_why = ${why}, off_at = now(), updated_at = now()
    where company_id = ${ctx.companyId} and id = ${id} and state = 'on' returning url`.execute(ctx.tx)
  if (!rows[0]) return
  await ctx.audit('webhooks.off', 'webhooks', id, undefined, { url: rows[0].url, why })
  await ctx.later('webhooks.mail', { id, why })
}

const rest = (app: App, { company_id, id }: Endpoint) =>
  sql`update webhook_endpoints set rest_until = now() + interval '30 seconds' where company_id = ${company_id}
      and id = ${id}`.execute(app.db.kysely)

/**
 * With whose eyes an address sees: a person's, or those of the key that set it up; undefined once they are
 * gone or may not any more.
 */
async function ownerOf(
  app: App,
  { company_id, created_by, key_id, of_payments }: Endpoint,
): Promise<Caller | undefined> {
  const caller = key_id
    ? await keyCaller(app, company_id, key_id)
    : await callerOfPerson(app, company_id, created_by)
  return caller && (of_payments || can(caller, 'webhooks')) ? caller : undefined
}

/** Sends what is due to one address, in so many lanes, until nothing is. */
async function sendTo(
  app: App,
  endpoint: Endpoint,
  by: string,
  isEnding: () => boolean,
  lines: Set<Line>,
): Promise<number> {
  const secrets = [endpoint.secret_sealed, endpoint.old_secret_sealed].flatMap((sealed) =>
    sealed ? [decrypt(app.secrets.vault, sealed).toString('utf8')] : [],
  )
  const line: Line =
    endpoint.demo && new URL(endpoint.url).hostname.endsWith('.example')
      ? standIn
      : openLine(app.settings.webhooks)
  lines.add(line)
  let [mine, sent] = [true, 0]
  const beat = setInterval(
    () =>
      void hold(app, endpoint, by).then(
        (still) => (mine &&= still),
        () => undefined,
      ),
    holdEveryMs,
  )
  beat.unref()
  let gathered: Result[] = []
  let writing: Promise<void> | undefined
  const writeAll = async () => {
    while (gathered.length) {
      const some = gathered
      gathered = []
      await write(app, endpoint, some)
    }
    // Here and not when the promise is settled: what comes in between would wait for nobody.
    writing = undefined
  }
  /**
   * While one statement is under way the next results gather; the lanes go on, and wait for it only when much
   * has gathered.
   */
  const note = async (result: Result): Promise<void> => {
    gathered.push(result)
    writing ??= writeAll()
    // Its fault is met where it is waited for, at the latest at the end of the batch.
    writing.catch(() => undefined)
    if (gathered.length >= mostGathered) await writing
  }
  const one = async (caller: Caller, event: Due) => {
    const notice = endpoint.of_payments
      ? await noticeOf(app, endpoint.company_id, endpoint, event)
      : undefined
    const made =
      notice ?? (endpoint.of_payments ? { skipped: 'unseen' } : await bodyFor(app, caller, endpoint, event))
    const at = new Date()
    const shared = { event_id: event.id, at: at.toISOString() }
    if ('skipped' in made) {
      await note({
        ...shared,
        state: 'skipped',
        tries: event.tries,
        tried: event.tried,
        wait: 0,
        status: null,
        outcome: made.skipped,
        ms: null,
        body: null,
        answer: null,
      })
      return
    }
    const headers = {
      'user-agent': 'Pinkas-Webhooks/1.0',
      ...(notice ? { 'content-type': noticeType } : {}),
      ...signed(event.id, at, made.body, secrets),
    }
    const answer: Answer = await line.send(notice?.url ?? endpoint.url, headers, made.body)
    const isGood = answer.outcome === ''
    // Cut off by our own end: the next process sends it as if nothing had been.
    if (!isGood && isEnding()) return
    sent++
    const rest = isGood ? undefined : restAfter(answer.status, answer.retryAfter, new Date())
    const next = nextTry(event.tries + 1, Math.random())
    const state = isGood ? 'sent' : next === undefined || answer.status === 410 ? 'failed' : 'waiting'
    const { status = null, outcome, ms } = answer
    const wait = isGood ? 0 : Math.max(next ?? 0, rest ?? 0)
    await note({
      ...shared,
      state,
      tries: event.tries + 1,
      tried: event.tried + 1,
      wait,
      status,
      outcome,
      ms,
      body: made.body,
      answer: answer.answer,
    })
    if (!isGood || maybeFailing) await judge(app, endpoint, { outcome, status: answer.status, rest })
    maybeFailing = !isGood
    hasSent ||= isGood
    if (!isGood && (rest !== undefined || answer.status === 410)) mine = false
  }
  /** After a failure the next success is worth writing down. */
  let maybeFailing = true
  let hasSent = false
  try {
    while (mine && !isEnding()) {
      const caller = await ownerOf(app, endpoint)
      if (!caller) {
        await asCaller(app, systemCaller(endpoint.company_id), '', (ctx) =>
          turnOff(ctx, endpoint.id, 'owner'),
        )
        break
      }
      const batch = await due(app, endpoint)
      if (!batch.length) {
        await holdBack(app, endpoint)
        break
      }
      let at = 0
      await Promise.all(
        Array.from({ length: lanes }, async () => {
          while (at < batch.length && mine && !isEnding()) await one(caller, batch[at++]!)
        }),
      )
      // What is not written down yet would be found due again.
      await writing
      if (hasSent)
        await sql`update webhook_endpoints set last_sent_at = now() where company_id = ${endpoint.company_id}
            and id = ${endpoint.id}`.execute(app.db.kysely)
      hasSent = false
    }
  } finally {
    // Lanes beside one that failed end too.
    mine = false
    clearInterval(beat)
    line.close()
    lines.delete(line)
    await writing?.catch(() => undefined)
    await sql`update webhook_endpoints set leased_by = null, leased_until = null
      where company_id = ${endpoint.company_id} and id = ${endpoint.id} and leased_by = ${by}`
      .execute(app.db.kysely)
      .catch(() => undefined)
  }
  return sent
}

registerGivenUp({
  kind: 'webhook',
  rows: sql`select d.company_id, d.endpoint_id::text as key, max(e.url) as name,
    max(case when d.outcome = '' then d.status_code::text else d.outcome end) as error, max(d.tries) as tries,
    count(*) as count, max(d.done_at) as at
    from webhook_deliveries d join webhook_endpoints e on e.company_id = d.company_id and e.id = d.endpoint_id
    where d.state = 'failed' and e.archived_at is null group by d.company_id, d.endpoint_id`,
  // An address that was turned off is sent to once its owner turns it on.
  retry: async (tx, companyId, key) =>
    (
      await sql`update webhook_deliveries set state = 'waiting', next_at = now(), tries = 0
        where company_id = ${companyId} and endpoint_id = ${key} and state = 'failed' returning 1`.execute(tx)
    ).rows.length > 0,
})

export interface Sender {
  /** Looks for what is due now. */
  look: () => Promise<void>
  /** Sends all that is due now and answers how many; for tests and tools. */
  drain: () => Promise<number>
  stop: () => Promise<void>
}

/** Sends to addresses beside each other: whatever one of them does, the others do not wait for it. */
export function startSender(app: App, { poll = true }: { poll?: boolean } = {}): Sender {
  const by = newId()
  const running = new Set<Promise<number>>()
  const lines = new Set<Line>()
  let stopped = false
  let looking: Promise<void> | undefined
  const find = async () => {
    if (stopped || running.size >= mostAddresses) return
    for (const endpoint of await lease(app, by, mostAddresses - running.size)) {
      const run: Promise<number> = sendTo(app, endpoint, by, () => stopped, lines)
        .catch(async (e: Error) => {
          app.log.warn({ webhook: endpoint.id, err: e.message }, 'webhook could not be sent')
          // What fails here fails again at once: a secret that this server cannot open, a database that is
          // away.
          await rest(app, endpoint).catch(() => undefined)
          return 0
        })
        .finally(() => void running.delete(run))
      running.add(run)
    }
  }
  const look = () => (looking ??= find().finally(() => (looking = undefined)))
  const timer = poll
    ? setInterval(
        () =>
          void look().catch((e: Error) => app.log.warn({ err: e.message }, 'could not look for webhooks')),
        lookEveryMs,
      )
    : undefined
  timer?.unref()
  return {
    look,
    drain: async () => {
      let sent = 0
      for (;;) {
        await look()
        if (!running.size) return sent
        sent += (await Promise.all(running)).reduce((sum, n) => sum + n, 0)
      }
    },
    stop: async () => {
      stopped = true
      clearInterval(timer)
      // What is nearly through gets through; a silent receiver holds up no end.
      const cut = setTimeout(() => {
        for (const line of lines) line.close()
      }, endMs)
      await Promise.all(running)
      clearTimeout(cut)
    },
  }
}
