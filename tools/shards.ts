import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseSync, Visitor } from 'oxc-parser'
import pg from 'pg'
import { openDatabase } from '#kit/server/data/db.ts'
import { startEmbeddedPostgres } from '#kit/server/data/embeddedPostgres.ts'
import { migrate } from '#kit/server/data/migrate.ts'
import { root } from '#kit/server/settings.ts'

/*
 * What would not run on a PostgreSQL that is sharded by business, as Citus is: every table is spread by company_id, or is
 * small and lies whole on every shard. `npm run shards` writes the list (docs/shards.txt); what it means is in
 * docs/scale.md. `npm run check` compares its statements, tests/shards.test.ts its tables, keys and triggers.
 */

const listed = join(root, 'docs/shards.txt')

/** The committed list, of the kinds that are named or of all others. */
export const committed = (only: readonly string[], others = false): string[] =>
  readFileSync(listed, 'utf8')
    .split('\n')
    .filter((line) => line && !line.startsWith('#') && only.includes(line.split(' | ')[0]!) !== others)

/** What is new in a list, and what is listed and gone. */
export function changes(found: readonly string[], known: readonly string[]): string[] {
  const left = [...known]
  const added = found.filter((line) => {
    const at = left.indexOf(line)
    if (at >= 0) left.splice(at, 1)
    return at < 0
  })
  return [
    ...added.map(
      (line) =>
        `would not run on a database sharded by business: ${line} (docs/scale.md; npm run shards, if it has to be)`,
    ),
    ...left.map((line) => `is listed in docs/shards.txt and gone: ${line}; run npm run shards`),
  ]
}

/** Tables of the schema that have a business, as db/tables.ts describes them. */
function tablesOfBusinesses(): Set<string> {
  const source = readFileSync(join(root, 'db/tables.ts'), 'utf8')
  const described = new Set(
    [...source.matchAll(/^export interface (\w+) \{\n([^]*?)^\}/gm)]
      .filter(([, , fields]) => /^ {2}company_id:/m.test(fields!))
      .map(([, name]) => name!),
  )
  const all = source.slice(source.indexOf('export interface DB '))
  return new Set(
    [...all.matchAll(/^ {2}(\w+): (\w+);/gm)].flatMap(([, table, type]) =>
      described.has(type!) ? [table!] : [],
    ),
  )
}

