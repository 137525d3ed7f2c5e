import { randomUUID } from 'node:crypto'
import type pg from 'pg'

/** Bare tables with nothing but their keys, in a separate schema of the same database. */
export async function floorTables(pool: pg.Pool): Promise<void> {
  await pool.query(`create schema if not exists floor;
    create table if not exists floor.counters (company uuid primary key, next bigint not null);
    create table if not exists floor.documents (company uuid, id uuid, number bigint, day date, customer text, net bigint, vat bigint, total bigint, primary key (company, id));
    create table if not exists floor.lines (company uuid, document uuid, line int, description text, quantity numeric, price numeric, net bigint, primary key (company, document, line));
    create table if not exists floor.entries (company uuid, document uuid, line int, account int, day date, amount bigint, primary key (company, document, line))`)
}

const insertLines = `insert into floor.lines select $1, $2, n, 'work', 1, 100, 10000 from generate_series(1, 5) n`
const insertEntries = `insert into floor.entries select $1, $2, n, n, '2026-01-01', 10000 from generate_series(1, 6) n`

/**
 * The least a gap-free document can cost: the counter's row, the document, five lines and six entries in one
 * transaction, in prepared statements over the same driver, with fsync on. No rights, no rules, no
 * arithmetic, no roll-ups, no audit. Answers the milliseconds.
 */
export async function issueOnTheFloor(client: pg.PoolClient, company: string): Promise<number> {
  const started = performance.now()
  const id = randomUUID()
  await client.query('begin')
  const { rows } = await client.query<{ next: number }>({
    name: 'floor-counter',
    text: 'insert into floor.counters as c values ($1, 1) on conflict (company) do update set next = c.next + 1 returning next',
    values: [company],
  })
  await client.query({
    name: 'floor-document',
    text: `insert into floor.documents values ($1, $2, $3, '2026-01-01', 'customer', 50000, 9000, 59000)`,
    values: [company, id, rows[0]!.next],
  })
  await client.query({ name: 'floor-lines', text: insertLines, values: [company, id] })
  await client.query({ name: 'floor-entries', text: insertEntries, values: [company, id] })
  await client.query('commit')
  return performance.now() - started
}
