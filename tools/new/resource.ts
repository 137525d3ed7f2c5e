import { columnsOf, type Column } from './columns.ts'
import { listFeature, serveToo, showToo, takeWithDemo } from './edits.ts'
import { rules, wordsOfRules } from './feature.ts'
import { testOf } from './testOf.ts'
import {
  isThere,
  nextMigration,
  nextRules,
  pascal,
  Refusal,
  refuseTwins,
  snake,
  type Edit,
  type Plan,
  type Template,
} from './plan.ts'

/**
 * A described thing: list, form, card, search, export and API from one description, with its table and its
 * words.
 */
export const resource: Template = {
  usage:
    'resource [<wing>/]<feature>/<name> --title="Leads" --one="Lead" --new="New lead" --search="Name or phone" --emptyTitle=… --emptyText=… --section="Details" --fields="name:text!:Name,phone:phone:Phone,state:choice(open=Open|won=Won):State"',
  asks: {
    title: 'What is the list called',
    one: 'What is one of them called',
    new: 'What does the button for a new one say',
    search: 'What can be searched by (the hint in the search field)',
    emptyTitle: 'What does the empty list say',
    emptyText: 'What is the list for, in one sentence',
    section: 'What is the first section of the form called',
    fields: 'Fields as name:kind:Words, the first one text!; ! = must be given',
  },
  make: async ({ name, feature, folder, words }) => {
    const fields = columnsOf(words.fields!)
    const [title] = fields
    if (title?.kind !== 'text' || !title.need)
      throw new Refusal('the first field names a record: it must be of kind text!')
    if (isThere(`${folder}/${name}.ts`)) throw new Refusal(`${folder}/${name}.ts is there already`)
    const isNew = !isThere(folder)
    const card = `${name}Card`
    refuseTwins('name', name)
    refuseTwins('name', card)
    const migration = nextMigration(name)
    const files: Plan['files'] = {
      [`${folder}/${name}.ts`]: description(feature, name, fields),
      [migration]: tableOf(name, fields),
    }
    const steps: string[] = []
    const edits: Edit[] = [takeWithDemo(snake(name))]
    const door = `${folder}/server/index.ts`
    const screens = `${folder}/web/screens.ts`
    const entries = screensOf(feature, name, isNew ? groupOf[folder.split('/')[2]!] : undefined)
    files[`${folder}/${name}.test.ts`] = testOf(name, feature, fields)
    if (isNew) {
      const [see, change] = await nextRules()
      files[`${folder}/rules.ts`] = rules(feature, see, change)
      files[door] = `import { serveResource } from '#kit/server/described/resources.ts'
import { ${name} } from '../${name}.ts'
import '../rules.ts'

export const implementations = serveResource({ resource: ${name} })
`
      files[screens] = `import type { Screen } from '#kit/describe/screen.ts'
import { announce } from '#kit/web/screens/resources.ts'
import { ${name} } from '../${name}.ts'
import '../rules.ts'

announce(${name})

export const screens: Screen[] = [
${entries}
]
`
      edits.push(listFeature(feature, folder))
    } else {
      edits.push(serveToo(door, name), showToo(screens, entries, name))
    }
    files[`${folder}/web/${pascal(name)}.tsx`] = `import { ListScreen } from '#kit/web/screens/ListScreen.tsx'
import { ${name} } from '../${name}.ts'

export const Screen = () => <ListScreen resource={${name}} />
`
    files[`${folder}/web/${pascal(card)}.tsx`] = `import { usePlace } from '#kit/web/routes/place.ts'
import { CardScreen } from '#kit/web/screens/CardScreen.tsx'
import { FormScreen } from '#kit/web/screens/FormScreen.tsx'
import { ${name} } from '../${name}.ts'

/** One of them, changed in a sheet beside its facts; or a new one. */
export function Screen() {
  const id = usePlace().params.id ?? ''
  return id === 'new' ? <FormScreen resource={${name}} /> : <CardScreen key={id} resource={${name}} id={id} />
}
`
    steps.push(
      `${migration}: read it; it is forward only once it has run anywhere. After a change npm run tables`,
      ...(isNew
        ? []
        : [
            `${screens}: give the list its place in the menu (menu: { group, icon, order }) and the word screensFor.${name}, or leave it to links`,
          ]),
    )
    const texts = {
      ...textsOf(name, card, words.one!, fields),
      ...(isNew ? { ...wordsOfRules(feature, 'title'), [`screensFor.${name}`]: 'title' } : {}),
    }
    return { files, texts, edits, tables: true, steps }
  },
}

/**
 * The place of a new feature's first list in the menu, by its wing; moved by hand where it belongs elsewhere.
 */
const groupOf: Record<string, string> = {
  base: 'settings',
  registers: 'people',
  sales: 'sales',
  people: 'people',
  purchases: 'purchases',
  money: 'money',
  tax: 'tax',
  books: 'books',
  reports: 'reports',
  office: 'team',
}

