import { sql } from 'kysely'
import { asSystem, type Database, type Tx } from '../data/db.ts'
import { headOf, encrypt, decrypt, type Vault } from './vault.ts'

/** What is sealed inside of what was sealed: answers it sealed with the key in use. */
type Inside = (vault: Vault, plain: Buffer) => Buffer

interface SealedColumn {
  table: string
  column: string
  inside?: Inside | undefined
}

const registered: SealedColumn[] = []

/**
 * Names a column of sealed values whose name does not end in `sealed`, or that holds sealed values within. The others are found by
 * their names.
 */
export const registerSealed = (table: string, column: string, inside?: Inside): void =>
  void registered.push({ table, column, inside })

const batch = 500

export interface Resealed {
  /** Values that are sealed with the key in use now. */
  done: number
  /** Values that no key opens: they were lost before. */
  unreadable: number
  /** Values that are still sealed with a key of before, wherever they are. */
  left: number
}

/**
 * Seals everything again that was sealed with a key of before, a few hundred values in a transaction: columns, jobs that wait, and
 * answers that are kept for repeats. May be stopped at any time and begun again. No server may run meanwhile.
 */
export async function reseal(db: Database, vault: Vault): Promise<Resealed> {
  const count: Resealed = { done: 0, unreadable: 0, left: 0 }
  const again = (sealed: Buffer, inside?: Inside): Buffer | undefined => {
    try {
      const plain = decrypt(vault, sealed)
      count.done++
      return encrypt(vault, inside ? inside(vault, plain) : plain)
    } catch {
      count.unreadable++
      return undefined
    }
  }
  for (const one of await sealedColumns(db)) await resealColumn(db, vault, one, again)
  await resealTexts(db, 'outbox', 'payload', sql`done_at is null`, again)
  await resealTexts(db, 'idempotency_keys', 'answer', sql`answer is not null`, again)
  for (const key of vault.before)
    for (const { table, column } of await bytesColumns(db)) {
      const { rows } = await sql<{ n: number }>`select count(*)::int as n from ${sql.table(table)}
        where substring(${sql.ref(column)} from 1 for 7) = ${headOf(key)}`.execute(db.kysely)
      count.left += rows[0]!.n
    }
  return count
}

async function bytesColumns(db: Database): Promise<SealedColumn[]> {
  const { rows } = await sql<SealedColumn>`select c.table_name as table, c.column_name as column
    from information_schema.columns c join information_schema.tables t using (table_schema, table_name)
    where c.table_schema = 'public' and c.data_type = 'bytea' and t.table_type = 'BASE TABLE'
    order by 1, 2`.execute(db.kysely)
  return rows
}

async function sealedColumns(db: Database): Promise<SealedColumn[]> {
  const byName = (await bytesColumns(db)).filter(({ column }) => /(^|_)sealed$/.test(column))
  return [...byName, ...registered]
}

async function resealColumn(
  db: Database,
  vault: Vault,
  { table, column, inside }: SealedColumn,
  again: (sealed: Buffer, inside?: Inside) => Buffer | undefined,
): Promise<void> {
  const [from, value] = [sql.table(table), sql.ref(column)]
  const { rows } = await sql<{ at: string }>`select ctid::text as at from ${from}
    where substring(${value} from 1 for 7) <> ${headOf(vault.current)}`.execute(db.kysely)
  for (let i = 0; i < rows.length; i += batch) {
    const places = rows.slice(i, i + batch).map(({ at }) => at)
    await asSystem(db, async (tx) => {
      const { rows: found } = await sql<{ at: string; sealed: Buffer }>`select ctid::text as at,
          ${value} as sealed from ${from} where ctid = any(${places}::tid[]) for update`.execute(tx)
      for (const { at, sealed } of found) {
        const next = again(sealed, inside)
        if (next) await sql`update ${from} set ${value} = ${next} where ctid = ${at}::tid`.execute(tx)
      }
    })
  }
}

/** Sealed texts (base64) at the top of a jsonb value. */
async function resealTexts(
  db: Database,
  table: string,
  column: string,
  which: ReturnType<typeof sql>,
  again: (sealed: Buffer) => Buffer | undefined,
): Promise<void> {
  const [from, value] = [sql.table(table), sql.ref(column)]
  await asSystem(db, async (tx: Tx) => {
    const { rows } = await sql<{ at: string; key: string; text: string }>`select t.ctid::text as at, e.key,
        e.value #>> '{}' as text
      from ${from} t, jsonb_each(${value}) e
      where ${which} and jsonb_typeof(${value}) = 'object' and e.key in ('sealed', 'locked')
      for update of t`.execute(tx)
    const places = new Map<string, Record<string, string>>()
    for (const { at, key, text } of rows) {
      const next = again(Buffer.from(text, 'base64'))
      if (next) places.set(at, { ...places.get(at), [key]: next.toString('base64') })
    }
    for (const [at, texts] of places)
      await sql`update ${from} set ${value} = ${value} || ${JSON.stringify(texts)}::jsonb
        where ctid = ${at}::tid`.execute(tx)
  })
}
