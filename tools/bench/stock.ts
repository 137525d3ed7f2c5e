import pg from 'pg'
import { ms, quantile, type Figure } from './figures.ts'
import { ask, newCompany, type Running } from './server.ts'

/**
 * Stock of a large shop: so many items and movements of three years in two places. How long a list of items
 * with what is on hand takes, and what all of it was worth on a past day.
 */
export async function measureStock({
  server,
  databaseUrl,
  items,
  moves,
  tries,
}: {
  server: Running
  databaseUrl: string
  items: number
  moves: number
  tries: number
}): Promise<Figure[]> {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 2 })
  pool.on('error', () => {})
  try {
    const { url, token, id } = await newCompany(server.url)
    await pool.query(
      `insert into items (company_id, id, name, sku, price, cost, is_stocked, folded) select $1, gen_random_uuid(), name, 'SKU' || n, 100, 60, true, lower(name) || ' sku' || n from generate_series(1, $2::int) n
        cross join lateral (select (array['Tap','Pipe','Elbow','Valve','Hose','Screw','Bolt','Nut','Plate','Board'])[1 + n % 10] || ' ' || (array['brass','steel','copper','plastic','chrome','black','white'])[1 + n % 7] || ' ' || n as name) one`,
      [id, items],
    )
    await pool.query(
      `insert into stock_places (company_id, id, kind, name, is_main) select $1, gen_random_uuid(), 'store', 'Place ' || n, n = 1 from generate_series(1, 2) n`,
      [id],
    )
    await pool.query(
      `with i as (select id, row_number() over (order by id) as n from items where company_id = $1), p as (select array_agg(id order by is_main desc) as ids from stock_places where company_id = $1)
      insert into stock_moves (company_id, item_id, seq, id, cause_id, kind, day, place_id, quantity, value_agorot, left_quantity, left_agorot)
      select $1, i.id, k.seq, gen_random_uuid(), gen_random_uuid(), case when k.seq % 2 = 1 then 'receive' else 'issue' end, current_date - (1095 - (k.seq * 109 + i.n) % 1090)::int, p.ids[1 + k.seq % 2],
        case when k.seq % 2 = 1 then 12 else -10 end, case when k.seq % 2 = 1 then 72000 else -60000 end, 2 * ((k.seq + 1) / 2) + case when k.seq % 2 = 1 then 10 else 0 end, 12000 * ((k.seq + 1) / 2)
      from i, p, generate_series(1, $2::int) k(seq)`,
      [id, Math.round(moves / items)],
    )
    await pool.query(
      `insert into stock_items (company_id, item_id, quantity, value_agorot, last_seq) select company_id, item_id, sum(quantity), sum(value_agorot), max(seq) from stock_moves where company_id = $1 group by 1, 2`,
      [id],
    )
    await pool.query(
      `insert into stock_on_hand (company_id, item_id, place_id, quantity) select company_id, item_id, place_id, sum(quantity) from stock_moves where company_id = $1 group by 1, 2, 3`,
      [id],
    )
    await pool.query(
      `insert into stock_days (company_id, day, value_agorot) select company_id, day, sum(value_agorot) from stock_moves where company_id = $1 group by 1, 2`,
      [id],
    )
    await pool.query(
      'analyze items; analyze stock_moves; analyze stock_items; analyze stock_on_hand; analyze stock_days',
    )
    const took = async (path: (n: number) => string): Promise<number> => {
      const waits: number[] = []
      for (let n = 0; n < tries; n++) {
        const began = performance.now()
        const { status } = await ask(url, 'GET', path(n), { token })
        if (status !== 200) throw new Error(`${path(n)}: ${status}`)
        waits.push(performance.now() - began)
      }
      return quantile(waits, 0.95)
    }
    const part = `Stock: ${items.toLocaleString('en')} items, ${moves.toLocaleString('en')} movements`
    const list = await took(() => '/api4/invoice/items?size=50')
    const scanned = await took((n) => `/api4/invoice/items?size=50&q=SKU${1 + ((n * 37) % items)}`)
    const words = await took(
      (n) => `/api4/invoice/items?size=50&q=${['tap chrome', 'valve', 'elbow st', '77'][n % 4]}`,
    )
    const past = await took((n) => `/api4/invoice/stockvalue?day=202${4 + (n % 2)}-0${1 + (n % 9)}-15`)
    return [
      { part, name: 'on hand of a list, 95 of 100', value: ms(list), goal: '<= 50 ms', ok: list <= 50 },
      { part, name: 'the same of what was scanned', value: ms(scanned), goal: '<= 50 ms', ok: scanned <= 50 },
      { part, name: 'the same of a word that thousands have', value: ms(words) },
      {
        part,
        name: 'what all was worth on a past day, 95 of 100',
        value: ms(past),
        goal: '<= 300 ms',
        ok: past <= 300,
      },
    ]
  } finally {
    await pool.end().catch(() => undefined)
  }
}