const screensOf = (
  feature: string,
  name: string,
  group: string | undefined,
): string => `  { name: '${name}', path: ${name}.screens.list, open: 'login', rule: ${name}.allow.see, feature: '${feature}',${group ? ` menu: { group: '${group}', icon: 'file-text', order: 900, more: true },` : ''} load: () => import('./${pascal(name)}.tsx') },
  // The id 'new' is the form of a new one.
  { name: '${name}Card', path: '/invoice/${name}/$id', open: 'login', rule: ${name}.allow.see, feature: '${feature}', load: () => import('./${pascal(name)}Card.tsx') },`

function textsOf(name: string, card: string, one: string, fields: Column[]): Plan['texts'] {
  const audit = Object.entries({
    create: 'added',
    change: 'changed',
    archive: 'archived',
    restore: 'restored',
  }).map(([verb, done]) => [`companies.audit.${name}.${verb}`, `"${one} ${done}"`])
  return {
    [`${name}.title`]: 'title',
    [`${name}.one`]: 'one',
    [`${name}.new`]: 'new',
    [`${name}.search`]: 'search',
    [`${name}.empty.title`]: 'emptyTitle',
    [`${name}.empty.text`]: 'emptyText',
    [`${name}.sections.identity`]: 'section',
    [`screens.${name}`]: 'title',
    [`screens.${card}`]: 'one',
    ...Object.fromEntries(fields.map((f) => [`${name}.fields.${f.name}`, `"${f.words}"`])),
    ...Object.fromEntries(
      fields.flatMap((f) => f.choices.map((c) => [`${name}.${f.name}.${c.name}`, `"${c.words}"`])),
    ),
    ...Object.fromEntries(audit),
  }
}

const isText = ({ kind }: Column): boolean => ['text', 'email', 'phone', 'taxId'].includes(kind)

function description(feature: string, name: string, fields: Column[]): string {
  const kinds = [...new Set(fields.map((f) => f.kind))].sort()
  const names = (list: Column[]) => list.map((f) => `'${f.name}'`).join(', ')
  const plain = fields.filter((f) => f.kind !== 'longText')
  const line = ({ name: field, kind, need, choices }: Column) => {
    const options = [
      ...(need ? ['need: true'] : []),
      ...(kind === 'flag' ? ['start: false'] : []),
      ...(kind === 'text' ? ['max: 200'] : []),
    ].join(', ')
    const of = choices.length ? `[${choices.map((c) => `'${c.name}'`).join(', ')}]` : ''
    return `    ${field}: ${kind}(${[of, options && `{ ${options} }`].filter(Boolean).join(', ')}),`
  }
  return `import { ${kinds.join(', ')} } from '#kit/fields/field.ts'
import { defineResource } from '#kit/describe/resource.ts'

export const ${name} = defineResource({
  name: '${name}',
  table: '${snake(name)}',
  title: '${fields[0]!.name}',
  fields: {
${fields.map(line).join('\n')}
  },
  list: { columns: [${names(plain.slice(0, 6))}], filters: [${names(fields.filter((f) => ['choice', 'flag', 'day', 'money'].includes(f.kind)))}], sort: ['${fields[0]!.name}', 'asc'] },
  form: [{ section: 'identity', fields: [${names(fields)}] }],
  allow: { see: '${feature}.see', change: '${feature}.change' },
  search: 'search_${snake(name)}',
  searchIn: [${names(fields.filter(isText))}],
  screens: { list: '/invoice/${name}', form: '/invoice/${name}/new', card: '/invoice/${name}/$id' },
})
`
}

/** The column a field is kept in, with the check that lets the database refuse nonsense. */
function columnOf({ name, kind, need, choices }: Column): string {
  const column = snake(name)
  const type: Record<string, string> = {
    money: 'bigint',
    price: 'numeric(18, 4)',
    quantity: 'numeric(18, 4)',
    percent: 'integer',
    number: 'bigint',
    day: 'date',
    moment: 'timestamptz',
    flag: 'boolean not null default false',
  }
  const checks: Record<string, string> = {
    taxId: ` check (${column} ~ '^\\d{9}$')`,
    choice: ` check (${column} in (${choices.map((c) => `'${c.name}'`).join(', ')}))`,
    text: ` check (length(${column}) ${need ? 'between 1 and' : '<='} 200)`,
  }
  return `  ${column} ${type[kind] ?? 'text'}${need && kind !== 'flag' ? ' not null' : ''}${checks[kind] ?? ''},`
}

function tableOf(name: string, fields: Column[]): string {
  const table = snake(name)
  const title = snake(fields[0]!.name)
  return `-- ${pascal(name)}: say here why they are kept, and what the columns mean that do not say it themselves.

create table ${table} (
  company_id uuid not null references companies,
  id uuid not null,
${fields.map(columnOf).join('\n')}
  archived_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  -- Letters that sound alike are written alike here; kept by the application.
  folded text not null default '',
  primary key (company_id, id)
);
create index ${table}_by_${title} on ${table} (company_id, ${title}, id);
create index ${table}_search on ${table} using gin (company_id, folded gin_trgm_ops);
select secure_table('${table}', 'select, insert, update');

-- Under row-level security a trigram index is not used (like is not leakproof), so the search runs as the owner, inside one company.
create function search_${table}(pattern text) returns setof uuid language sql stable security definer set search_path = public
  as $$ select id from ${table} where company_id = current_company() and folded like '%' || pattern || '%' $$;
`
}
