import pg from 'pg'
import type { Figure } from './figures.ts'
import { ask, json, newCompany, pause, type Running } from './server.ts'

export interface OrderOptions {
  restart: (env?: Record<string, string>) => Promise<Running>
  databaseUrl: string
  orders: number
}

/**
 * The standing orders of one morning, all due in the same minute, made by two processes: how long it takes,
 * whether any days are charged twice or left out, and how long a person waits for a page beside it.
 */
export async function measureOrders({ restart, databaseUrl, orders }: OrderOptions): Promise<Figure[]> {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 4 })
  pool.on('error', () => {})
  try {
    const { url, token, customerId } = await newCompany((await restart({ WORKERS: '2' })).url)
    const { company_id: companyId } = (
      await pool.query<{ company_id: string }>('select company_id from parties where id = $1', [customerId])
    ).rows[0]!
    const today = (
      await pool.query<{ day: string }>(`select (now() at time zone 'Asia/Jerusalem')::date::text as day`)
    ).rows[0]!.day
    const { id } = json<{ id: string }>(
      await ask(url, 'POST', '/api4/invoice/standingorders', {
        token,
        body: {
          title: 'Membership',
          customerId,
          startDay: today,
          documentType: 8,
          send: 'none',
          partyKind: 'business',
          lines: [{ description: '{month} {year}', unitPrice: '350' }],
        },
      }),
    )
    // Its copies, of fifty customers; none is due before all are there.
    await pool.query(`update standing_orders set next_at = now() + interval '1 day' where id = $1`, [id])
    const copy = async (table: string, change: string, from: string) => {
      const row = `jsonb_populate_record(null::${table}, to_jsonb(o) || ${change})`
      await pool.query(`insert into ${table} select (${row}).* from ${from}`)
    }
    for (let n = 1; n <= 50; n++)
      await ask(url, 'POST', '/api4/invoice/customers', { token, body: { name: `Member ${n}` } })
    await copy(
      'standing_orders',
      `jsonb_build_object('id', gen_random_uuid(), 'number', 1000 + n, 'page_key', 'bench' || md5(n::text || random()::text),
        'customer_id', (select id from parties where company_id = o.company_id and name = 'Member ' || (1 + n % 50)))`,
      `standing_orders o, generate_series(1, ${orders}) n where o.id = '${id}'`,
    )
    await copy(
      'standing_versions',
      `jsonb_build_object('order_id', s.id)`,
      `standing_versions o, standing_orders s where o.order_id = '${id}' and s.company_id = '${companyId}' and s.id <> '${id}'`,
    )
    await pool.query('analyze')
    await pool.query(
      `update standing_orders set next_at = now(), leased_until = null where company_id = $1 and id <> $2`,
      [companyId, id],
    )
    const started = performance.now()
    const made = async () =>
      (
        await pool.query<{ count: number }>(
          'select count(*)::int as count from standing_periods where company_id = $1',
          [companyId],
        )
      ).rows[0]!.count
    const waits: number[] = []
    while ((await made()) < orders && performance.now() - started < 1_800_000) {
      const at = performance.now()
      await ask(url, 'GET', '/api4/invoice/standingorders/progress', { token })
      waits.push(performance.now() - at)
      await pause(500)
    }
    const took = (performance.now() - started) / 1000
    const { rows } = await pool.query<{ papers: number; twice: number }>(
      `select (select count(*)::int from documents where company_id = $1 and type = 8) as papers,
        (select count(*)::int from (select 1 from standing_periods where company_id = $1 group by order_id having count(*) > 1) x) as twice`,
      [companyId],
    )
    const [{ papers, twice }] = rows as [{ papers: number; twice: number }]
    const part = `Standing orders: ${orders.toLocaleString('en')} due in one minute, two processes`
    return [
      {
        part,
        name: 'until the last paper',
        value: `${took.toFixed(0)} s, ${Math.round(orders / took)} a second`,
        goal: '<= 10 min',
        ok: took <= 600,
      },
      {
        part,
        name: 'papers, and orders charged twice',
        value: `${papers} and ${twice}`,
        goal: `${orders} and 0`,
        ok: papers === orders && twice === 0,
      },
      { part, name: 'a page beside it, the longest wait', value: `${Math.round(Math.max(...waits))} ms` },
    ]
  } finally {
    await pool.end().catch(() => undefined)
  }
}