const sources = (): string[] =>
  execFileSync('git', ['ls-files', '-co', '--exclude-standard', 'src/**/*.ts'], {
    cwd: root,
    encoding: 'utf8',
  })
    .split('\n')
    .filter((file) => file && !/\.test\.ts$|\/web\//.test(file))

const begins = /^\s*(?:\/\*.*?\*\/\s*)?(?:select|insert|update|delete|with|declare|lock)\b/i
/** The business is a value of the statement, or each row is tied to a row of one that is. */
const namesBusiness =
  /company_id\s*=\s*(?:any\s*\(\s*)?(?:\$|')|\$\{[^}]*(?:companyId|company_id|\bcompany\b|\bcompanies\b|clientIds?)[^}]*\}/i

/** Statements of the source over rows of many businesses. */
export function statements(): string[] {
  const tables = tablesOfBusinesses()
  const found: string[] = []
  for (const file of sources()) {
    const source = readFileSync(join(root, file), 'utf8')
    if (!/sql|query\(/.test(source)) continue
    const { program } = parseSync(file, source)
    const look = ({ start, end }: { start: number; end: number }) => {
      const text = source.slice(start + 1, end - 1)
      if (!begins.test(text) || namesBusiness.test(text)) return
      // Rows that are given whole go where their business says.
      const isGiven = /^\s*(?:\/\*.*?\*\/\s*)?insert into\b/i.test(text)
      const used = [
        ...text.matchAll(/\b(?:from|join|update|using|table)\s+(?:only\s+)?(\w+)/gi),
        ...(isGiven ? [] : text.matchAll(/\binto\s+(\w+)/gi)),
      ].map(([, name]) => name!)
      if (!used.some((name) => tables.has(name))) return
      const how = /\bfor (?:update|share|no key update)\b/i.test(text)
        ? 'locks'
        : /\b(?:insert into|update \w+ (?:\w+ )?set|delete from)\b/i.test(text)
          ? 'writes'
          : 'reads'
      const short = text
        .replace(/\/\*.*?\*\//g, '')
        .replace(/\$\{[^}]*\}/g, '…')
        .replace(/\s+/g, ' ')
        .trim()
        .slice(0, 90)
      found.push(`statement ${how} | ${file} | ${short}`)
    }
    new Visitor({
      TaggedTemplateExpression(node) {
        if (/(?:^|\.)sql$/.test(source.slice(node.tag.start, node.tag.end))) look(node.quasi)
      },
      CallExpression(node) {
        const [text] = node.arguments
        if (
          source.slice(node.callee.start, node.callee.end).endsWith('.query') &&
          text &&
          text.type.endsWith('Literal')
        )
          look(text)
      },
    }).visit(program)
  }
  return found.sort()
}

export const statementKinds = ['statement locks', 'statement writes', 'statement reads']

/** What of the committed list of statements is not so any more; for `npm run check`. */
export const checkShards = (): string[] => changes(statements(), committed(statementKinds))

/** Tables, keys, foreign keys, triggers and functions of a migrated database. */
export async function schema(client: Pick<pg.Client, 'query'>): Promise<string[]> {
  const found: string[] = []
  const add = async (text: string): Promise<void> => {
    const { rows } = await client.query<{ line: string }>(text)
    found.push(...rows.map(({ line }) => line))
  }
  // `companies` is spread by its own id.
  const spread = `(select c.oid, c.relname, a.attnum, a.attnotnull from pg_class c
    join pg_attribute a on a.attrelid = c.oid and not a.attisdropped
      and a.attname = case when c.relname = 'companies' then 'id' else 'company_id' end
    where c.relkind in ('r', 'p') and c.relnamespace = 'public'::regnamespace)`
  await add(`select 'table without a business | ' || relname as line from pg_class c
      where relkind in ('r', 'p') and relnamespace = 'public'::regnamespace
        and not exists (select 1 from ${spread} s where s.oid = c.oid)`)
  await add(
    `select 'table whose business may be missing | ' || relname as line from ${spread} s where not attnotnull`,
  )
  await add(`select 'key without the business | ' || s.relname || ' (' || (select string_agg(coalesce(a.attname,
          'expression'), ', ' order by k.n) from unnest(i.indkey) with ordinality k(attnum, n)
          left join pg_attribute a on a.attrelid = i.indrelid and a.attnum = k.attnum) || ')' as line
      from pg_index i join ${spread} s on s.oid = i.indrelid
      where (i.indisunique or i.indisexclusion) and not s.attnum = any (i.indkey)`)
  await add(`select 'foreign key without the business | ' || s.relname || '.' || f.conname || ' → ' || t.relname as line
      from pg_constraint f join ${spread} s on s.oid = f.conrelid join ${spread} t on t.oid = f.confrelid
      where f.contype = 'f' and not exists (select 1 from unnest(f.conkey, f.confkey) k(own, other)
        where k.own = s.attnum and k.other = t.attnum)`)
  await add(`select 'foreign key from a table without a business | ' || c.relname || '.' || f.conname || ' → ' || t.relname
        as line from pg_constraint f join pg_class c on c.oid = f.conrelid join ${spread} t on t.oid = f.confrelid
      where f.contype = 'f' and not exists (select 1 from ${spread} s where s.oid = f.conrelid)`)
  await add(`select 'trigger' || case when g.tgdeferrable then ' that is deferred' when g.tgtype & 1 = 1 then ' of a row'
          else ' of a statement' end || ' | ' || s.relname || '.' || g.tgname as line
      from pg_trigger g join ${spread} s on s.oid = g.tgrelid where not g.tgisinternal`)
  await add(`select 'function that reads or writes tables | ' || p.proname as line from pg_proc p
      join pg_language l on l.oid = p.prolang
      where p.pronamespace = 'public'::regnamespace and l.lanname in ('plpgsql', 'sql')
        and p.prorettype <> 'trigger'::regtype
        and exists (select 1 from ${spread} s where coalesce(p.prosrc, '') || coalesce(pg_get_function_sqlbody(p.oid), '')
          ~* ('\\m(from|join|into|update)\\s+' || s.relname || '\\M'))`)
  return found.sort()
}

// `npm run shards`: writes the list from a fresh database that has every migration, and from the source.
async function write(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'pinkas-shards-'))
  const postgres = await startEmbeddedPostgres(folder)
  try {
    const db = openDatabase(postgres.url, 2)
    await migrate(db)
    await db.close()
    const client = new pg.Client({ connectionString: postgres.url })
    await client.connect()
    const lines = [...(await schema(client)), ...statements()]
    await client.end()
    writeFileSync(
      listed,
      `# What would not run on a PostgreSQL sharded by business; docs/scale.md explains it. Made by npm run shards.\n${lines.join('\n')}\n`,
    )
    const kinds = new Map<string, number>()
    for (const line of lines) kinds.set(line.split(' | ')[0]!, (kinds.get(line.split(' | ')[0]!) ?? 0) + 1)
    for (const [kind, n] of kinds) console.log(`${String(n).padStart(4)}  ${kind}`)
  } finally {
    await postgres.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

if (process.argv[1]?.endsWith('shards.ts')) await write()
